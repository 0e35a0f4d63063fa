/*
 * adjoint/stored_for_all.c - numbers that one thread stores, and all threads of its warp or block have.
 *
 *     mean = sum of the lanes' parts by a butterfly
 *     if (threadIdx.x % 32 == 0) means[row] = mean;
 *
 * In a second half, where "y wrt x with means" says that the output is left as it is, all of these threads load
 * the cell that one of them has stored to.
 *
 * Sound: the threads of the warp, or of the block, come to the value's place together or not at all, have the
 * same number there and the same index, and one of them comes to the store: no condition around it but
 *   - threadIdx.x == 0, where all is the same for the block: each block has such a thread;
 *   - threadIdx.x % 32 == 0 .. 31 (cooperative groups: of the thread's number in its block), where it is the
 *     same for the warp, and blockDim.x a multiple of 32. A block of 24 by 2 threads has a warp in which no
 *     threadIdx.x % 32 is 0. The launch of the derivative is checked for that;
 *   - that the output is not null. The launch of the second half is refused where it is (emit/kernel/checks.c).
 * A butterfly gives one number to all lanes: x + (x of the lane i ^ c) is the same in i and in i ^ c, since an
 * addition gives the same bits either way round. Each lane bit that it goes over is one less that tells lanes
 * apart. (Where nvcc contracts a product into one of these additions, lanes differ by a rounding, and the
 * gradient is that at the number which was stored.)
 */
#include "rewriters/adjoint/adjoint_private.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/warp.h"

enum { LANES = 32, ALL_BITS = LANES - 1, MOST_DEPTH = 48 };
#define ALL_LANES 0xffffffffu

typedef struct place {
    const gw_func *f;
    gw_uniform uniform;
    gw_object output;
    bool of_warp, of_block; /* a thread of the warp, of the block, stores */
    int64_t lane;           /* of the warp's: its number */
} place;

/* ---- lanes that have the same number ---- */
/* The bits that a number may have. */
static uint32_t may_have(const gw_func *f, gw_value v, unsigned depth) {
    const gw_op op = gw_value_at(f, v)->op;
    int64_t c;
    if (gw_const_int(f, v, &c)) return (uint32_t)c;
    if (!op || !depth || gw_typeof(f, v) != GW_T_U32) return ALL_LANES;
    const gw_op_data *o = gw_op_at(f, op);
    if (o->code == GW_OP_AND)
        return may_have(f, gw_operand(f, op, 0), depth - 1) & may_have(f, gw_operand(f, op, 1), depth - 1);
    if (o->code == GW_OP_NOT && gw_const_int(f, gw_operand(f, op, 0), &c)) return ~(uint32_t)c;
    if (o->code == GW_OP_REM && gw_const_int(f, gw_operand(f, op, 1), &c) && c > 0 && (c & (c - 1)) == 0)
        return (uint32_t)c - 1;
    return ALL_LANES;
}

static bool is_all_lanes(const gw_func *f, gw_value mask) {
    const gw_op shift = gw_made_by(f, mask, GW_OP_SHL);
    int64_t c;
    if (shift && may_have(f, gw_operand(f, shift, 1), MOST_DEPTH) == 0) mask = gw_operand(f, shift, 0);
    return gw_const_int(f, mask, &c) && (uint32_t)c == ALL_LANES;
}

/* A shuffle of whole warps, of this kind: what it hands on; else 0. */
static gw_value handed_on(const gw_func *f, gw_op op, gw_warp kind) {
    const gw_op_data *o = gw_op_at(f, op);
    int64_t width;
    const bool is = o->code == GW_OP_WARP && o->attr == kind && is_all_lanes(f, gw_operand(f, op, 0)) &&
                    gw_const_int(f, gw_operand(f, op, 3), &width) && width == LANES;
    return is ? gw_operand(f, op, 1) : 0;
}

static uint32_t bits_of(const place *p, gw_value v, unsigned depth);

/* a + (a of the lane i ^ c): without the bit c. */
static bool is_step(const place *p, gw_value a, gw_value b, unsigned depth, uint32_t *bits) {
    const gw_op op = gw_made_by(p->f, b, GW_OP_WARP);
    int64_t c;
    if (!op || handed_on(p->f, op, GW_WARP_XOR) != a || !gw_const_int(p->f, gw_operand(p->f, op, 2), &c))
        return false;
    if (c <= 0 || c >= LANES || (c & (c - 1)) != 0) return false;
    *bits = bits_of(p, a, depth - 1) & ~(uint32_t)c;
    return true;
}

