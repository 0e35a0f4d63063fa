/*
 * frontend/statement/counter.c - which loops count: for (i = lo; i < hi; i += step).
 *
 * Read off the trial's IR, not the source text. The condition must compare a slot that an iteration steps once
 * (possibly converted to a wider integer; the slot's value at the end of the iteration tells) with a bound that
 * is the same in every iteration: made of values from before the loop, slots that the loop does not set, and
 * loads of objects that it does not store to. The increment must add or subtract a step of the same kind. The
 * direction must agree with the comparison; what could wrap around is not counted. Bound and step are kept as
 * small graphs and made again before the loop.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/statement/statement.h"
#include "analysis/ir/query.h"

static bool sets(const gw_slot_changes *list, uint32_t slot) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i].slot == slot) return true;
    return false;
}

static bool is_arg(const gw_trial *t, gw_value v) {
    return v >= t->first_arg && v < t->first_arg + t->args.count;
}

static bool stored(const gw_lowering *L, const gw_trial *t, gw_object o) {
    for (uint32_t i = t->first_store; i < L->stores.count; i++)
        if (L->stores.at[i] == o) return true;
    return false;
}

/* A file-scope variable is found again by its declaration; any other object that the trial made is gone. */
static bool keep_object(gw_lowering *L, const gw_trial *t, gw_node *n) {
    n->global = clang_getNullCursor();
    bool global = n->op.code == GW_OP_LOAD && gw_object_at(L->f, n->op.object)->kind == GW_OBJECT_GLOBAL;
    if (!global && (n->op.code != GW_OP_LOAD || n->op.object < t->first_object)) return true;
    if (gw_object_at(L->f, n->op.object)->kind == GW_OBJECT_SHARED) return false;
    for (uint32_t i = 0; i < L->globals.count; i++)
        if (L->globals.at[i].object == n->op.object) n->global = L->globals.at[i].decl;
    return !clang_Cursor_isNull(n->global);
}

/* Keeps how v is made; false if it is not the same in every iteration. */
static bool keep(gw_lowering *L, gw_trial *t, gw_discovery *d, gw_value v, uint32_t *reference) {
    if (v < t->first_value) {
        d->borrows |= v >= L->trial_values;
        *reference = v;
        return true;
    }
    gw_node n = {.slot = UINT32_MAX, .type = gw_typeof(L->f, v), .global = clang_getNullCursor()};
    if (is_arg(t, v)) {
        gw_trial_arg a = t->args.at[v - t->first_arg];
        if (a.index == GW_OF_CHOICE) return false;
        if (sets(&d->sets, a.slot)) return false;
        n.slot = a.slot, n.index = a.index;
    } else {
        gw_op op = gw_value_at(L->f, v)->op;
        if (!op) return false;
        n.op = *gw_op_at(L->f, op);
        bool load = n.op.code == GW_OP_LOAD &&
                    (gw_path_asks(gw_cstr(L->session, n.op.path)) || !stored(L, t, n.op.object));
        bool pure = gw_op_rows[n.op.code].effect == GW_EFFECT_PURE && n.op.results == 1;
        if ((!load && !pure) || n.op.operands > GW_PLACE_INDICES || !keep_object(L, t, &n)) return false;
        n.operands = n.op.operands;
        for (uint32_t i = 0; i < n.operands; i++)
            if (!keep(L, t, d, gw_operand(L->f, op, i), &n.operand[i])) return false;
    }
    *reference = GW_NODE | d->nodes.count;
    gw_push(&d->nodes, n);
    return true;
}

static gw_op cast_of(const gw_lowering *L, gw_value v) {
    gw_op op = gw_value_at(L->f, v)->op;
    return op && gw_op_at(L->f, op)->code == GW_OP_CAST ? op : 0;
}

