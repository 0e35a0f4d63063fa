/*
 * frontend/place/choice.c - pointers that lead to one of several objects: which ones is known here, which one
 * it is tells a selector at run time. Each candidate has offsets of its own.
 *
 * An access is an if-chain over the candidates, so that only the one that is meant is touched, in the primal
 * and in every derivative. Candidates are those that some path through the function sets; a path that sets none
 * (an unset pointer) leaves selector and offsets at 0, which nobody may read.
 */
#include "plugin/frontend/place/place.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is done to such a place ---- */
static bool is_real(const gw_lowering *L, const gw_place *choice, uint32_t i) {
    return L->candidates.at[choice->slot + i].kind != GW_PLACE_NULL;
}

static uint32_t last_real(const gw_lowering *L, const gw_place *choice) {
    uint32_t last = choice->count;
    for (uint32_t i = 0; i < choice->count; i++)
        if (is_real(L, choice, i)) last = i;
    return last;
}

static void chain(gw_lowering *L, const gw_place *choice, uint32_t i, uint32_t last, gw_choice_action *act,
                  void *context) {
    while (i < last && !is_real(L, choice, i)) /* it is null only where nobody follows it */
        i++;
    if (L->failed || i > last) return;
    gw_place candidate = L->candidates.at[choice->slot + i];
    if (i == last) {
        act(L, candidate, context);
        return;
    }
    gw_value is = gw_binary(&L->b, GW_OP_EQ, choice->index[0], gw_int(&L->b, GW_T_I32, i));
    gw_branch yes = gw_front_branch_begin(L);
    act(L, candidate, context);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    chain(L, choice, i + 1, last, act, context);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, is, &yes, &no);
}

void gw_front_choice_each(gw_lowering *L, gw_place choice, gw_choice_action *act, void *context) {
    uint32_t last = last_real(L, &choice);
    if (last < choice.count) chain(L, &choice, 0, last, act, context);
}

/* Its number among the candidates of `made`, which gets it. */
static uint32_t put(gw_lowering *L, gw_place *made, gw_place p) {
    for (uint32_t i = 0; i < made->count && p.kind != GW_PLACE_MEMORY; i++) {
        const gw_place *c = &L->candidates.at[made->slot + i];
        const bool is_same = gw_front_same_target(c, &p) && c->table == p.table && c->bits == p.bits;
        if (is_same && c->table_count == p.table_count && c->read_only == p.read_only) return i;
    }
    gw_push(&L->candidates, p);
    return made->count++;
}

/* The number of what `p`, a candidate that may be a choice of its own, leads to. */
static gw_value put_all(gw_lowering *L, gw_place *made, const gw_place *p) {
    if (p->kind != GW_PLACE_CHOICE) return gw_int(&L->b, GW_T_I32, put(L, made, *p));
    gw_value which = 0;
    bool in_order = true;
    uint32_t first = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = put(L, made, L->candidates.at[p->slot + i]);
        const gw_value here = gw_int(&L->b, GW_T_I32, at);
        const gw_value is = gw_binary(&L->b, GW_OP_EQ, p->index[0], gw_int(&L->b, GW_T_I32, i));
        if (!i) first = at;
        in_order &= at == first + i;
        which = i ? gw_select(&L->b, is, here, which) : here;
    }
    return in_order ? gw_binary(&L->b, GW_OP_ADD, p->index[0], gw_int(&L->b, GW_T_I32, first)) : which;
}

/* A step may make one of several of a candidate: rows of a table by one index, their elements by another. */
gw_place gw_front_choice_map(gw_lowering *L, gw_place choice, gw_choice_step *step, const void *context) {
    gw_place made = choice, *each = gw_alloc((choice.count + 1) * sizeof *each);
    bool any = false;
    for (uint32_t i = 0; i < choice.count && !L->failed; i++) {
        each[i] = L->candidates.at[choice.slot + i];
        if (each[i].kind != GW_PLACE_NULL) each[i] = step(L, each[i], context), made.shape = each[i].shape;
        any |= each[i].kind == GW_PLACE_CHOICE;
    }
    made.slot = L->candidates.count, made.count = any ? 0 : choice.count;
    for (uint32_t i = 0; i < choice.count && !L->failed; i++) {
        if (any) {
            const gw_value here = put_all(L, &made, &each[i]);
            const gw_value is = gw_binary(&L->b, GW_OP_EQ, choice.index[0], gw_int(&L->b, GW_T_I32, i));
            made.index[0] = i ? gw_select(&L->b, is, here, made.index[0]) : here;
        } else {
            gw_push(&L->candidates, each[i]);
        }
    }
    free(each);
    return made;
}