/* The bits of a lane's number on which v depends. */
static uint32_t bits_of(const place *p, gw_value v, unsigned depth) {
    const gw_func *f = p->f;
    const gw_op op = gw_value_at(f, v)->op;
    uint32_t bits = 0;
    int64_t c;
    if (p->uniform.value[v] <= GW_UNIFORM_WARP) return 0;
    if (!op || !depth || gw_op_at(f, op)->regions) return ALL_BITS;
    const gw_op_data *o = gw_op_at(f, op);
    const gw_value moved = handed_on(f, op, GW_WARP_XOR);
    if (moved && gw_const_int(f, gw_operand(f, op, 2), &c)) return bits_of(p, moved, depth - 1);
    if (handed_on(f, op, GW_WARP_SHFL)) return bits_of(p, gw_operand(f, op, 2), depth - 1);
    if (gw_op_rows[o->code].effect != GW_EFFECT_PURE || o->code == GW_OP_SPECIAL || !o->operands)
        return ALL_BITS;
    const bool turns = o->code == GW_OP_ADD || o->code == GW_OP_FMAX || o->code == GW_OP_FMIN;
    for (uint32_t side = 0; side < 2 && turns; side++)
        if (is_step(p, gw_operand(f, op, side), gw_operand(f, op, 1 - side), depth, &bits)) return bits;
    for (uint32_t i = 0; i < o->operands; i++) bits |= bits_of(p, gw_operand(f, op, i), depth - 1);
    return bits;
}

/* ---- the thread that stores ---- */
static bool is_lane(const gw_func *f, gw_value v) {
    const gw_op op = gw_value_at(f, gw_behind_casts(f, v))->op;
    int64_t c;
    if (!op || (gw_op_at(f, op)->code != GW_OP_REM && gw_op_at(f, op)->code != GW_OP_AND)) return false;
    const int64_t cuts = gw_op_at(f, op)->code == GW_OP_REM ? LANES : ALL_BITS;
    return gw_const_int(f, gw_operand(f, op, 1), &c) && c == cuts && gw_is_thread(f, gw_operand(f, op, 0));
}

/* One thread is meant; which. */
static bool means_one(place *p, gw_value condition) {
    const gw_op op = gw_made_by(p->f, condition, GW_OP_EQ);
    int64_t c;
    for (uint32_t side = 0; op && side < 2; side++) {
        const gw_value who = gw_operand(p->f, op, side);
        if (!gw_const_int(p->f, gw_operand(p->f, op, 1 - side), &c)) continue;
        if (is_lane(p->f, who) && c >= 0 && c < LANES) {
            if (p->of_block || (p->of_warp && p->lane != c)) return false; /* nobody is both */
            p->of_warp = true, p->lane = c;
            return true;
        }
        if (gw_is_thread(p->f, who) && c == 0) return !p->of_warp && (p->of_block = true);
    }
    return false;
}

static bool asks_for_null(const place *p, gw_value condition) {
    const gw_op op = gw_made_by(p->f, condition, GW_OP_LOAD);
    return op && gw_op_at(p->f, op)->object == p->output && gw_op_at(p->f, op)->operands == 0 &&
           gw_typeof(p->f, condition) == GW_T_BOOL;
}

/* It holds for one of the threads, a && b for one for which both do. */
static bool holds_for_one(place *p, gw_value condition) {
    const gw_op both = gw_made_by(p->f, condition, GW_OP_IF);
    int64_t c;
    if (asks_for_null(p, condition) || means_one(p, condition)) return true;
    if (!both || gw_op_at(p->f, both)->results != 1) return false;
    return gw_const_int(p->f, gw_arm_value(p->f, both, 1, 0), &c) && c == 0 &&
           holds_for_one(p, gw_operand(p->f, both, 0)) && holds_for_one(p, gw_arm_value(p->f, both, 0, 0));
}

static bool comes_to_store(place *p, gw_region from, gw_region to) {
    for (gw_region at = to; at != from; at = gw_region_outside(p->f, at)) {
        const gw_op branch = gw_region_at(p->f, at)->parent;
        if (gw_op_at(p->f, branch)->code != GW_OP_IF || gw_op_at(p->f, branch)->region[0] != at ||
            !holds_for_one(p, gw_operand(p->f, branch, 0)))
            return false;
    }
    return true;
}

/* ---- both ---- */
static bool is_alike(const place *p, gw_op store, gw_value v, gw_region r) {
    const uint8_t level = p->of_warp ? GW_UNIFORM_WARP : GW_UNIFORM_BLOCK;
    bool alike = p->uniform.region[r] <= level;
    for (uint32_t i = 0; i < gw_index_count(p->f, store); i++)
        alike &= p->uniform.value[gw_operand(p->f, store, i)] <= level;
    return alike && (p->of_warp ? bits_of(p, v, MOST_DEPTH) == 0 : p->uniform.value[v] <= level);
}

bool gw_adjoint_stored_for_all(const gw_func *f, gw_op store, gw_value v, bool *whole_warps) {
    const gw_region r = gw_value_region(f, v), within = gw_op_at(f, store)->parent;
    place p = {.f = f, .output = gw_op_at(f, store)->object};
    *whole_warps = false;
    if (within == r || !comes_to_store(&p, r, within)) return within == r;
    *whole_warps = p.of_warp;
    if (!p.of_warp && !p.of_block) return false;
    gw_uniform_of_whole_warps(&p.uniform, f);
    const bool alike = is_alike(&p, store, v, r);
    gw_uniform_free(&p.uniform);
    return alike;
}
