/*
 * warps.c - values that tell no more of a thread than its warp: threadIdx.x / 32, >> 5, & ~31 (contract:
 * warps_private.h).
 *
 * Warps are cut from the linear number of a thread in its block, threadIdx.x + blockDim.x * (threadIdx.y +
 * blockDim.y * threadIdx.z): a warp is 32 threads whose number is 32 q + lane, with one q and the lanes 0
 * to 31. That number is threadIdx.x where blocks are one long in y and z, and threadIdx.x + blockDim.x *
 * threadIdx.y where they are in z. This is nothing to be supposed: in blocks of 48 by 2 threads, a warp has the
 * end of one row and the begin of the next. It is known where the launch of the derivative is checked for it,
 * which ownership asks for where it needs it itself. A thread of a coarsened gradient stands for several of the
 * primal, which are of several warps: there nothing is known. Where blockDim.x is a multiple of 32, warps are
 * cut from rows of threads along x, whatever the block's other lengths are: threadIdx.x is 32 q + lane, too,
 * threadIdx.y and z are the same in the warp, and multiples of blockDim.x are multiples of 32.
 *
 * Let v be that number plus multiples of 32 that are the same in the warp: 32 m + lane, with one m. Machine
 * arithmetic keeps that: 2^32 and 2^64 are multiples of 32, so wrapping around, and conversions between types
 * of 32 bits or more, give 32 m' + lane again, with one m', since a multiple of 32 never stands between two
 * lanes. Shifting v right by 5 or more, and masking it with a multiple of 32, take the lane away whatever the
 * sign; so does a division by a multiple of 32 of an unsigned v. Signed division rounds towards 0, and makes
 * one number of v = -32 and another of -31: there v must be the thread's number alone, which is not negative.
 */
#include "analysis/facts/warps_private.h"

#include "analysis/ir/query.h"
#include "analysis/facts/facts.h"

enum { LANES = 32 };

/* ---- what a launch is checked for ---- */
static bool asks_one(const gw_func *check, gw_value holds, unsigned axis) {
    gw_op op = gw_value_at(check, holds)->op;
    int64_t one;
    if (!op || gw_op_at(check, op)->code != GW_OP_EQ || !gw_const_int(check, gw_operand(check, op, 1), &one) ||
        one != 1)
        return false;
    gw_op length = gw_value_at(check, gw_operand(check, op, 0))->op;
    return length && gw_op_at(check, length)->code == GW_OP_SPECIAL &&
           gw_op_at(check, length)->attr == GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis);
}

void gw_blocks_one_long(const gw_func *f, bool one_long[2]) {
    const gw_session *s = f->session;
    one_long[0] = one_long[1] = false;
    if (f->kind != GW_FUNC_KERNEL || f->form != GW_FORM_GRAD || gw_coarsening(f)) return;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *check = s->funcs.at[i];
        gw_op end = check->form == GW_FORM_CHECK && check->primal == f->primal && check->request == f->request
                        ? gw_region_end(check, check->entry)
                        : 0;
        for (uint32_t k = 0; end && k < gw_op_at(check, end)->operands; k++)
            for (unsigned axis = 1; axis < 3; axis++)
                one_long[axis - 1] |= asks_one(check, gw_operand(check, end, k), axis);
    }
}

/* ---- the number of a thread ---- */
static bool is_special(const gw_func *f, gw_value v, gw_special kind, unsigned axis) {
    gw_op op = gw_value_at(f, v)->op;
    while (op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_is_integer(gw_typeof(f, v)) &&
           gw_type_bits(gw_typeof(f, v)) >= 32) {
        v = gw_operand(f, op, 0);
        op = gw_value_at(f, v)->op;
    }
    return op && gw_op_at(f, op)->code == GW_OP_SPECIAL && gw_op_at(f, op)->attr == GW_SPECIAL_ATTR(kind, axis);
}

static bool is_product(const gw_func *f, gw_value v, gw_special a, unsigned i, gw_special b, unsigned k) {
    gw_op op = gw_made_by(f, v, GW_OP_MUL);
    if (!op) return false;
    gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    return (is_special(f, x, a, i) && is_special(f, y, b, k)) ||
           (is_special(f, y, a, i) && is_special(f, x, b, k));
}