static void load_into(gw_lowering *L, gw_place from, void *context) {
    gw_front_slot_set(L, *(uint32_t *)context, gw_front_load(L, from));
}

gw_value gw_front_choice_load(gw_lowering *L, gw_place choice) {
    uint32_t slot = gw_front_slot(L, GW_SLOT_SCALAR, choice.shape, 0);
    gw_front_choice_each(L, choice, load_into, &slot);
    return gw_front_slot_value(L, slot);
}

static void target_into(gw_lowering *L, gw_place pointer, void *context) {
    gw_place target = gw_front_target(L, pointer);
    if (!L->failed) gw_front_slot_set(L, *(uint32_t *)context, gw_front_pointer_new(L, target));
}

gw_place gw_front_choice_target(gw_lowering *L, gw_place choice) {
    uint32_t slot = gw_front_slot(L, GW_SLOT_POINTER, GW_T_VOID, 0);
    gw_front_choice_each(L, choice, target_into, &slot);
    uint32_t number = L->slots.at[slot].value;
    return number && !L->failed ? L->pointers.at[number] : (gw_place){0};
}

/* ---- comparisons ---- */
static bool may_be_null(const gw_lowering *L, const gw_place *p) {
    if (p->kind != GW_PLACE_MEMORY) return p->kind != GW_PLACE_SLOTS;
    const gw_object_data *o = gw_object_at(L->f, p->object);
    bool behind = gw_cell_behind_pointer(L->f, p->object, p->path);
    return behind || (o->kind == GW_OBJECT_POINTER && !o->is_reference);
}

/* Asks at run time: whether the pointer itself is null, wherever it was moved to since. Behind an index or
 * another pointer that may not be there, only where this one is meant (`certain`). */
static gw_value ask(gw_lowering *L, const gw_place *p, bool certain) {
    const char *path = GW_FRONT_TEXT(L, p->path), *first = strstr(path, "[]");
    size_t n = strlen(path);
    if (p->kind != GW_PLACE_MEMORY || n < 2 || strcmp(path + n - 2, "[]") != 0) return 0;
    if (!certain && first != path + n - 2) return 0;
    char *asked = gw_format("%.*s%s", (int)(n - 2), path, GW_PATH_PRESENT);
    gw_str s = gw_intern(L->session, asked);
    free(asked);
    if (gw_cell_type(L->f, p->object, s) != GW_T_BOOL) return 0;
    return gw_unary(&L->b, GW_OP_NOT, gw_load(&L->b, p->object, s, p->index, p->count - 1));
}

/* 0 if it cannot be told. */
static gw_value candidate_is_null(gw_lowering *L, const gw_place *p, bool certain) {
    if (gw_front_is_device(L, p)) {
        gw_value address = gw_cast(&L->b, GW_T_ADDRESS, p->index[0]);
        return gw_binary(&L->b, GW_OP_EQ, address, gw_int(&L->b, GW_T_ADDRESS, 0));
    }
    if (p->kind == GW_PLACE_NULL) return gw_int(&L->b, GW_T_BOOL, 1);
    if (p->kind == GW_PLACE_FUNCTION) return gw_int(&L->b, GW_T_BOOL, 0);
    if (gw_front_may_be_null_text(L, p)) return gw_front_unknown_like(L, GW_T_BOOL, p);
    if (p->kind == GW_PLACE_NONE || p->kind == GW_PLACE_TORN) return 0;
    return may_be_null(L, p) ? ask(L, p, certain) : gw_int(&L->b, GW_T_BOOL, 0);
}

gw_value gw_front_is_null(gw_lowering *L, gw_place p, CXCursor e) {
    if (L->failed) return gw_int(&L->b, GW_T_BOOL, 0);
    gw_value any = p.kind == GW_PLACE_CHOICE ? gw_int(&L->b, GW_T_BOOL, 0) : candidate_is_null(L, &p, true);
    for (uint32_t i = 0; any && p.kind == GW_PLACE_CHOICE && i < p.count; i++) {
        gw_place candidate = L->candidates.at[p.slot + i];
        gw_value is = gw_binary(&L->b, GW_OP_EQ, p.index[0], gw_int(&L->b, GW_T_I32, i));
        gw_value null = candidate_is_null(L, &candidate, false);
        any = null ? gw_binary(&L->b, GW_OP_OR, any, gw_binary(&L->b, GW_OP_AND, is, null)) : 0;
    }
    if (any) return any;
    gw_front_refuse(L, e, "a null test of this pointer", "pass a flag beside the pointer");
    return gw_int(&L->b, GW_T_BOOL, 0);
}

