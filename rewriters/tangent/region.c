/*
 * tangent/region.c - the forward derivative of one region: each op, and beside it its tangent.
 *
 * A formula of deriv.def is linear in g; the tangent of a result is the sum over the operands of the formula
 * with the operand's tangent for g. A value that is not active has no tangent, which stands for zero. Loops
 * carry, and branches yield, the tangents of their active values behind the values themselves. The tangent of
 * a store stands before the store, so that both read memory as it was; an overwritten cell's tangent is
 * overwritten too. Every op stands once, in the order of the source, so memory holds what it held in the
 * primal.
 *
 * In several directions (directions.c) each value has a tangent for each of them, side by side.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "analysis/ir/texture.h"
#include "analysis/ir/warp.h"
#include "rewriters/formula/formula.h"
#include "rewriters/tangent/tangent_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct value_list {
    gw_value *at;
    uint32_t count, room;
} value_list;

static bool is_active(const gw_tangent *t, gw_value primal) { return gw_active_value(&t->activity, primal); }

/* ---- values ---- */
/* c ? x : y, and in *c what is compared there. */
static gw_op choice_of(const gw_func *f, gw_value v, gw_op *c) {
    const gw_op op = gw_made_by(f, v, GW_OP_SELECT);
    *c = op ? gw_value_at(f, gw_operand(f, op, 0))->op : 0;
    return *c && gw_op_at(f, *c)->operands == 2 ? op : 0;
}

/* n * x + n * y is n * (x + y), of a number n. */
static gw_value add_products(gw_builder *b, gw_value x, gw_value y) {
    const gw_op p = gw_made_by(b->f, x, GW_OP_MUL), q = gw_made_by(b->f, y, GW_OP_MUL);
    double n, m;
    if (!p || !q || !gw_const_real(b->f, gw_operand(b->f, p, 0), &n) ||
        !gw_const_real(b->f, gw_operand(b->f, q, 0), &m) || n != m)
        return gw_binary(b, GW_OP_ADD, x, y);
    const gw_value sum = gw_binary(b, GW_OP_ADD, gw_operand(b->f, p, 1), gw_operand(b->f, q, 1));
    return gw_binary(b, GW_OP_MUL, gw_operand(b->f, p, 0), sum);
}

/* (c ? x : 0) + (c ? 0 : y) is c ? x : y; the two conditions are equal because one formula made both. */
static gw_value add_parts(gw_tangent *t, gw_value a, gw_value b) {
    const gw_func *f = t->f;
    gw_op c, d, x = choice_of(f, a, &c), y = choice_of(f, b, &d);
    bool same = x && y && gw_op_at(f, c)->code == gw_op_at(f, d)->code;
    for (uint32_t i = 0; same && i < 2; i++)
        same = gw_operand(f, c, i) == gw_operand(f, d, i);
    if (!same) return add_products(&t->b, a, b);
    const gw_value yes = add_parts(t, gw_operand(f, x, 1), gw_operand(f, y, 1));
    const gw_value no = add_parts(t, gw_operand(f, x, 2), gw_operand(f, y, 2));
    return gw_select(&t->b, gw_operand(f, x, 0), yes, no);
}

static void formula_op(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    if (t->pattern) {
        gw_tangent_depends(t, op, 0);
        return;
    }
    gw_formula_values v = {.result = gw_clone_value(&t->c, o->first_result), .in_branches = t->second};
    for (uint32_t i = 0; i < o->operands && i < 4; i++)
        v.operand[i] = gw_clone_value(&t->c, gw_operand(t->primal, op, i));
    if (gw_tangent_linear_op(t, op, &v)) return;
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        gw_value sum = 0;
        for (uint32_t i = 0; i < o->operands; i++) {
            gw_value operand = gw_operand(t->primal, op, i);
            const char *formula = gw_formula((gw_opcode)o->code, i);
            if (!formula || !gw_tangent_has(t, operand)) continue;
            v.seed = gw_tangent_of(t, operand, lane);
            gw_value part = gw_formula_build(&t->b, formula, &v, gw_typeof(t->primal, operand), o->flags);
            sum = sum ? add_parts(t, sum, part) : part;
        }
        if (sum) gw_tangent_set(t, o->first_result, lane, sum);
    }
}

