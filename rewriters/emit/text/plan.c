/*
 * emit/text/plan.c - which values are printed inside their user's expression and which get a name.
 *
 * Requires the marks of emit/text/need.c. A value is printed in place if it is pure or a load, has one user,
 * that user is not in a loop which the value is outside of, and the line stays short. Sound because moving a
 * pure expression to its only use changes nothing (its operands are single assignments; emit/text/variable.c
 * keeps a shared variable from changing in between), and a load moves only where no op in between, in the order
 * of the text, may write its object. A user in a branch is fine: the value is then computed less often.
 */
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_EXPRESSION = 76,
    LONGEST_NAMED_INLINE = 26, /* a user's variable longer than this keeps its name */
    LONGEST_CHOICE = 60,       /* c ? a : b */
    WORTH_CUTTING = 12,
    NAME_LENGTH = 6
};

static bool is_leaf_code(uint16_t code) {
    return code == GW_OP_CONST || code == GW_OP_SPECIAL || code == GW_OP_ADDRESS;
}

static bool may_be_inline(const gw_emit_plan *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    if (o->code == GW_OP_IF) return p->ops[op].expression;
    if (o->flags & GW_OP_EARLY) return false; /* stands where the schedule pass put it */
    if (o->code == GW_OP_ADDRESS) return true;
    if (o->code == GW_OP_LOAD) return !(p->keep_shadow_loads && gw_emit_is_claimed(p->f, op));
    return gw_op_rows[o->code].effect == GW_EFFECT_PURE;
}

/* Is every step from the user's region out to `from` a branch? */
static bool no_loop_between(const gw_func *f, gw_region r, gw_region from) {
    while (r != from) {
        gw_op parent = gw_region_at(f, r)->parent;
        if (!parent || gw_op_at(f, parent)->code != GW_OP_IF) return false;
        r = gw_op_at(f, parent)->parent;
    }
    return true;
}

static bool user_allows(const gw_emit_plan *p, gw_value v) {
    const gw_func *f = p->f;
    const gw_emit_value *d = &p->values[v];
    const gw_op_data *user = gw_op_at(f, d->user);
    if (!no_loop_between(f, user->parent, gw_value_region(f, v))) return false;
    bool each_time = user->code == GW_OP_FOR && (d->user_index == 1 || d->user_index == 2);
    if (each_time && d->heavy) return false;
    bool twice = p->keep_minmax_operands && (user->code == GW_OP_IMIN || user->code == GW_OP_IMAX);
    return !twice;
}

/* ---- first walk: lengths, in the order of the text ---- */
static uint32_t name_length(const gw_func *f, gw_value v) {
    gw_str name = gw_value_at(f, v)->name;
    return name ? (uint32_t)strlen(gw_cstr(f->session, name)) : NAME_LENGTH;
}

static uint32_t printed_length(const gw_emit_plan *p, gw_value v) {
    return p->values[v].form == GW_EMIT_INLINE ? p->values[v].length : name_length(p->f, v);
}

static uint32_t own_length(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    switch (o->code) {
    case GW_OP_CONST:
        return 4;
    case GW_OP_SPECIAL:
        return 10;
    case GW_OP_TEXTURE:
    case GW_OP_TEXTURE_SLOPE:
    case GW_OP_TEXTURE_CELL:
    case GW_OP_TEXTURE_WEIGHT:
    case GW_OP_TEXTURE_READ:
        return 24;
    case GW_OP_CAST:
        return (uint32_t)strlen(gw_type_c(f->session, gw_typeof(f, gw_result(f, op, 0)))) + 2;
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_ACCUM:
    case GW_OP_ATOMIC:
    case GW_OP_SETTLE:
        return (uint32_t)(strlen(gw_cstr(f->session, gw_object_at(f, o->object)->name)) +
                          strlen(gw_cstr(f->session, o->path)));
    default:
        return gw_op_rows[o->code].operands == 2 && gw_op_rows[o->code].spelling == GW_SPELLED_INFIX ? 3 : 6;
    }
}