static gw_value last_offset(gw_lowering *L, const gw_place *p) {
    gw_value v = p->count ? p->index[p->count - 1] : gw_int(&L->b, GW_T_I64, 0);
    return gw_cast(&L->b, GW_T_I64, v);
}

static bool same_index(const gw_lowering *L, gw_value x, gw_value y) {
    int64_t a, b;
    return x == y || (gw_const_int(L->f, x, &a) && gw_const_int(L->f, y, &b) && a == b);
}

/* Number of the cell in its array of arrays, counted in what the last index counts; 0: it is no such array. */
static gw_value position(gw_lowering *L, const gw_place *p) {
    const gw_session *s = L->session;
    const gw_object_data *o = gw_object_at(L->f, p->object);
    const char *path = GW_FRONT_TEXT(L, p->path);
    bool behind = o->kind == GW_OBJECT_POINTER || o->sized; /* the first index is the pointer's */
    gw_type t = o->type;
    if (!behind) t = s->types.at[t].kind == GW_TYPE_ARRAY ? s->types.at[t].element : GW_T_VOID;
    if (!p->count || strspn(path, "[]") != strlen(path) || t == GW_T_VOID || p->numbers_of) return 0;
    gw_value at = gw_cast(&L->b, GW_T_I64, p->index[0]);
    for (uint32_t i = 1; i < p->count; i++, t = s->types.at[t].element) {
        if (s->types.at[t].kind != GW_TYPE_ARRAY) return 0;
        at = gw_binary(&L->b, GW_OP_MUL, at, gw_int(&L->b, GW_T_I64, s->types.at[t].count));
        at = gw_binary(&L->b, GW_OP_ADD, at, gw_cast(&L->b, GW_T_I64, p->index[i]));
    }
    return at;
}

/* Both lead into one array, or one array of arrays; 0 if that is not known. */
static gw_value compare_offsets(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op) {
    if (x->kind != GW_PLACE_MEMORY || !gw_front_same_target(x, y)) return 0;
    if (gw_front_is_half(x) && op == GW_OP_SUB) return 0;
    bool one_row = true;
    for (uint32_t i = 0; one_row && i + 1 < x->count; i++)
        one_row = same_index(L, x->index[i], y->index[i]);
    gw_value a = one_row ? last_offset(L, x) : position(L, x), b = one_row ? last_offset(L, y) : position(L, y);
    return a && b ? gw_binary(&L->b, op, a, b) : 0;
}

/* A variable of the function's own: no pointer from outside leads into it. */
static bool is_own(const gw_lowering *L, const gw_place *p) {
    if (p->kind != GW_PLACE_MEMORY) return p->kind == GW_PLACE_SLOTS;
    gw_object_kind kind = gw_object_at(L->f, p->object)->kind;
    return (kind == GW_OBJECT_LOCAL || kind == GW_OBJECT_STRUCT) &&
           !gw_cell_behind_pointer(L->f, p->object, p->path);
}

static bool is_global(const gw_lowering *L, const gw_place *p) {
    return p->kind == GW_PLACE_MEMORY && gw_object_at(L->f, p->object)->kind == GW_OBJECT_GLOBAL;
}

/* Whether two places are one; 0 if it cannot be told: two parameters may lead to neighbours, one's end the
 * other's beginning, and a parameter to a variable at file scope. */
static gw_value is_same(gw_lowering *L, const gw_place *x, const gw_place *y) {
    bool both_slots = x->kind == GW_PLACE_SLOTS && y->kind == GW_PLACE_SLOTS;
    const bool both_functions = x->kind == GW_PLACE_FUNCTION && y->kind == GW_PLACE_FUNCTION;
    if (both_slots || both_functions) return gw_int(&L->b, GW_T_BOOL, x->slot == y->slot);
    if (x->kind == GW_PLACE_NULL && y->kind == GW_PLACE_FUNCTION) return gw_int(&L->b, GW_T_BOOL, 0);
    if (y->kind == GW_PLACE_NULL && x->kind == GW_PLACE_FUNCTION) return gw_int(&L->b, GW_T_BOOL, 0);
    if (x->kind == GW_PLACE_MEMORY && y->kind == GW_PLACE_MEMORY && x->object == y->object)
        return compare_offsets(L, x, y, GW_OP_EQ);
    bool known = (x->kind == GW_PLACE_SLOTS || x->kind == GW_PLACE_MEMORY) &&
                 (y->kind == GW_PLACE_SLOTS || y->kind == GW_PLACE_MEMORY);
    bool apart = is_own(L, x) || is_own(L, y) || (is_global(L, x) && is_global(L, y));
    return known && apart ? gw_int(&L->b, GW_T_BOOL, 0) : 0;
}