/* The tangents of a result of a choice, a maximum or minimum (gw_extremum_of) or of SELECT. */
static void choose_tangents(gw_tangent *t, gw_op op, uint32_t result, bool extremum) {
    const gw_value condition = gw_clone_value(&t->c, gw_operand(t->primal, op, 0));
    gw_value side[2], primal[2], of[2];
    for (uint32_t i = 0; i < 2; i++)
        side[i] = gw_extremum_side(t->primal, op, result, i);
    for (uint32_t i = 0; extremum && i < 2; i++)
        primal[i] = gw_clone_value(&t->c, side[i]);
    const gw_value tie = extremum ? gw_binary(&t->b, GW_OP_EQ, primal[0], primal[1]) : 0;
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        for (uint32_t i = 0; i < 2; i++)
            of[i] = gw_tangent_or_zero(t, side[i], lane);
        gw_tangent_set(t, gw_result(t->primal, op, result), lane,
                       extremum ? gw_extremum_share(&t->b, tie, condition, of)
                                : gw_select(&t->b, condition, of[0], of[1]));
    }
}

static void select_op(gw_tangent *t, gw_op op) {
    gw_value x = gw_operand(t->primal, op, 1), y = gw_operand(t->primal, op, 2);
    if (!gw_tangent_has(t, x) && !gw_tangent_has(t, y)) return;
    if (t->pattern)
        gw_tangent_depends(t, op, 1);
    else
        choose_tangents(t, op, 0, gw_extremum_of(t->primal, op, 0));
}

static void cast_op(gw_tangent *t, gw_op op) {
    gw_value operand = gw_operand(t->primal, op, 0), result = gw_result(t->primal, op, 0);
    if (!gw_tangent_has(t, operand) || !gw_type_is_float(gw_typeof(t->primal, result))) return;
    if (t->pattern) {
        gw_tangent_depends(t, op, 0);
        return;
    }
    for (uint32_t lane = 0; lane < t->lanes; lane++)
        gw_tangent_set(t, result, lane,
                       gw_cast(&t->b, gw_typeof(t->primal, result), gw_tangent_of(t, operand, lane)));
}

/* The same lanes exchange the tangents: what they do is linear. */
static void warp_op(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    const gw_value moved = gw_operand(t->primal, op, 1);
    if (!gw_warp_rows[o.attr].transpose || !gw_tangent_has(t, moved)) return;
    gw_value operands[4];
    for (uint32_t i = 0; i < o.operands; i++)
        operands[i] = gw_clone_value(&t->c, gw_operand(t->primal, op, i));
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        operands[1] = gw_tangent_of(t, moved, lane);
        gw_op made = gw_emit(&t->b, GW_OP_WARP, gw_typeof(t->primal, o.first_result), 1, operands, o.operands);
        gw_op_at(t->f, made)->attr = o.attr;
        gw_tangent_set(t, o.first_result, lane, gw_result(t->f, made, 0));
    }
}

/* Texels change by what a fetch from their tangents gives, coordinates along the slope. */
static void texture_op(gw_tangent *t, gw_op op) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    if (t->second)
        gw_diag(t->f->session, GW_DIAG_UNSUPPORTED, o.loc, "a texture fetch, in second derivatives,",
                "read the array itself");
    const gw_fetch fetch = gw_fetch_of(o.attr);
    gw_value operands[GW_MOST_COORDINATES], sum[GW_MOST_DIRECTIONS] = {0};
    for (uint32_t i = 0; i < o.operands; i++)
        operands[i] = gw_clone_value(&t->c, gw_operand(t->primal, op, i));
    if (t->activity.varied_value[gw_operand(t->primal, op, 0)])
        sum[0] = gw_texture_op(&t->b, GW_OP_TEXTURE_READ, GW_T_F32, fetch, operands, o.operands);
    for (uint32_t i = 0; i < gw_texture_rows[fetch.kind].coordinates; i++) {
        const gw_value along = gw_operand(t->primal, op, 1 + i);
        gw_fetch slope_of = fetch;
        slope_of.axis = i;
        if (!gw_tangent_has(t, along)) continue;
        gw_value slope = gw_texture_op(&t->b, GW_OP_TEXTURE_SLOPE, GW_T_F32, slope_of, operands, o.operands);
        for (uint32_t lane = 0; lane < t->lanes; lane++) {
            gw_value part = gw_binary(&t->b, GW_OP_MUL, slope, gw_tangent_of(t, along, lane));
            sum[lane] = gw_joined(&t->b, GW_OP_ADD, sum[lane], part);
        }
    }
    for (uint32_t lane = 0; lane < t->lanes; lane++)
        if (sum[lane]) gw_tangent_set(t, o.first_result, lane, sum[lane]);
}

