/*
 * query.h - what passes ask of a function: what stands around an op and inside of it, what a value is, what a
 * loop carries. Nothing here changes a function, and nothing knows a pass: a question that two passes ask is
 * asked here.
 */
#ifndef GW_QUERY_H
#define GW_QUERY_H
#include "analysis/ir/ir.h"

/* ---- around an op ---- */

/* The branch or loop in whose region the op stands; 0: none does. */
static inline gw_op gw_op_around(const gw_func *f, gw_op op) {
    return gw_region_at(f, gw_op_at(f, op)->parent)->parent;
}
static inline gw_region gw_region_outside(const gw_func *f, gw_region r) { /* r is no function's entry */
    return gw_op_at(f, gw_region_at(f, r)->parent)->parent;
}
gw_op gw_loop_around(const gw_func *f, gw_op op); /* the innermost; 0: none */
/* The op of region r that is, or holds, `op`; 0: none does. */
gw_op gw_holder(const gw_func *f, gw_op op, gw_region r);
/* The innermost region around both. */
gw_region gw_region_around(const gw_func *f, gw_region a, gw_region b);
gw_region gw_common_region(const gw_func *f, gw_op x, gw_op y);
/* x stands before y in one pass through the region around both. */
bool gw_comes_before(const gw_func *f, gw_op x, gw_op y);

/* ---- inside of a region, an op ---- */

/* Each op of region r and of the regions in it, an op before what is in it:
 *     for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r))
 * and of an op, itself first:
 *     for (gw_op in = op; in; in = gw_walk_op(f, in, op))
 * gw_walk_past: the same without what is in `op`. */
gw_op gw_walk(const gw_func *f, gw_op op, gw_region r);
gw_op gw_walk_past(const gw_func *f, gw_op op, gw_region r);
gw_op gw_walk_op(const gw_func *f, gw_op in, gw_op op);

/* The op is, or something inside it is, one of this kind. */
bool gw_has_op(const gw_func *f, gw_op op, gw_opcode code);
/* Whether a STOP of at least that attr is in it, or may be in what it calls; or in any function. */
bool gw_may_stop(const gw_func *f, gw_stop how);
bool gw_any_stops(const gw_session *s, gw_stop how);
bool gw_holds_stop(const gw_func *f, gw_op op); /* the op, something in it, or what is called there */
bool gw_is_ordered(const gw_func *f, gw_op op); /* a call with effects */
bool gw_holds_ordered(const gw_func *f, gw_op op); /* the op, or something in it, is such a call */
bool gw_has_loop(const gw_func *f, gw_region r);
/* The object begins its life in the op, or inside of it. */
bool gw_declares(const gw_func *f, gw_op op, gw_object o);
/* Does the op, or anything inside it, touch the object? */
enum gw_touch { GW_TOUCH_READ = 1, GW_TOUCH_WRITE = 2 };
bool gw_touches(const gw_func *f, gw_op op, gw_object o, unsigned touch);
bool gw_names_object(const gw_func *f, gw_op op, gw_object o); /* in any way */
/* Does the op, or anything inside it, use v? */
bool gw_uses_value(const gw_func *f, gw_op op, gw_value v);
uint32_t gw_count_uses(const gw_func *f, gw_value v); /* as operands, in the whole function */

/* ---- values ---- */

/* What holds the adjoints or tangents of the texels of `object`, a parameter of the derivative f; 0: none. */
bool gw_is_program(const gw_func *f); /* it works on memory that kernels see: has a DEVICE */
gw_object gw_texture_shadow(const gw_func *f, gw_value object);

/* The directions that parameters of a function with tangents (second_of) go along and this one does not: t of
 * GW_HVP, and s of GW_THIRD. */
enum { GW_ALONG_T = 1, GW_ALONG_S = 2, GW_ALONG_BOTH = 3 };
unsigned gw_param_lacks(const gw_func *f, uint32_t param);
/* The op that makes v, if it is one of this kind; else 0. */
static inline gw_op gw_made_by(const gw_func *f, gw_value v, gw_opcode code) {
    gw_op op = gw_value_at(f, v)->op;
    return op && gw_op_at(f, op)->code == code ? op : 0;
}
/* Nothing in the region, beside that op, has an effect or a region of its own. */
bool gw_is_pure_but(const gw_func *f, gw_region r, gw_op but);
/* What the end of a region hands on, by number. */
static inline gw_value gw_yielded(const gw_func *f, gw_region r, uint32_t i) {
    return gw_operand(f, gw_region_end(f, r), i);
}
static inline gw_value gw_arm_value(const gw_func *f, gw_op branch, uint32_t side, uint32_t i) {
    return gw_yielded(f, gw_op_at(f, branch)->region[side], i);
}
bool gw_is_zero(const gw_func *f, gw_value v); /* the constant, of floats */
/* What v is a conversion of. */
gw_value gw_behind_casts(const gw_func *f, gw_value v);
/* What v is, or is the negation of; *truth is turned as often. */
gw_value gw_behind_not(const gw_func *f, gw_value v, bool *truth);

