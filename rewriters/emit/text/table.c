/*
 * emit/text/table.c - local arrays that hold constants and nothing else are written once, at the head of the
 * function: const int t[3] = {1, 2, 3};. Several of equal type and contents (a table in a function that is
 * inlined twice, or in the forward and the backward version of a region) are one.
 *
 * Requires of such an array that all stores to it are of constants at constant indices, stand in the region of
 * a `declare` of it, behind that and before any load, and that each of its declarations is followed by the same
 * ones. Then a load finds the same number wherever it stands. Cells that are not stored to are undefined, or 0.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 4096, LINE = 96 };

typedef struct table {
    gw_value *cell; /* constants; 0: not stored to */
    uint32_t cells, filled, seen;
    gw_region region;
    uint32_t groups;
    bool open, bad, loaded;
} table;

static gw_type element_of(const gw_session *s, gw_type type, uint32_t *cells) {
    *cells = 1;
    while (s->types.at[type].kind == GW_TYPE_ARRAY && *cells <= MOST_CELLS) {
        *cells *= s->types.at[type].count <= MOST_CELLS ? s->types.at[type].count : MOST_CELLS + 1;
        type = s->types.at[type].element;
    }
    return type;
}

static bool equal_constants(const gw_func *f, gw_value x, gw_value y) {
    if (!x || !y) return x == y;
    const gw_op_data *a = gw_op_at(f, gw_value_at(f, x)->op), *b = gw_op_at(f, gw_value_at(f, y)->op);
    return gw_typeof(f, x) == gw_typeof(f, y) && memcmp(&a->imm, &b->imm, sizeof a->imm) == 0;
}

/* The cell's number, counted row by row; false if an index is no constant inside of its dimension. */
static bool cell_number(const gw_func *f, gw_op op, uint32_t *number) {
    gw_type type = gw_object_at(f, gw_op_at(f, op)->object)->type;
    *number = 0;
    for (uint32_t i = 0; i < gw_index_count(f, op); i++) {
        const gw_type_data *t = &f->session->types.at[type];
        int64_t index;
        if (t->kind != GW_TYPE_ARRAY || !gw_const_int(f, gw_operand(f, op, i), &index)) return false;
        if (index < 0 || index >= t->count) return false;
        *number = *number * t->count + (uint32_t)index;
        type = t->element;
    }
    return true;
}

static void note_store(const gw_func *f, gw_op op, table *t) {
    gw_value v = gw_operand(f, op, gw_index_count(f, op));
    gw_op source = gw_value_at(f, v)->op;
    uint32_t number;
    t->bad |= !t->open || t->region != gw_op_at(f, op)->parent || !cell_number(f, op, &number);
    if (t->bad || !source || gw_op_at(f, source)->code != GW_OP_CONST) {
        t->bad = true;
    } else if (t->groups == 1) {
        t->bad = t->cell[number] != 0;
        t->cell[number] = v;
        t->filled++;
    } else {
        t->bad = !equal_constants(f, t->cell[number], v);
        t->seen++;
    }
}

static void end_group(table *t) {
    t->bad |= t->groups > 1 && t->seen != t->filled;
    t->seen = 0;
}

static void note(const gw_func *f, gw_op op, table *t) {
    switch (gw_op_at(f, op)->code) {
    case GW_OP_DECLARE:
        end_group(t);
        t->groups++;
        t->open = true;
        t->region = gw_op_at(f, op)->parent;
        break;
    case GW_OP_STORE:
        note_store(f, op, t);
        break;
    case GW_OP_LOAD:
        t->bad |= !t->groups;
        t->open = false;
        t->loaded = true;
        break;
    default:
        t->bad = true;
    }
}

static void walk(const gw_emitter *e, gw_region r, table *tables) {
    for (gw_op op = gw_first(e->f, r); op; op = gw_walk(e->f, op, r)) {
        const gw_op_data *o = gw_op_at(e->f, op);
        bool asked = o->code != GW_OP_LOAD || e->plan.ops[op].needed;
        if (o->object && tables[o->object].cell && asked) note(e->f, op, &tables[o->object]);
    }
}

static bool same_contents(const gw_func *f, gw_object x, const table *a, gw_object y, const table *b) {
    if (!b->cell || gw_object_at(f, x)->type != gw_object_at(f, y)->type) return false;
    for (uint32_t i = 0; i < a->cells; i++)
        if (!equal_constants(f, a->cell[i], b->cell[i])) return false;
    return true;
}

static void add_item(gw_emitter *e, gw_text *line, const char *item) {
    if (line->count + strlen(item) > LINE) {
        gw_emit_line(e, "%s", line->at);
        gw_text_free(line);
        gw_text_add(line, "       ");
    }
    gw_text_add(line, item);
}

/* {1, 2}, row by row */
static void add_cells(gw_emitter *e, gw_type type, const table *t, uint32_t *next, gw_text *line,
                      const char *end) {
    const gw_type_data *d = &e->session->types.at[type];
    if (d->kind != GW_TYPE_ARRAY) {
        gw_value v = t->cell[(*next)++];
        char *text = v ? gw_emit_text(e, v, GW_IN_ASSIGN, GW_PREC_ASSIGN) : gw_format("0");
        char *item = gw_format(" %s%s", text, end);
        add_item(e, line, item);
        free(item);
        free(text);
        return;
    }
    gw_text_add(line, " {");
    for (uint32_t i = 0; i < d->count; i++)
        add_cells(e, d->element, t, next, line, i + 1 < d->count ? "," : "");
    gw_text_addf(line, " }%s", end);
}

static void write_table(gw_emitter *e, gw_object object, const table *t) {
    const gw_object_data *o = gw_object_at(e->f, object);
    uint32_t cells, next = 0;
    gw_type element = element_of(e->session, o->type, &cells);
    gw_str name = gw_emit_unique(e, gw_cstr(e->session, o->name));
    gw_text line = {0};
    gw_text_addf(&line, "const %s %s", gw_emit_type(e, element), gw_cstr(e->session, name));
    for (gw_type type = o->type; type != element; type = e->session->types.at[type].element)
        gw_text_addf(&line, "[%u]", e->session->types.at[type].count);
    gw_text_add(&line, " =");
    add_cells(e, o->type, t, &next, &line, ";");
    gw_emit_line(e, "%s", line.at);
    gw_text_free(&line);
    e->object_name[object] = name;
}

void gw_emit_tables(gw_emitter *e) {
    const gw_func *f = e->f;
    table *tables = gw_alloc(f->objects.count * sizeof *tables);
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = gw_object_at(f, o);
        gw_type element = element_of(e->session, d->type, &tables[o].cells);
        bool array = d->type != element && element < GW_T_SCALARS && tables[o].cells <= MOST_CELLS;
        if (d->kind == GW_OBJECT_LOCAL && !d->sized && array)
            tables[o].cell = gw_alloc(tables[o].cells * sizeof *tables[o].cell);
    }
    walk(e, f->entry, tables);
    for (gw_object o = 1; o < f->objects.count; o++) {
        table *t = &tables[o];
        end_group(t);
        if (t->bad || !t->loaded || !t->filled) {
            free(t->cell);
            t->cell = NULL;
            continue;
        }
        gw_object first = 1;
        while (first < o && !same_contents(f, o, t, first, &tables[first])) first++;
        if (first < o) e->object_name[o] = e->object_name[first];
        else write_table(e, o, t);
        e->object_declared[o] = e->object_is_table[o] = true;
    }
    for (gw_object o = 1; o < f->objects.count; o++) free(tables[o].cell);
    free(tables);
}