/* ---- memory ---- */
/* Path and indices of the op's cell in its shadow, of one direction. */
static gw_value *index_of(gw_tangent *t, gw_op op, uint32_t lane, gw_str *path, uint32_t *count) {
    if (t->directions) return gw_tangent_lane_index(t, op, lane, path, count);
    const gw_op_data *o = gw_op_at(t->primal, op);
    const gw_object_data *shadow = gw_object_at(t->f, gw_tangent_shadow(t, o->object, lane));
    bool behind = gw_signature_is_behind(t->f->session, gw_object_at(t->primal, o->object), shadow);
    uint32_t n = gw_index_count(t->primal, op);
    gw_value *index = gw_alloc((n + 2) * sizeof *index);
    if (behind) index[0] = gw_int(&t->b, GW_T_I32, 0);
    for (uint32_t i = 0; i < n; i++)
        index[i + behind] = gw_clone_value(&t->c, gw_operand(t->primal, op, i));
    *path = behind ? gw_signature_prefixed(t->f->session, "[]", o->path) : o->path;
    *count = n + behind;
    return index;
}

/* The cell takes part: a local one's, or one that the request names. */
static bool has_shadow(const gw_tangent *t, gw_op op) {
    gw_object object = gw_op_at(t->primal, op)->object;
    if (!gw_tangent_shadow(t, object, 0)) return false;
    return gw_object_is_inner(gw_object_at(t->primal, object)->kind) || t->roles.input[op] ||
           t->roles.output[op];
}

static void load_op(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    if (!has_shadow(t, op) || !is_active(t, o->first_result)) return;
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        uint32_t count;
        gw_str path;
        gw_value *index = index_of(t, op, lane, &path, &count);
        gw_tangent_set(t, o->first_result, lane,
                       gw_load(&t->b, gw_tangent_shadow(t, o->object, lane), path, index, count));
        free(index);
    }
}

/* Into the cell's tangents, in all directions; an atomic addition where the primal's is. */
static void store_tangents(gw_tangent *t, gw_op op, gw_value value) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    for (uint32_t lane = 0; lane < t->lanes; lane++) {
        uint32_t count;
        gw_str path;
        gw_value *index = index_of(t, op, lane, &path, &count);
        gw_op made = gw_store(&t->b, gw_tangent_shadow(t, o->object, lane), path, index, count,
                              gw_tangent_or_zero(t, value, lane));
        if (o->code == GW_OP_ATOMIC) {
            gw_op_at(t->f, made)->code = GW_OP_ATOMIC;
            gw_op_at(t->f, made)->attr = o->attr;
        }
        free(index);
    }
}

static void store_op(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    gw_value value = gw_operand(t->primal, op, o->operands - 1);
    if (has_shadow(t, op) && gw_type_is_float(gw_typeof(t->primal, value))) store_tangents(t, op, value);
    gw_clone_op(&t->c, op);
}

/* What is added to the cell has its tangent added to the cell's. */
static void atomic_op(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    gw_value value = gw_operand(t->primal, op, o->operands - 1);
    if (gw_tangent_has(t, value) && has_shadow(t, op)) store_tangents(t, op, value);
    gw_clone_op(&t->c, op);
}

