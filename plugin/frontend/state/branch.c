/*
 * frontend/state/branch.c - branches: regions that are lowered apart and then joined by an IF.
 *
 * A branch starts from the slots as they are, and ends with the list of slots that it changed; the slots are
 * then put back, so the other branch starts from the same state. Joining yields, for each slot that differs,
 * one result. A pointer is joined index by index if both sides lead into one object, and becomes a choice with
 * a selector otherwise (frontend/place/choice.c).
 */
#include "plugin/frontend/state/state.h"

#include <stdlib.h>

/* Whether something that follows can ask for the exit: a statement is left in a list in its construct. */
static bool is_exit_needed(const gw_lowering *L, uint32_t slot) {
    for (uint32_t i = L->exits.count; i-- > 0;) {
        if (L->exits.at[i].slot != slot) continue;
        if (L->exits.at[i].kind == GW_EXIT_CATCH) return true; /* its handlers ask */
        for (uint32_t k = L->exits.at[i].depth; k < L->lists.count; k++)
            if (L->lists.at[k]) return true;
        return false;
    }
    return false;
}

gw_branch gw_front_branch_begin(gw_lowering *L) {
    gw_branch b = {.region = gw_region_new(L->f, 0), .outer = L->b.region, .mark = L->journal.count};
    b.limit = L->slots.count;
    b.stores = L->stores.count;
    b.outer_dead = L->dead, b.outer_stopped = L->stopped;
    L->b.region = b.region;
    L->dead = L->stopped = false;
    return b;
}

void gw_front_branch_end(gw_lowering *L, gw_branch *branch) {
    if (L->b.region != branch->region) gw_front_refuse_unthrown(L);
    gw_front_slot_changes(L, branch->mark, branch->limit, &branch->changes);
    gw_front_slot_rollback(L, branch->mark);
    branch->dead = L->dead, branch->stopped = L->stopped;
    L->dead = branch->outer_dead, L->stopped = branch->outer_stopped;
    L->b.region = branch->outer;
}

void gw_front_branch_resume(gw_lowering *L, gw_branch *branch) {
    for (uint32_t i = 0; i < branch->changes.count; i++)
        gw_front_slot_set(L, branch->changes.at[i].slot, branch->changes.at[i].value);
    branch->changes.count = 0;
    L->b.region = branch->region;
    L->dead = branch->dead, L->stopped = branch->stopped;
}

void gw_front_attach(gw_lowering *L, gw_op op, gw_region region) {
    gw_op_data *o = gw_op_at(L->f, op);
    o->region[o->regions++] = region;
    gw_region_at(L->f, region)->parent = op;
}

/* One slot at the join: its value on both sides, and the results that it takes. */
typedef struct joined {
    uint32_t slot, side[2];
    uint32_t first, count; /* yields */
    gw_targets targets;    /* of a pointer, */
    GW_VEC(gw_value) same; /* and its values: a constant on both sides, or 0 for the next result */
    bool unset;            /* a pointer that one side leaves unset */
} joined;
typedef struct join {
    GW_VEC(joined) slots;
    GW_VEC(gw_value) yields[2];
    gw_region region[2];
} join;

static uint32_t value_in(gw_lowering *L, const gw_branch *b, uint32_t slot) {
    for (uint32_t i = 0; i < b->changes.count; i++)
        if (b->changes.at[i].slot == slot) return b->changes.at[i].value;
    return L->slots.at[slot].value;
}

/* The side does not come back, so that the slot is what the other one leaves. */
static void forget_side(gw_lowering *L, joined *s, int side) {
    const gw_slot_data *slot = &L->slots.at[s->slot];
    const uint32_t left = s->side[!side];
    int64_t n;
    if (left == slot->value) s->side[side] = left;
    else if (slot->kind != GW_SLOT_POINTER && left && gw_const_int(L->f, left, &n))
        s->side[0] = s->side[1] = gw_int(&L->b, slot->type, n);
    else s->side[side] = 0;
}

static void add_slot(gw_lowering *L, join *j, uint32_t slot, const gw_branch *yes, const gw_branch *no) {
    for (uint32_t i = 0; i < j->slots.count; i++)
        if (j->slots.at[i].slot == slot) return;
    if (L->slots.at[slot].kind == GW_SLOT_EXIT && !is_exit_needed(L, slot)) return;
    joined s = {.slot = slot};
    s.side[0] = value_in(L, yes, slot);
    s.side[1] = value_in(L, no, slot);
    if (yes->stopped != no->stopped) forget_side(L, &s, no->stopped);
    gw_push(&j->slots, s);
}