/* GW_STORE(x), GW_RECOMPUTE(x): what the user says of a value. */
static inline bool gw_is_mark(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_KEEP || gw_op_at(f, op)->code == GW_OP_REPEAT;
}

/* The greatest number that divides both. */
static inline int64_t gw_common_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- loops ---- */
static inline bool gw_is_loop(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_FOR || gw_op_at(f, op)->code == GW_OP_WHILE;
}
static inline gw_region gw_loop_body(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->region[gw_op_at(f, loop)->code == GW_OP_FOR ? 0 : 1];
}
/* Operands before the first initial value, arguments of the body before the first carried one, operands of its
 * yield before the first next one. */
static inline uint32_t gw_loop_first_init(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->code == GW_OP_FOR ? 3 : 0;
}
static inline uint32_t gw_loop_first_arg(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->code == GW_OP_FOR ? 1 : 0;
}
static inline uint32_t gw_loop_first_yield(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->flags & GW_OP_EXIT ? 1 : 0;
}
/* How many values the loop carries; of number i, what it is at first, in an iteration, and in the next one. */
static inline uint32_t gw_loop_carried(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->operands - gw_loop_first_init(f, loop);
}
static inline gw_value gw_loop_init(const gw_func *f, gw_op loop, uint32_t i) {
    return gw_operand(f, loop, gw_loop_first_init(f, loop) + i);
}
static inline gw_value gw_loop_arg(const gw_func *f, gw_op loop, uint32_t i) {
    return gw_arg(f, gw_loop_body(f, loop), gw_loop_first_arg(f, loop) + i);
}
static inline gw_value gw_loop_next(const gw_func *f, gw_op loop, uint32_t i) {
    return gw_yielded(f, gw_loop_body(f, loop), gw_loop_first_yield(f, loop) + i);
}
/* What a WHILE asks before an iteration, 0 of a FOR; what ends a loop behind one, 0 where it has no flag. */
static inline gw_value gw_loop_test(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->code == GW_OP_WHILE ? gw_yielded(f, gw_op_at(f, loop)->region[0], 0) : 0;
}
static inline gw_value gw_loop_flag(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->flags & GW_OP_EXIT ? gw_yielded(f, gw_loop_body(f, loop), 0) : 0;
}
/* The constant that a FOR's index advances by; 0: it is not known, or this is a WHILE. */
int64_t gw_loop_step(const gw_func *f, gw_op loop);
/* What a FOR's index begins with and is compared with, if both are constants. */
bool gw_loop_ends(const gw_func *f, gw_op loop, int64_t *first, int64_t *bound);
/* Wherever the loop goes on, carried value i has become what it was plus *step (*down: less it), by one op;
 * where that comes from, and whether it is the same each time, is the caller's to ask. */
bool gw_loop_advances(const gw_func *f, gw_op loop, uint32_t i, gw_value *step, bool *down);
/* An integer that advances so by a step from outside of the loop. */
bool gw_loop_is_induction(const gw_func *f, gw_op loop, uint32_t i, gw_value *step, bool *down);
/* What the loop's carried value i becomes in iterations that are not its last: where they leave the loop, by
 * its flag, that does not matter to the next one. */
gw_value gw_carried_on(const gw_func *f, gw_op loop, uint32_t i);

/* A counted loop of constant bounds that has an iteration; that has none. */
bool gw_runs_for_sure(const gw_func *f, gw_op loop);
bool gw_never_runs(const gw_func *f, gw_op loop);

/* How many states GW_CHECKPOINT_BINOMIAL lets the reverse of a loop store; 0: it is not marked so. */
static inline int64_t gw_loop_snapshots(const gw_func *f, gw_op loop) {
    return gw_op_at(f, loop)->imm.i < 0 ? -gw_op_at(f, loop)->imm.i : 0;
}

/* The load, store or addition of a number. */
static inline bool gw_is_access_of_cell(const gw_op_data *o) {
    return o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
}
static inline bool gw_accesses_shared(const gw_func *f, gw_op op) {
    return gw_object_at(f, gw_op_at(f, op)->object)->kind == GW_OBJECT_SHARED;
}
/* The type of what an addition adds. */
static inline gw_type gw_added_type(const gw_func *f, gw_op add) {
    return gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
}
/* Computed again, it may come out differently in its last bits. */
bool gw_is_rounded(const gw_func *f, gw_value v);
/* Something discrete made of rounded numbers: contracted otherwise it might come out otherwise. */
bool gw_is_discrete(const gw_func *f, gw_op op);
/* The comparison with its sides changed. */
gw_opcode gw_mirrored(gw_opcode compare);
/* One value, or one constant. */
bool gw_same_number(const gw_func *f, gw_value a, gw_value b);
/* v is there where `at` stands. */
bool gw_is_there(const gw_func *f, gw_value v, gw_op at);
/* The kernel looks at blockIdx. */
bool gw_asks_for_block(const gw_func *f);

/* A truth that goes along all ways through op, a loop or branch: before it, and behind it, of any way. `region`
 * says what becomes of it in one; of a loop it is asked until nothing changes. */
typedef bool gw_flow(void *with, gw_region r, bool before);
bool gw_flows_through(const gw_func *f, gw_op op, bool before, gw_flow *region, void *with);
#endif