void gw_tangent_add_shadow(gw_tangent *t, gw_object primal, uint32_t memory) {
    const gw_object_data x = *gw_object_at(t->primal, primal);
    gw_session *s = t->f->session;
    gw_object made = gw_object_new(t->f, x.kind, gw_tangent_name(t, x.name, memory),
                                   gw_tangent_block_type(t, gw_signature_mirror_type(s, x.type)));
    gw_object_data *d = gw_object_at(t->f, made);
    d->type_text = gw_tangent_block_text(t, gw_signature_mirror_text(s, x.type, x.type_text), d->type);
    d->zeroed = x.zeroed;
    d->sized = x.sized;
    if (!t->second) d->shadow_of = gw_clone_object(&t->c, primal);
    gw_map_set(&t->shadow[memory], primal, made);
}

static void declare_op(gw_tangent *t, gw_op op) {
    gw_object object = gw_op_at(t->primal, op)->object;
    gw_clone_op(&t->c, op);
    if (!gw_active_object(&t->activity, object)) return;
    bool sized = gw_object_at(t->primal, object)->sized;
    gw_value extent = sized ? gw_clone_value(&t->c, gw_operand(t->primal, op, 0)) : 0;
    for (uint32_t memory = 0; memory < gw_tangent_memories(t); memory++) {
        gw_tangent_add_shadow(t, object, memory);
        gw_op declare = gw_emit(&t->b, GW_OP_DECLARE, GW_T_VOID, 0, &extent, sized ? 1 : 0);
        gw_op_at(t->f, declare)->object = gw_map_get(&t->shadow[memory], object);
    }
}

/* ---- calls ---- */
static void clone_call(gw_tangent *t, gw_op op) {
    for (uint32_t i = 0; i < gw_op_at(t->primal, op)->operands; i++)
        if (gw_operand_address(t->primal, op, i)) gw_clone_op(&t->c, gw_operand_address(t->primal, op, i));
    gw_clone_op(&t->c, op);
}

/* A value, or an address with its indices. */
typedef struct argument {
    gw_value value;
    gw_object object;
    gw_str path;
    gw_value *index;
    uint32_t count;
    uint16_t flags;
} argument;
typedef GW_VEC(argument) argument_list;

static argument primal_argument(gw_tangent *t, gw_op op, uint32_t i) {
    gw_op address = gw_operand_address(t->primal, op, i);
    if (!address) return (argument){.value = gw_clone_value(&t->c, gw_operand(t->primal, op, i))};
    const gw_op_data *o = gw_op_at(t->primal, address);
    argument x = {.object = gw_clone_object(&t->c, o->object), .path = o->path, .count = o->operands};
    x.flags = o->flags & (GW_OP_READS | GW_OP_WRITES);
    x.index = gw_alloc((o->operands + 1) * sizeof *x.index);
    for (uint32_t k = 0; k < o->operands; k++)
        x.index[k] = gw_clone_value(&t->c, gw_operand(t->primal, address, k));
    return x;
}

static argument shadow_argument(gw_tangent *t, gw_op address) {
    const gw_op_data *o = gw_op_at(t->primal, address);
    argument x = {.object = gw_tangent_shadow(t, o->object, 0),
                  .flags = o->flags & (GW_OP_READS | GW_OP_WRITES)};
    x.index = index_of(t, address, 0, &x.path, &x.count);
    return x;
}

/* The arguments, then the tangents of those that have one. */
static void find_arguments(gw_tangent *t, gw_op op, const bool *part, argument_list *list) {
    uint32_t n = gw_op_at(t->primal, op)->operands;
    const gw_rule *rule = gw_rule_find(t->f->session, gw_op_at(t->primal, op)->callee);
    for (uint32_t i = 0; i < n; i++) {
        argument x = primal_argument(t, op, i);
        gw_push(list, x);
    }
    for (uint32_t i = 0; i < n; i++) {
        gw_value x = gw_operand(t->primal, op, i);
        argument made = {0};
        if (part[i])
            made = shadow_argument(t, gw_operand_address(t->primal, op, i));
        else if (gw_type_is_float(gw_typeof(t->primal, x)))
            made.value = gw_tangent_or_zero(t, x, 0);
        /* null */
        else if (rule && rule->jvp && gw_callee_takes_numbers(t->primal, op, i))
            made.value = gw_int(&t->b, GW_T_U64, 0);
        else
            continue;
        gw_push(list, made);
    }
}