/* Adds one result to the IF: both values get one type in their own regions. */
static void add_yield(gw_lowering *L, join *j, gw_type type, gw_value x, gw_value y) {
    gw_value side[2] = {x, y};
    gw_region outer = L->b.region;
    for (int i = 0; i < 2; i++) {
        L->b.region = j->region[i];
        gw_push(&j->yields[i], side[i] ? gw_cast(&L->b, type, side[i]) : gw_front_zero(L, type));
    }
    L->b.region = outer;
}

static gw_place pointer_at(gw_lowering *L, uint32_t number) {
    return number ? L->pointers.at[number] : (gw_place){0};
}

static bool same_indices(const gw_place *x, const gw_place *y) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->index[i] != y->index[i]) return false;
    return true;
}

/* Both sides lead to places of one object: their offsets are joined one by one, in their own types. */
static void yield_offsets(gw_lowering *L, join *j, joined *s, const gw_place *x, const gw_place *y) {
    s->targets.at[0] = *x;
    if (x->kind != GW_PLACE_MEMORY || same_indices(x, y)) return;
    for (uint32_t i = 0; i < x->count; i++) {
        gw_type type = gw_typeof(L->f, x->index[i]);
        if (type != gw_typeof(L->f, y->index[i])) type = GW_T_I64;
        add_yield(L, j, type, x->index[i], y->index[i]);
        s->count++;
    }
}

static bool equal_constants(gw_lowering *L, gw_value x, gw_value y, int64_t *n) {
    int64_t m;
    return x && y && gw_const_int(L->f, x, n) && gw_const_int(L->f, y, &m) && *n == m;
}

static void yield_choice(gw_lowering *L, join *j, joined *s, const gw_place *x, const gw_place *y) {
    uint32_t width = gw_front_targets_width(&s->targets);
    gw_value *values[2] = {gw_alloc((width + 1) * sizeof(gw_value)), gw_alloc((width + 1) * sizeof(gw_value))};
    gw_region outer = L->b.region;
    for (int i = 0; i < 2; i++) {
        L->b.region = j->region[i];
        gw_front_targets_values(L, &s->targets, i ? y : x, values[i]);
    }
    L->b.region = outer;
    for (uint32_t i = 0; i < width; i++) {
        const gw_type type = gw_typeof(L->f, values[0][i]);
        int64_t n;
        const bool is_same = equal_constants(L, values[0][i], values[1][i], &n);
        gw_push(&s->same, is_same ? gw_int(&L->b, type, n) : 0);
        if (is_same) continue;
        add_yield(L, j, type, values[0][i], values[1][i]);
        s->count++;
    }
    free(values[0]);
    free(values[1]);
}

static void yield_pointer(gw_lowering *L, join *j, joined *s) {
    gw_place x = pointer_at(L, s->side[0]), y = pointer_at(L, s->side[1]);
    gw_front_targets_add(L, &s->targets, &x);
    gw_front_targets_add(L, &s->targets, &y);
    if (s->targets.torn) return;
    if (x.kind == GW_PLACE_NONE || y.kind == GW_PLACE_NONE) s->unset = true;
    if (s->targets.count == 1 && !s->unset)
        yield_offsets(L, j, s, &x, &y);
    else
        yield_choice(L, j, s, &x, &y);
}

static void yield_slots(gw_lowering *L, join *j) {
    for (uint32_t i = 0; i < j->slots.count; i++) {
        joined *s = &j->slots.at[i];
        const gw_slot_data *slot = &L->slots.at[s->slot];
        int64_t n;
        s->first = j->yields[0].count;
        if (s->side[0] == s->side[1]) continue;
        if (slot->kind == GW_SLOT_POINTER) {
            yield_pointer(L, j, s);
        } else if (equal_constants(L, s->side[0], s->side[1], &n)) {
            s->side[0] = s->side[1] = gw_int(&L->b, slot->type, n);
        } else {
            add_yield(L, j, slot->type, s->side[0], s->side[1]);
            s->count = 1;
        }
    }
}

static void set_joined(gw_lowering *L, const join *j, gw_op op) {
    for (uint32_t i = 0; i < j->slots.count; i++) {
        const joined *s = &j->slots.at[i];
        bool pointer = L->slots.at[s->slot].kind == GW_SLOT_POINTER;
        if (s->side[0] == s->side[1]) {
            gw_front_slot_set(L, s->slot, s->side[0]);
        } else if (pointer) {
            gw_value *values = gw_alloc((s->count + s->same.count + 1) * sizeof *values);
            uint32_t given = 0;
            for (uint32_t k = 0; k < (s->same.count ? s->same.count : s->count); k++) {
                const gw_value same = s->same.count ? s->same.at[k] : 0;
                values[k] = same ? same : gw_result(L->f, op, s->first + given++);
            }
            bool whole = s->targets.count == 1 && !s->count && !s->same.count && !s->targets.torn;
            gw_place t = whole ? s->targets.at[0] : gw_front_targets_place(L, &s->targets, values);
            gw_front_slot_set(L, s->slot, gw_front_pointer_new(L, t));
            free(values);
        } else {
            gw_front_slot_set(L, s->slot, gw_result(L->f, op, s->first));
        }
    }
}

