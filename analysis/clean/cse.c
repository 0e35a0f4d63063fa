/*
 * cse.c - equal pure values computed once.
 *
 * One walk in dominance order: a value found inside a region is forgotten when the region ends, so a
 * replacement always dominates its uses. Pure ops only; loads are forward.c's.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

typedef struct table {
    gw_func *f;
    gw_op *slots;
    uint32_t mask;
    GW_VEC(uint32_t) filled; /* slots in order of filling; a region's are emptied at its end */
    gw_value_map map;
    bool changed;
} table;

static bool is_commutative(uint16_t code) {
    switch (code) {
    case GW_OP_ADD:
    case GW_OP_MUL:
    case GW_OP_AND:
    case GW_OP_OR:
    case GW_OP_XOR:
    case GW_OP_EQ:
    case GW_OP_NE:
    case GW_OP_IMIN:
    case GW_OP_IMAX: return true;
    default: return false;
    }
}

static gw_value renamed(const table *t, gw_value v) {
    gw_value to = gw_map_get(&t->map, v);
    return to ? to : v;
}

static uint32_t mix(uint32_t h, uint32_t x) { return (h ^ x) * 0x9E3779B1u + (h >> 15); }

static uint32_t hash_op(const table *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->f, op);
    uint32_t h = mix(mix(mix(17, o->code), o->attr), gw_typeof(t->f, o->first_result));
    if (o->code == GW_OP_CONST) {
        uint64_t bits;
        memcpy(&bits, &o->imm, sizeof bits);
        h = mix(mix(h, (uint32_t)bits), (uint32_t)(bits >> 32));
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(t->f, op, i);
        if (is_commutative(o->code)) sum += v * 0x85EBCA6Bu;
        else h = mix(h, v);
    }
    return mix(h, sum);
}

static bool equal_ops(const table *t, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(t->f, x), *b = gw_op_at(t->f, y);
    if (a->code != b->code || a->attr != b->attr || a->flags != b->flags || a->operands != b->operands ||
        a->path != b->path)
        return false;
    if (gw_typeof(t->f, a->first_result) != gw_typeof(t->f, b->first_result)) return false;
    if (a->code == GW_OP_CONST) return memcmp(&a->imm, &b->imm, sizeof a->imm) == 0;
    bool same = true;
    for (uint32_t i = 0; i < a->operands; i++) same &= gw_operand(t->f, x, i) == gw_operand(t->f, y, i);
    if (same || !is_commutative(a->code)) return same;
    return gw_operand(t->f, x, 0) == gw_operand(t->f, y, 1) && gw_operand(t->f, x, 1) == gw_operand(t->f, y, 0);
}

static void visit_pure(table *t, gw_op op) {
    uint32_t i = hash_op(t, op) & t->mask;
    while (t->slots[i] && !equal_ops(t, t->slots[i], op)) i = (i + 1) & t->mask;
    if (!t->slots[i]) {
        t->slots[i] = op;
        gw_push(&t->filled, i);
        return;
    }
    gw_value old = gw_result(t->f, op, 0), now = gw_result(t->f, t->slots[i], 0);
    if (!gw_value_at(t->f, now)->name) gw_value_at(t->f, now)->name = gw_value_at(t->f, old)->name;
    gw_map_set(&t->map, old, now);
    gw_op_remove(t->f, op);
    t->changed = true;
}

/* Linear probing: slots must be emptied in reverse order of filling, which a scope's end does. */
static void walk(table *t, gw_region r) {
    uint32_t mark = t->filled.count;
    for (gw_op op = gw_first(t->f, r), next; op; op = next) {
        next = gw_next(t->f, op);
        const gw_op_data *o = gw_op_at(t->f, op);
        for (uint32_t i = 0; i < o->operands; i++)
            gw_set_operand(t->f, op, i, renamed(t, gw_operand(t->f, op, i)));
        if (gw_op_rows[o->code].effect == GW_EFFECT_PURE) visit_pure(t, op);
        else
            for (uint32_t i = 0; i < gw_op_at(t->f, op)->regions; i++) walk(t, gw_op_at(t->f, op)->region[i]);
    }
    while (t->filled.count > mark) t->slots[t->filled.at[--t->filled.count]] = 0;
}

/* Constants stand at the function's entry, where every region sees them: an index or step that is constant
 * is then invariant to every test for visibility. */
static void hoist_constants(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->code == GW_OP_CONST && o->parent != f->entry)
            gw_op_move(f, op, f->entry, gw_first(f, f->entry));
    }
}

bool gw_cse(gw_func *f) {
    hoist_constants(f);
    table t = {.f = f};
    uint32_t size = 64;
    while (size < f->ops.count * 2) size *= 2;
    t.mask = size - 1;
    t.slots = gw_alloc(size * sizeof *t.slots);
    walk(&t, f->entry);
    free(t.slots);
    gw_vec_free(&t.filled);
    gw_map_free(&t.map);
    return t.changed;
}