/* Values are there before addresses, which stand in a row. */
static void call_operands(gw_tangent *t, gw_op op, const bool *part, value_list *out) {
    argument_list list = {0};
    find_arguments(t, op, part, &list);
    for (uint32_t i = 0; i < list.count; i++) {
        const argument *x = &list.at[i];
        gw_push(out, x->value ? x->value : gw_address(&t->b, x->object, x->path, x->index, x->count, x->flags));
        free(x->index);
    }
    gw_vec_free(&list);
}

/* The cell that the tangent of the returned value comes back in. */
static gw_object returned_cell(gw_tangent *t, gw_op op, gw_type type) {
    gw_session *s = t->f->session;
    gw_str name = gw_callee_local_name(s, "t_", gw_op_at(t->primal, op)->callee);
    gw_object cell = gw_object_new(t->f, GW_OBJECT_LOCAL, name, gw_type_array(s, type, 1));
    gw_object_at(t->f, cell)->type_text = s->types.at[type].name;
    gw_op declare = gw_emit(&t->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0);
    gw_op_at(t->f, declare)->object = cell;
    return cell;
}

/* g_jvp(arguments, tangents of the floating-point ones, &tangent) in place of g(arguments). */
static void call_derivative(gw_tangent *t, gw_op op, const bool *part) {
    const gw_op_data o = *gw_op_at(t->primal, op);
    gw_session *s = t->f->session;
    gw_str callee = gw_callee_check(s, o.callee, GW_REQUEST_DERIVATIVE, o.loc)
                        ? gw_callee_derivative(s, t->primal, op, GW_REQUEST_DERIVATIVE, part)
                        : 0;
    gw_type type = o.results ? gw_typeof(t->primal, o.first_result) : GW_T_VOID;
    gw_object cell = gw_type_is_float(type) ? returned_cell(t, op, type) : 0;
    gw_value index = gw_int(&t->b, GW_T_I32, 0);
    gw_str path = gw_intern(s, "[]");
    value_list operands = {0};
    call_operands(t, op, part, &operands);
    if (cell) gw_push(&operands, gw_address(&t->b, cell, path, &index, 1, GW_OP_WRITES));
    gw_op call = gw_emit(&t->b, GW_OP_CALL, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_at(t->f, call)->callee = callee ? callee : o.callee;
    gw_op_at(t->f, call)->flags = o.flags & (GW_OP_STAYS | GW_OP_MAY_STOP | GW_OP_ORDERED);
    if (!o.results) return;
    gw_str name = gw_value_at(t->primal, o.first_result)->name;
    gw_map_set(&t->c.values, o.first_result, gw_op_add_result(t->f, call, type, name));
    if (cell && is_active(t, o.first_result))
        gw_tangent_set(t, o.first_result, 0, gw_load(&t->b, cell, path, &index, 1));
}

/* Second derivatives and several directions go through no call: its function is inlined, unless it is the
 * user's rule or recursive. */
static void refuse_call(gw_tangent *t, gw_op op) {
    gw_session *s = t->f->session;
    const gw_op_data *o = gw_op_at(t->primal, op);
    const char *name = gw_cstr(s, o->callee);
    const bool has_body = gw_callee_primal(s, o->callee) != NULL;
    const char *through = t->second ? "second derivatives" : "several directions at once";
    if (t->pattern) through = "a sparse Jacobian";
    if (has_body && gw_ask_to_inline(s, t->primal->symbol, true)) return;
    char *what = gw_format("%s through the call of '%.*s', which %s,", through, (int)strcspn(name, "'"), name,
                           has_body ? "calls itself" : "has a derivative of its own or no body");
    const char *way_out =
        has_body ? "write a loop in its place" : "give the function a body without GW_DERIVATIVE_OF";
    if (t->pattern) way_out = "leave out 'sparse'";
    if (t->lanes > 1) way_out = "ask for GW_DERIVATIVE, and run it for each direction";
    gw_diag(s, GW_DIAG_UNSUPPORTED, o->loc, what, way_out);
    free(what);
}

static bool any(const bool *of, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (of[i]) return true;
    return false;
}

static void call_op(gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    bool *part = gw_alloc(o->operands + 1);
    for (uint32_t i = 0; i < o->operands; i++) {
        gw_op address = gw_operand_address(t->primal, op, i);
        part[i] = address && gw_op_at(t->primal, address)->flags & (GW_OP_READS | GW_OP_WRITES) &&
                  has_shadow(t, address);
    }
    /* others may wait for the tangents of a call with effects, whatever is known of them here */
    if (!gw_callee_must_answer(t->primal, op, false) && !gw_callee_writes_part(t->primal, op, part) &&
        !(o->results && is_active(t, o->first_result)))
        clone_call(t, op);
    else if (t->pattern && !any(part, o->operands)) { /* of numbers: on all of them */
        clone_call(t, op);
        gw_tangent_depends(t, op, 0);
    } else
        t->second || t->lanes > 1 || t->pattern ? refuse_call(t, op) : call_derivative(t, op, part);
    free(part);
}

/* ---- branches and loops ---- */

/* A branch's result that is a maximum or minimum of two numbers from in front of it. */
static bool is_shared(const gw_tangent *t, gw_op op, uint32_t result) {
    return !t->pattern && gw_extremum_of(t->primal, op, result);
}

/* The values that an op carries or yields and that have a tangent beside them. */
static bool *find_carried(const gw_tangent *t, gw_op op) {
    const gw_op_data *o = gw_op_at(t->primal, op);
    bool *carried = gw_alloc(o->results + 1);
    for (uint32_t i = 0; i < o->results; i++) {
        carried[i] = is_active(t, gw_result(t->primal, op, i));
        if (gw_is_loop(t->primal, op))
            carried[i] |= is_active(t, gw_loop_arg(t->primal, op, i));
        else if (is_shared(t, op, i))
            carried[i] = false; /* behind the branch */
    }
    return carried;
}

/* Operands of `op` in the derivative: those of the primal from `first` on, then the tangents of the carried
 * ones among the last `count` of them. */
static void clone_operands(gw_tangent *t, gw_op op, uint32_t count, const bool *carried, value_list *list) {
    uint32_t n = gw_op_at(t->primal, op)->operands;
    for (uint32_t i = 0; i < n; i++)
        gw_push(list, gw_clone_value(&t->c, gw_operand(t->primal, op, i)));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t lane = 0; carried[i] && lane < t->lanes; lane++)
            gw_push(list, gw_tangent_or_zero(t, gw_operand(t->primal, op, n - count + i), lane));
}