/* The thread's linear number itself, which is not negative. */
static bool is_number(const gw_func *f, gw_value v, const gw_block_shape *shape) {
    if (is_special(f, v, GW_THREAD_IDX, 0)) return shape->whole || (shape->one_long[0] && shape->one_long[1]);
    if (shape->whole && gw_is_thread_number(f, v)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (op && gw_op_at(f, op)->code == GW_OP_CAST && gw_type_is_integer(gw_typeof(f, v)) &&
        gw_type_bits(gw_typeof(f, v)) >= 32)
        return is_number(f, gw_operand(f, op, 0), shape);
    if (!op || gw_op_at(f, op)->code != GW_OP_ADD || !shape->one_long[1]) return false;
    for (uint32_t side = 0; side < 2; side++)
        if (is_special(f, gw_operand(f, op, side), GW_THREAD_IDX, 0) &&
            is_product(f, gw_operand(f, op, 1 - side), GW_THREAD_IDX, 1, GW_BLOCK_DIM, 0))
            return true;
    return false;
}

/* ---- 32 m + lane ---- */
typedef struct terms {
    const gw_func *f;
    const gw_block_shape *shape;
    gw_is_alike *alike;
    const void *context;
} terms;

static bool is_whole_number(const gw_func *f, gw_value v) {
    return gw_type_is_integer(gw_typeof(f, v)) && gw_type_bits(gw_typeof(f, v)) >= 32;
}

/* One of the factors. */
static bool is_multiple(const terms *t, gw_value v) {
    int64_t c;
    if (gw_const_int(t->f, v, &c)) return c % LANES == 0;
    return t->shape->whole && is_special(t->f, v, GW_BLOCK_DIM, 0);
}

/* A multiple of 32 that is the same in the warp. */
static bool is_aligned(const terms *t, gw_value v, uint32_t depth) {
    const gw_func *f = t->f;
    int64_t c;
    if (!is_whole_number(f, v) || depth > 16) return false;
    if (is_multiple(t, v)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return false;
    gw_value x = gw_op_at(f, op)->operands ? gw_operand(f, op, 0) : 0,
             y = gw_op_at(f, op)->operands > 1 ? gw_operand(f, op, 1) : 0;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CAST: return is_aligned(t, x, depth + 1);
    case GW_OP_ADD:
    case GW_OP_SUB: return is_aligned(t, x, depth + 1) && is_aligned(t, y, depth + 1);
    case GW_OP_MUL:
        return t->alike(t->context, v) && (is_multiple(t, x) || is_multiple(t, y));
    case GW_OP_SHL: return t->alike(t->context, v) && gw_const_int(f, y, &c) && c >= 5 && c < 32;
    default: return false;
    }
}

static bool is_aligned_and_lane(const terms *t, gw_value v, uint32_t depth) {
    const gw_func *f = t->f;
    if (!is_whole_number(f, v) || depth > 16) return false;
    if (is_number(f, v, t->shape)) return true;
    gw_op op = gw_value_at(f, v)->op;
    if (!op) return false;
    gw_value x = gw_op_at(f, op)->operands ? gw_operand(f, op, 0) : 0,
             y = gw_op_at(f, op)->operands > 1 ? gw_operand(f, op, 1) : 0;
    switch (gw_op_at(f, op)->code) {
    case GW_OP_CAST: return is_aligned_and_lane(t, x, depth + 1);
    case GW_OP_ADD:
        return (is_aligned_and_lane(t, x, depth + 1) && is_aligned(t, y, 0)) ||
               (is_aligned_and_lane(t, y, depth + 1) && is_aligned(t, x, 0));
    case GW_OP_SUB: return is_aligned_and_lane(t, x, depth + 1) && is_aligned(t, y, 0);
    default: return false;
    }
}

/* 32 k, or the opposite of 32 k - 1. */
static bool is_mask(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    int64_t c;
    if (gw_const_int(f, v, &c)) return c % LANES == 0;
    return op && gw_op_at(f, op)->code == GW_OP_NOT && gw_const_int(f, gw_operand(f, op, 0), &c) &&
           (c + 1) % LANES == 0;
}

bool gw_tells_warp(const gw_func *f, gw_op op, const gw_block_shape *shape, gw_is_alike *alike,
                   const void *context) {
    const gw_op_data *o = gw_op_at(f, op);
    terms t = {f, shape, alike, context};
    int64_t c;
    if ((!shape->one_long[1] && !shape->whole) || o->operands != 2 || !is_whole_number(f, gw_result(f, op, 0)))
        return false;
    gw_value x = gw_operand(f, op, 0), y = gw_operand(f, op, 1);
    bool sign = gw_type_is_signed(gw_typeof(f, x));
    switch (o->code) {
    case GW_OP_DIV:
        if (!gw_const_int(f, y, &c) || c <= 0 || c % LANES != 0) return false;
        return sign ? is_number(f, x, shape) : is_aligned_and_lane(&t, x, 0);
    case GW_OP_SHR: return gw_const_int(f, y, &c) && c >= 5 && c < 32 && is_aligned_and_lane(&t, x, 0);
    case GW_OP_AND:
        return (is_mask(f, y) && is_aligned_and_lane(&t, x, 0)) ||
               (is_mask(f, x) && is_aligned_and_lane(&t, y, 0));
    default: return false;
    }
}