void gw_front_branch_join(gw_lowering *L, gw_value condition, gw_branch *yes, gw_branch *no) {
    join j = {.region = {yes->region, no->region}};
    gw_region outer = L->b.region;
    gw_branch *sides[2] = {yes, no};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < sides[i]->changes.count; k++)
            add_slot(L, &j, sides[i]->changes.at[k].slot, yes, no);
    yield_slots(L, &j);
    for (int i = 0; i < 2; i++) {
        L->b.region = j.region[i];
        gw_yield(&L->b, j.yields[i].at, j.yields[i].count);
    }
    L->b.region = outer;
    gw_op op = gw_emit(&L->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    if (yes->rest || no->rest) gw_op_at(L->f, op)->flags |= GW_OP_REST;
    gw_front_attach(L, op, yes->region);
    gw_front_attach(L, op, no->region);
    for (uint32_t i = 0; i < j.yields[0].count; i++)
        gw_op_add_result(L->f, op, gw_typeof(L->f, j.yields[0].at[i]), 0);
    set_joined(L, &j, op);
    L->dead = L->dead || (yes->dead && no->dead);
    L->stopped = L->stopped || (yes->stopped && no->stopped);
    for (uint32_t i = 0; i < j.slots.count; i++) {
        gw_front_targets_free(&j.slots.at[i].targets);
        gw_vec_free(&j.slots.at[i].same);
    }
    gw_vec_free(&j.slots);
    gw_vec_free(&j.yields[0]);
    gw_vec_free(&j.yields[1]);
    gw_vec_free(&yes->changes);
    gw_vec_free(&no->changes);
}

void gw_front_branch_either(gw_lowering *L, gw_value condition, const CXCursor arms[2],
                            void (*lower)(gw_lowering *L, CXCursor arm)) {
    gw_branch side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = gw_front_branch_begin(L);
        lower(L, arms[i]);
        gw_front_branch_end(L, &side[i]);
    }
    gw_front_branch_join(L, condition, &side[0], &side[1]);
}

static bool cheap_op(gw_opcode code) {
    switch (code) {
    case GW_OP_CONST:
    case GW_OP_SPECIAL:
    case GW_OP_ADD:
    case GW_OP_SUB:
    case GW_OP_MUL:
    case GW_OP_NEG:
    case GW_OP_AND:
    case GW_OP_OR:
    case GW_OP_XOR:
    case GW_OP_NOT:
    case GW_OP_EQ:
    case GW_OP_NE:
    case GW_OP_LT:
    case GW_OP_LE:
    case GW_OP_GT:
    case GW_OP_GE:
    case GW_OP_ISNAN:
    case GW_OP_ISINF:
    case GW_OP_ISFINITE:
    case GW_OP_SIGNBIT:
    case GW_OP_FABS:
    case GW_OP_IMIN:
    case GW_OP_IMAX:
        return true;
    default:
        return false;
    }
}

/* May be computed where the source does not ask for it. A number may be too large for an integer to take it;
 * integers are taken not to overflow there. */
static bool is_cheap(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code != GW_OP_CAST) return cheap_op((gw_opcode)o->code);
    gw_type to = gw_typeof(f, gw_result(f, op, 0));
    return gw_type_is_float(to) || to == GW_T_BOOL || !gw_type_is_float(gw_typeof(f, gw_operand(f, op, 0)));
}

bool gw_front_branch_cheap(gw_lowering *L, const gw_branch *branch) {
    if (branch->changes.count || branch->dead || L->stores.count != branch->stores) return false;
    for (gw_op op = gw_first(L->f, branch->region); op; op = gw_next(L->f, op))
        if (!is_cheap(L->f, op)) return false;
    return true;
}

bool gw_front_branch_constant(gw_lowering *L, const gw_branch *branch) {
    if (!gw_front_branch_cheap(L, branch)) return false;
    for (gw_op op = gw_first(L->f, branch->region); op; op = gw_next(L->f, op))
        if (gw_op_at(L->f, op)->code != GW_OP_CONST) return false;
    return true;
}

void gw_front_branch_splice(gw_lowering *L, gw_branch *branch) {
    for (gw_op op = gw_first(L->f, branch->region), next; op; op = next) {
        next = gw_next(L->f, op);
        gw_op_move(L->f, op, L->b.region, 0);
    }
    gw_vec_free(&branch->changes);
}