static void add_arguments(gw_tangent *t, gw_region from, gw_region to, uint32_t count, const bool *carried) {
    const gw_func *p = t->primal;
    uint32_t n = gw_region_at(p, from)->args;
    for (uint32_t i = 0; i < n; i++) {
        gw_value v = gw_arg(p, from, i);
        gw_map_set(&t->c.values, v, gw_region_arg(t->f, to, gw_typeof(p, v), gw_value_at(p, v)->name));
    }
    for (uint32_t i = 0; i < count; i++) {
        gw_value v = gw_arg(p, from, n - count + i);
        for (uint32_t lane = 0; carried[i] && lane < t->lanes; lane++)
            gw_map_set(&t->tangent[lane], v,
                       gw_region_arg(t->f, to, gw_tangent_type(t, gw_typeof(p, v)),
                                     gw_tangent_value_name(t, v, lane)));
    }
}

/* Region `which` of op, under `made`; a loop's condition yields no tangents. */
static void clone_region(gw_tangent *t, gw_op op, uint32_t which, gw_op made, const bool *carried) {
    const gw_func *p = t->primal;
    const gw_op_data *o = gw_op_at(p, op);
    gw_region from = o->region[which], to = gw_region_new(t->f, made);
    bool is_condition = o->code == GW_OP_WHILE && which == 0;
    add_arguments(t, from, to, gw_is_loop(p, op) ? o->results : 0, carried);
    gw_builder saved = t->b;
    t->b.region = to;
    t->b.before = 0;
    if (t->path && o->code == GW_OP_WHILE && which == 1) gw_tangent_mix_turn(t, op, true);
    if (is_condition)
        gw_clone_region_body(&t->c, from);
    else
        gw_tangent_region(t, from);
    value_list yields = {0};
    clone_operands(t, gw_region_end(p, from), is_condition ? 0 : o->results, carried, &yields);
    gw_yield(&t->b, yields.at, yields.count);
    gw_vec_free(&yields);
    t->b.region = saved.region;
    t->b.before = saved.before;
}