/* The slot that v is the unknown value of, directly or converted to an integer at least as wide. */
static bool counter_of(const gw_lowering *L, const gw_trial *t, gw_value v, uint32_t *slot) {
    gw_op cast = cast_of(L, v);
    gw_value inner = cast ? gw_operand(L->f, cast, 0) : v;
    if (!is_arg(t, inner)) return false;
    gw_trial_arg a = t->args.at[inner - t->first_arg];
    gw_type from = gw_typeof(L->f, inner), to = gw_typeof(L->f, v);
    if (a.index != UINT32_MAX) return false;
    if (!gw_type_is_integer(from) || !gw_type_is_integer(to) || gw_type_bits(from) < 32) return false;
    *slot = a.slot;
    return gw_type_bits(to) >= gw_type_bits(from);
}

/* The increment: slot + step or slot - step, in the slot's type or in one of at least its width. */
static bool find_step(gw_lowering *L, gw_trial *t, gw_discovery *d, gw_value *step) {
    gw_value now = L->slots.at[d->counter].value;
    gw_op cast = cast_of(L, now);
    if (cast && gw_type_bits(gw_typeof(L->f, gw_operand(L->f, cast, 0))) < gw_type_bits(gw_typeof(L->f, now)))
        return false;
    gw_op op = gw_value_at(L->f, cast ? gw_operand(L->f, cast, 0) : now)->op;
    if (!op || gw_type_is_float(gw_typeof(L->f, gw_result(L->f, op, 0)))) return false;
    uint16_t code = gw_op_at(L->f, op)->code;
    if (code != GW_OP_ADD && code != GW_OP_SUB) return false;
    d->subtract = code == GW_OP_SUB;
    for (uint32_t i = 0; i < (d->subtract ? 1u : 2u); i++) {
        uint32_t slot;
        if (!counter_of(L, t, gw_operand(L->f, op, i), &slot) || slot != d->counter) continue;
        *step = gw_operand(L->f, op, 1 - i);
        return true;
    }
    return false;
}

static bool keep_zero(gw_discovery *d) {
    d->bound = GW_NODE | d->nodes.count;
    gw_push(&d->nodes, ((gw_node){.op.code = GW_OP_CONST, .type = d->type, .slot = UINT32_MAX}));
    return true;
}

/* Whether the direction fits the comparison, so that the loop ends without wrapping around. */
static bool directed(const gw_lowering *L, gw_discovery *d, gw_value step, gw_value bound) {
    int64_t n = 0, end = 0;
    bool to_zero = !bound || (gw_const_int(L->f, bound, &end) && end == 0);
    bool known = gw_const_int(L->f, step, &n);
    bool has_sign = gw_type_is_signed(d->type), counter_sign = gw_type_is_signed(L->slots.at[d->counter].type);
    if (known && n < 0) { /* i += -1 */
        if (n == INT64_MIN || !gw_type_is_signed(gw_typeof(L->f, step))) return false;
        n = -n;
    } else if (known && (n == 0 || n > INT32_MAX)) { /* += 4294967295u counts down */
        return false;
    }
    int64_t raw = 0;
    bool down = d->subtract != (gw_const_int(L->f, step, &raw) && raw < 0);
    if (d->compare == GW_OP_NE) {
        if (!known || n != 1 || (!has_sign && down && !to_zero)) return false;
        if (has_sign || down) d->compare = down ? GW_OP_GT : GW_OP_LT;
    }
    bool wants_down = d->compare == GW_OP_GT || d->compare == GW_OP_GE;
    if (down != wants_down) return false;
    if (!down || has_sign) return !down || counter_sign;
    d->widened = known && n == 1 && d->compare == GW_OP_GT && gw_type_bits(d->type) == 32;
    return d->widened;
}