/* Names the longest operands until the line is short enough; returns its length. */
static uint32_t cut_operands(gw_emit_plan *p, gw_op op) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    /* a line for each operand */
    bool separate = gw_is_loop(f, op) || o->code == GW_OP_YIELD || o->code == GW_OP_RET;
    uint32_t total = own_length(f, op);
    for (;;) {
        uint32_t sum = own_length(f, op), longest = 0;
        gw_value cut = 0;
        for (uint32_t i = 0; i < o->operands; i++) {
            gw_value v = gw_operand(f, op, i);
            uint32_t length = printed_length(p, v) + (o->operands > 2 ? 2 : 0);
            sum += length;
            if (length > longest && p->values[v].form == GW_EMIT_INLINE && !gw_operand_address(f, op, i))
                longest = length, cut = v;
        }
        total = sum;
        if (separate || sum <= LONGEST_EXPRESSION || longest < WORTH_CUTTING) return total;
        p->values[cut].form = GW_EMIT_NAMED;
    }
}

static bool is_heavy(const gw_emit_plan *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    const gw_opcode code = (gw_opcode)o->code;
    if (code == GW_OP_LOAD || gw_op_is_texture(code) || gw_op_is_function(code)) return true;
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_value v = gw_operand(p->f, op, i);
        if (p->values[v].form == GW_EMIT_INLINE && p->values[v].heavy) return true;
    }
    return o->code == GW_OP_IF;
}

static bool is_choice_arm(const gw_emit_plan *p, gw_region r) {
    gw_op end = gw_region_end(p->f, r);
    for (gw_op op = gw_first(p->f, r); op && op != end; op = gw_next(p->f, op)) {
        if (!p->ops[op].needed) continue;
        if (gw_op_at(p->f, op)->results != 1) return false;
        if (p->values[gw_result(p->f, op, 0)].form != GW_EMIT_INLINE) return false;
    }
    return true;
}

/* A branch with one result and two short, effect-free arms reads best as c ? a : b. */
static void choose_expression(gw_emit_plan *p, gw_op op) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t needed, i = gw_emit_needed_result(p, op, &needed);
    if (o->code != GW_OP_IF || needed != 1) return;
    if (!is_choice_arm(p, o->region[0]) || !is_choice_arm(p, o->region[1])) return;
    uint32_t length = 6 + printed_length(p, gw_operand(f, op, 0));
    for (uint32_t r = 0; r < 2; r++) length += printed_length(p, gw_yielded(f, o->region[r], i));
    if (length > LONGEST_CHOICE) return;
    p->ops[op].expression = true;
    p->values[gw_result(f, op, i)].length = length;
}

/* -x and !x of a variable are no shorter by a name of their own. */
static bool is_sign_of_name(const gw_emit_plan *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    gw_value v = gw_result(p->f, op, 0);
    bool sign = o->code == GW_OP_NEG || (o->code == GW_OP_NOT && gw_typeof(p->f, v) == GW_T_BOOL);
    return sign && !gw_value_at(p->f, v)->name && p->values[gw_operand(p->f, op, 0)].form == GW_EMIT_NAMED;
}

static void measure(gw_emit_plan *p, gw_op op) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    uint32_t length = cut_operands(p, op), needed;
    if (!o->results) return;
    choose_expression(p, op);
    gw_value v = gw_result(f, op, gw_emit_needed_result(p, op, &needed));
    gw_emit_value *d = &p->values[v];
    if (needed != 1 || !may_be_inline(p, op)) return;
    if (o->code != GW_OP_IF) d->length = length;
    d->heavy = is_heavy(p, op);
    bool leaf = is_leaf_code(o->code) || is_sign_of_name(p, op);
    bool long_name = gw_value_at(f, v)->name && d->length > LONGEST_NAMED_INLINE;
    if (leaf || (d->uses == 1 && !long_name && d->length <= LONGEST_EXPRESSION && user_allows(p, v)))
        d->form = GW_EMIT_INLINE;
}

/* ---- second walk, backwards: where inline values are evaluated, and whether loads may move there ---- */
static bool written_between(const gw_emit_plan *p, gw_object object, uint32_t from, uint32_t to) {
    uint32_t low = 0, high = p->writes.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->writes.at[middle].position <= from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < p->writes.count && p->writes.at[low].position < to; low++)
        if (p->writes.at[low].object == object || !p->writes.at[low].object) return true;
    return false;
}