static void control_op(gw_tangent *t, gw_op op) {
    const gw_func *p = t->primal;
    const gw_op_data o = *gw_op_at(p, op);
    bool *carried = find_carried(t, op);
    value_list operands = {0};
    clone_operands(t, op, gw_is_loop(p, op) ? o.results : 0, carried, &operands);
    gw_op made = gw_emit(&t->b, (gw_opcode)o.code, GW_T_VOID, 0, operands.at, operands.count);
    gw_vec_free(&operands);
    gw_op_at(t->f, made)->flags = o.flags;
    gw_op_at(t->f, made)->attr = o.attr;
    gw_op_at(t->f, made)->loc = o.loc;
    if (!t->second && !t->pattern) gw_op_at(t->f, made)->policy = o.policy;
    if (t->second) gw_op_at(t->f, made)->imm = o.imm; /* GW_CHECKPOINT */
    for (uint32_t i = 0; i < o.regions; i++)
        clone_region(t, op, i, made, carried);
    for (uint32_t i = 0; i < o.results; i++) {
        gw_value v = gw_result(p, op, i);
        gw_map_set(&t->c.values, v, gw_op_add_result(t->f, made, gw_typeof(p, v), gw_value_at(p, v)->name));
    }
    for (uint32_t i = 0; i < o.results; i++) {
        gw_value v = gw_result(p, op, i);
        for (uint32_t lane = 0; carried[i] && lane < t->lanes; lane++)
            gw_map_set(&t->tangent[lane], v,
                       gw_op_add_result(t->f, made, gw_tangent_type(t, gw_typeof(p, v)),
                                        gw_tangent_value_name(t, v, lane)));
    }
    for (uint32_t i = 0; i < o.results; i++) /* values of others would part the results */
        if (is_shared(t, op, i) && is_active(t, gw_result(p, op, i))) choose_tangents(t, op, i, true);
    free(carried);
}

void gw_tangent_region(gw_tangent *t, gw_region r) {
    const gw_func *p = t->primal;
    gw_op end = gw_region_end(p, r);
    for (gw_op op = gw_first(p, r); op && op != end; op = gw_next(p, op)) {
        const gw_op_data *o = gw_op_at(p, op);
        t->b.loc = o->loc;
        if (o->regions)
            control_op(t, op);
        else if (o->code == GW_OP_STORE)
            store_op(t, op);
        else if (o->code == GW_OP_ATOMIC)
            atomic_op(t, op);
        else if (o->code == GW_OP_DECLARE)
            declare_op(t, op);
        else if (o->code == GW_OP_CALL)
            call_op(t, op);
        else if (o->code == GW_OP_ADDRESS)
            continue; /* with its call */
        else if (o->code == GW_OP_DEVICE)
            gw_tangent_device(t, op);
        else {
            gw_clone_op(&t->c, op);
            if (o->code == GW_OP_LOAD)
                load_op(t, op);
            else if (o->code == GW_OP_SELECT)
                select_op(t, op);
            else if (o->code == GW_OP_WARP)
                warp_op(t, op);
            else if (o->code == GW_OP_TEXTURE && is_active(t, o->first_result))
                texture_op(t, op);
            else if (o->code == GW_OP_CAST)
                cast_op(t, op);
            else if (o->results == 1 && is_active(t, o->first_result))
                formula_op(t, op);
        }
        if (t->path && o->code == GW_OP_WHILE) gw_tangent_mix_turn(t, op, false);
        if (t->path) gw_tangent_mix_results(t, op);
    }
}