/* The same of pointers to one of several objects. */
static gw_value is_one_of(gw_lowering *L, const gw_place *x, const gw_place *y) {
    if (x->kind != GW_PLACE_CHOICE) return y->kind == GW_PLACE_CHOICE ? is_one_of(L, y, x) : is_same(L, x, y);
    gw_value any = gw_int(&L->b, GW_T_BOOL, 0);
    for (uint32_t i = 0; any && i < x->count; i++) {
        const gw_place candidate = L->candidates.at[x->slot + i];
        gw_value is = gw_binary(&L->b, GW_OP_EQ, x->index[0], gw_int(&L->b, GW_T_I32, i));
        gw_value same = is_one_of(L, &candidate, y);
        any = same ? gw_binary(&L->b, GW_OP_OR, any, gw_binary(&L->b, GW_OP_AND, is, same)) : 0;
    }
    return any;
}

/* The place is one where the pointer may lead and of which nobody knows what is there. */
static const gw_place *unknown_of(const gw_lowering *L, const gw_place *p) {
    if (p->kind != GW_PLACE_CHOICE) return gw_front_is_unknown(L, p) ? p : NULL;
    for (uint32_t i = 0; i < p->count; i++)
        if (gw_front_is_unknown(L, &L->candidates.at[p->slot + i])) return &L->candidates.at[p->slot + i];
    return NULL;
}

/* Equal only where both selectors are; else they lead into one array, or the source must not ask. */
gw_value gw_front_compare(gw_lowering *L, const gw_place *x, const gw_place *y, gw_opcode op) {
    bool equality = op == GW_OP_EQ || op == GW_OP_NE;
    const gw_place *unknown = unknown_of(L, x) ? unknown_of(L, x) : unknown_of(L, y);
    if (unknown) return gw_front_unknown_like(L, op == GW_OP_SUB ? GW_T_I64 : GW_T_BOOL, unknown);
    if (gw_front_leads_to_device(L, x) && gw_front_leads_to_device(L, y))
        return gw_front_device_compare(L, x, y, op);
    if (equality && (x->kind != GW_PLACE_CHOICE || y->kind != GW_PLACE_CHOICE)) {
        gw_value same = is_one_of(L, x, y);
        return same && op == GW_OP_NE ? gw_unary(&L->b, GW_OP_NOT, same) : same;
    }
    if (x->kind != GW_PLACE_CHOICE || y->kind != GW_PLACE_CHOICE) return compare_offsets(L, x, y, op);
    gw_targets all = {0};
    gw_front_targets_add(L, &all, x);
    gw_value v = 0, same = 0;
    if (gw_front_targets_in_order(L, &all, x) && gw_front_targets_in_order(L, &all, y) &&
        y->count == all.count) {
        same = gw_binary(&L->b, GW_OP_EQ, x->index[0], y->index[0]);
        for (uint32_t i = 0; i < all.count; i++) {
            gw_value is = gw_binary(&L->b, GW_OP_EQ, x->index[0], gw_int(&L->b, GW_T_I32, i));
            gw_value here = compare_offsets(L, &L->candidates.at[x->slot + i], &L->candidates.at[y->slot + i],
                                            op == GW_OP_NE ? GW_OP_EQ : op);
            if (i && here) here = gw_select(&L->b, is, here, v);
            v = here;
            if (!v) break;
        }
    }
    gw_front_targets_free(&all);
    if (v && equality) v = gw_binary(&L->b, GW_OP_AND, same, v);
    return v && op == GW_OP_NE ? gw_unary(&L->b, GW_OP_NOT, v) : v;
}

/* ---- c ? x : y of two variables ---- */
gw_place gw_front_settle(gw_lowering *L, uint32_t pointer, gw_place copy) {
    uint32_t number = L->slots.at[pointer].value;
    gw_place target = number ? L->pointers.at[number] : (gw_place){0};
    bool several = target.kind == GW_PLACE_TORN || target.kind == GW_PLACE_CHOICE;
    if (!several || !copy.kind) return target;
    copy.read_only = copy.stale = true;
    copy.lvalues = target.kind == GW_PLACE_CHOICE ? number : 0;
    return copy;
}

gw_place gw_front_lvalues(const gw_lowering *L, gw_place place) {
    return place.stale && place.lvalues ? L->pointers.at[place.lvalues] : place;
}
