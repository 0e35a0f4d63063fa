/*
 * frontend/state/row.c - pointers into a row of an array of arrays that walk past its end.
 *
 * double m[2][3], *f = *m; f[3] is meant to be m[1][0]: the rows follow one another in memory. The IR tells
 * rows apart by their index, so an access by such a pointer is brought back into its row before it is made:
 * with w elements a row, element k of row r is element (r * w + k) % w of row (r * w + k) / w.
 *
 * Done for pointers that start in a row of constant number (the array's beginning, as a flat walk does) and
 * whose offset is not certainly inside the row. A pointer into row i, i known at run time only, is taken to
 * stay in it, as C asks.
 */
#include "plugin/frontend/state/state.h"

#include "analysis/ir/query.h"

#include <string.h>

/* The end of the path's "[]" of that number, SIZE_MAX if there is none. */
static size_t bracket_end(const char *path, uint32_t number) {
    const char *p = path;
    for (uint32_t i = 0; p && (p = strstr(p, "[]")); i++, p += 2)
        if (i == number) return (size_t)(p + 2 - path);
    return SIZE_MAX;
}

/* Elements of the array that index `number` of the place counts, 0 if it counts something else (a pointer's
 * cells). */
static uint32_t row_length(gw_lowering *L, const gw_place *p, uint32_t number) {
    const char *path = GW_FRONT_TEXT(L, p->path);
    size_t end = bracket_end(path, number);
    const gw_object_data *o = gw_object_at(L->f, p->object);
    size_t skip = o->kind == GW_OBJECT_POINTER || o->sized ? 2 : 0;
    if (end == SIZE_MAX || end < 2 + skip) return 0;
    char *prefix = gw_format("%.*s", (int)(end - 2 - skip), path + skip);
    gw_type t = gw_type_at_path(L->session, o->type, prefix);
    free(prefix);
    const gw_type_data *d = &L->session->types.at[t];
    return t >= GW_T_SCALARS && d->kind == GW_TYPE_ARRAY ? d->count : 0;
}

/* Whether "[][]" stands there: the element before is a row, not a struct that holds one. */
static bool follows_index(gw_lowering *L, const gw_place *p, uint32_t number) {
    const char *path = GW_FRONT_TEXT(L, p->path);
    size_t end = bracket_end(path, number);
    return number > 0 && end != SIZE_MAX && bracket_end(path, number - 1) == end - 2;
}

/* Converted or not. */
bool gw_front_certainly_inside(gw_lowering *L, gw_value v, uint32_t count) {
    int64_t n;
    if (gw_const_int(L->f, v, &n)) return n >= 0 && n < count;
    v = gw_behind_casts(L->f, v);
    for (uint32_t i = 0; i < L->counted.count; i++) {
        const gw_counted *c = &L->counted.at[i];
        if (c->index == v) return c->low >= 0 && c->high <= count;
    }
    return false;
}

void gw_front_row_mark(gw_lowering *L, gw_place *target) {
    int64_t row;
    uint32_t last = target->count - 1;
    if (target->kind != GW_PLACE_MEMORY || target->view || target->numbers_of || target->count < 2) return;
    if (!follows_index(L, target, last) || !row_length(L, target, last)) return;
    if (gw_const_int(L->f, target->index[last - 1], &row)) target->walked = last;
}

gw_place gw_front_row_settle(gw_lowering *L, gw_place p) {
    if (p.kind != GW_PLACE_MEMORY) return p;
    for (uint32_t at = p.walked; at && follows_index(L, &p, at); at--) {
        uint32_t length = row_length(L, &p, at);
        if (!length || gw_front_certainly_inside(L, p.index[at], length)) break;
        gw_value width = gw_int(&L->b, GW_T_I64, length), row = gw_cast(&L->b, GW_T_I64, p.index[at - 1]);
        gw_value start = gw_binary(&L->b, GW_OP_MUL, row, width);
        gw_value flat = gw_binary(&L->b, GW_OP_ADD, start, gw_cast(&L->b, GW_T_I64, p.index[at]));
        p.index[at] = gw_binary(&L->b, GW_OP_REM, flat, width);
        p.index[at - 1] = gw_binary(&L->b, GW_OP_DIV, flat, width); /* may be beyond its plane in turn */
    }
    p.walked = 0;
    return p;
}