/* y = 0: the bound is zero (a number as the condition). */
static bool find(gw_lowering *L, gw_trial *t, gw_discovery *d, gw_value x, gw_value y, gw_opcode compare) {
    gw_value step = 0;
    uint32_t slot;
    d->nodes.count = 0;
    if (!counter_of(L, t, x, &slot) || !sets(&d->sets, slot)) return false;
    if (d->steps_in_condition && slot != d->counter) return false;
    d->counter = slot;
    d->compare = compare;
    d->type = gw_typeof(L->f, x);
    if (!find_step(L, t, d, &step) || !directed(L, d, step, y)) return false;
    if (y ? !keep(L, t, d, y, &d->bound) : !keep_zero(d)) return false;
    if (!keep(L, t, d, step, &d->step)) return false;
    d->increment_matters = t->increment_acts;
    for (uint32_t i = 0; i < t->increment_sets.count; i++)
        d->increment_matters |= t->increment_sets.at[i].slot != d->counter;
    return true;
}

void gw_front_counter_find(gw_lowering *L, gw_trial *t, gw_discovery *d) {
    gw_op op = gw_value_at(L->f, t->condition)->op;
    if (!op || t->condition < t->first_value) return;
    gw_opcode code = (gw_opcode)gw_op_at(L->f, op)->code;
    if (code == GW_OP_CAST) d->counted = find(L, t, d, gw_operand(L->f, op, 0), 0, GW_OP_NE);
    if (code != GW_OP_LT && code != GW_OP_LE && code != GW_OP_GT && code != GW_OP_GE && code != GW_OP_NE)
        return;
    gw_value x = gw_operand(L->f, op, 0), y = gw_operand(L->f, op, 1);
    d->counted = find(L, t, d, x, y, code) || find(L, t, d, y, x, gw_mirrored(code));
}

static gw_value make(gw_lowering *L, const gw_node *n, const gw_value *operand) {
    const gw_op_data *o = &n->op;
    gw_object object = o->object;
    gw_place p;
    switch (o->code) {
    case GW_OP_CONST:
        return gw_type_is_float(n->type) ? gw_real(&L->b, n->type, o->imm.f) : gw_int(&L->b, n->type, o->imm.i);
    case GW_OP_SPECIAL:
        return gw_special_value(&L->b, (gw_special)(o->attr / 4), o->attr % 4u);
    case GW_OP_CAST:
        return gw_cast(&L->b, n->type, operand[0]);
    case GW_OP_LOAD:
        if (!clang_Cursor_isNull(n->global)) p = gw_front_global(L, n->global), object = p.object;
        return gw_load(&L->b, object, o->path, operand, n->operands);
    default:
        if (o->flags || n->operands != 2)
            return gw_pure(&L->b, (gw_opcode)o->code, n->type, o->flags, operand, n->operands);
        return gw_binary(&L->b, (gw_opcode)o->code, operand[0], operand[1]);
    }
}

void gw_front_counter_replay(gw_lowering *L, const gw_discovery *d, gw_value *bound, gw_value *step) {
    gw_value *made = gw_alloc((d->nodes.count + 1) * sizeof *made);
    gw_loc loc = L->b.loc;
    for (uint32_t i = 0; i < d->nodes.count; i++) {
        const gw_node *n = &d->nodes.at[i];
        if (n->slot != UINT32_MAX) {
            if (n->index == UINT32_MAX)
                made[i] = gw_front_slot_value(L, n->slot);
            else
                made[i] = gw_cast(&L->b, n->type, L->pointers.at[L->slots.at[n->slot].value].index[n->index]);
            continue;
        }
        gw_value operand[GW_PLACE_INDICES];
        for (uint32_t k = 0; k < n->operands; k++)
            operand[k] = n->operand[k] & GW_NODE ? made[n->operand[k] & (GW_NODE - 1)] : n->operand[k];
        L->b.loc = n->op.loc;
        made[i] = make(L, n, operand);
    }
    *bound = d->bound & GW_NODE ? made[d->bound & (GW_NODE - 1)] : d->bound;
    *step = d->step & GW_NODE ? made[d->step & (GW_NODE - 1)] : d->step;
    L->b.loc = loc;
    free(made);
}