/* Is the op, or a load in its arms, at odds with being evaluated at `at`? */
static bool cannot_move(const gw_emit_plan *p, gw_op op, gw_op at) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_LOAD) return written_between(p, o->object, p->ops[op].position, p->ops[at].position);
    for (uint32_t i = 0; i < o->regions; i++)
        for (gw_op in = gw_first(f, o->region[i]); in; in = gw_next(f, in))
            if (p->ops[in].needed && cannot_move(p, in, at)) return true;
    return false;
}

static gw_op place_of_user(const gw_emit_plan *p, gw_op user) {
    const gw_func *f = p->f;
    const gw_op_data *o = gw_op_at(f, user);
    gw_op parent = gw_region_at(f, o->parent)->parent;
    if (o->code == GW_OP_YIELD && p->ops[parent].expression) return p->ops[parent].at;
    return p->ops[user].at;
}

static void place(gw_emit_plan *p, gw_op op) {
    const gw_func *f = p->f;
    uint32_t needed;
    p->ops[op].at = op;
    if (!gw_op_at(f, op)->results) return;
    gw_value v = gw_result(f, op, gw_emit_needed_result(p, op, &needed));
    if (!needed || p->values[v].form != GW_EMIT_INLINE || is_leaf_code(gw_op_at(f, op)->code)) return;
    gw_op at = place_of_user(p, p->values[v].user);
    if (cannot_move(p, op, at))
        p->values[v].form = GW_EMIT_NAMED;
    else
        p->ops[op].at = at;
}

/* ---- making ---- */
static void note_write(gw_emit_plan *p, gw_op op) {
    const gw_op_data *o = gw_op_at(p->f, op);
    gw_emit_write w = {.position = p->ops[op].position, .object = o->object};
    if (o->code == GW_OP_PUSH || o->code == GW_OP_POP || o->code == GW_OP_RESERVE || o->code == GW_OP_SKIP ||
        o->code == GW_OP_EXPECT)
        return;
    bool meets = gw_op_rows[o->code].effect == GW_EFFECT_MEET;
    if (o->code == GW_OP_CALL || meets) w.object = 0;
    if (meets || gw_op_rows[o->code].effect == GW_EFFECT_WRITE) gw_push(&p->writes, w);
}

static void number(gw_emit_plan *p, gw_region r, uint32_t *next) {
    const gw_func *f = p->f;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        p->ops[op].position = ++*next;
        note_write(p, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            number(p, gw_op_at(f, op)->region[i], next);
        if (!p->ops[op].needed) continue;
        gw_push(&p->order, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++) {
            if (!gw_emit_operand_needed(p, op, i)) continue;
            gw_emit_value *d = &p->values[gw_operand(f, op, i)];
            d->uses++;
            d->user = op;
            d->user_index = i;
        }
    }
}

void gw_emit_plan_make(gw_emit_plan *p, const gw_func *f, bool keep_minmax_operands, bool keep_shadow_loads) {
    *p = (gw_emit_plan){
        .f = f, .keep_minmax_operands = keep_minmax_operands, .keep_shadow_loads = keep_shadow_loads};
    p->values = gw_alloc(f->values.count * sizeof *p->values);
    p->ops = gw_alloc(f->ops.count * sizeof *p->ops);
    gw_push(&p->uses, (gw_emit_use){0});
    gw_emit_need(p);
    uint32_t position = 0;
    number(p, f->entry, &position);
    for (uint32_t i = 0; i < p->order.count; i++)
        measure(p, p->order.at[i]);
    for (uint32_t i = p->order.count; i-- > 0;)
        place(p, p->order.at[i]);
    gw_emit_variables(p);
}

void gw_emit_plan_free(gw_emit_plan *p) {
    free(p->values);
    free(p->ops);
    gw_vec_free(&p->order);
    gw_vec_free(&p->writes);
    gw_vec_free(&p->uses);
    *p = (gw_emit_plan){0};
}
