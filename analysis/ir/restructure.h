/*
 * restructure.h - cloning ops, and changing which values loops and branches carry.
 */
#ifndef GW_RESTRUCTURE_H
#define GW_RESTRUCTURE_H
#include "analysis/ir/ir.h"

/* Copies ops of one function to a builder's place in another (or the same). Unmapped operands are an
 * error between functions and stand for themselves within one. Objects likewise. */
typedef struct gw_cloner {
    const gw_func *from;
    gw_builder *to;
    gw_value_map values, objects;
    /* NULL, or values that stand for results of ops; what would make nothing else is not copied */
    const gw_value_map *pinned;
} gw_cloner;
gw_op gw_clone_op(gw_cloner *c, gw_op op); /* 0 if it is not copied */
void gw_clone_pins(gw_cloner *c, gw_op op); /* the results of op that are pinned are mapped to that */
/* All ops of region r but its YIELD/RET. */
void gw_clone_region_body(gw_cloner *c, gw_region r);
gw_value gw_clone_value(gw_cloner *c, gw_value v); /* the mapped value */
gw_object gw_clone_object(gw_cloner *c, gw_object o);

/* Replaces all uses by the map (transitively). */
void gw_replace_many(gw_func *f, const gw_value_map *map);

/* The same in `op`, behind it in its region, and inside of that only. */
void gw_rename_from(gw_func *f, gw_op op, const gw_value_map *map);

/* Number of carried values of a FOR/WHILE; operand index of the first init; argument index of the first
 * carried value in the body; the body region; yield operand index of the first carried value. */
uint32_t gw_loop_carried(const gw_func *f, gw_op op);
static inline uint32_t gw_loop_first_init(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_FOR ? 3 : 0;
}
static inline uint32_t gw_loop_first_arg(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_FOR ? 1 : 0;
}
static inline gw_region gw_loop_body(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->region[gw_op_at(f, op)->code == GW_OP_FOR ? 0 : 1];
}
static inline uint32_t gw_loop_first_yield(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->flags & GW_OP_EXIT ? 1 : 0;
}
static inline bool gw_is_loop(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_FOR || gw_op_at(f, op)->code == GW_OP_WHILE;
}

/* How many states GW_CHECKPOINT_BINOMIAL lets the reverse of a loop store; 0: it is not marked so. */
static inline int64_t gw_loop_snapshots(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->imm.i < 0 ? -gw_op_at(f, op)->imm.i : 0;
}

/* GW_STORE(x), GW_RECOMPUTE(x): what the user says of a value. */
static inline bool gw_is_mark(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_KEEP || gw_op_at(f, op)->code == GW_OP_REPEAT;
}
void gw_drop_marks(gw_func *f);

/* New loop in place of `old` that carries the kept values and `extra` more (initial values given; each
 * yields its own argument until the caller sets the yield operand). keep NULL = all. Uses of arguments
 * and results are renamed; `old` is gone. */
gw_op gw_loop_rebuild(gw_func *f, gw_op old, const bool *keep, const gw_value *extra, uint32_t extras);
/* Same for IF: extra results of the given types; their yield operands are `then_value`/`else_value`. */
gw_op gw_if_rebuild(gw_func *f, gw_op old, const bool *keep, const gw_value *then_value,
                    const gw_value *else_value, uint32_t extras);
/* Drops the results of a loop or branch that are not kept, and what they are carried or yielded by. The uses of
 * what is kept have their old names until gw_replace_many with this map, which may be one for many ops. */
void gw_prune(gw_func *f, gw_op op, const bool *keep, gw_value_map *map);

/* The op under a branch of its own in its place, in the arm `side`; the branch. */
gw_op gw_put_under(gw_func *f, gw_op op, gw_value condition, uint32_t side);

/* The object begins its life in the op, or inside of it. */
bool gw_declares(const gw_func *f, gw_op op, gw_object o);
/* What the loop's carried value i becomes in iterations that are not its last: where they leave the loop, by
 * its flag, that does not matter to the next one. */
gw_value gw_carried_on(const gw_func *f, gw_op loop, uint32_t i);

/* A counted loop of constant bounds that has an iteration; that has none. */
bool gw_runs_for_sure(const gw_func *f, gw_op loop);
bool gw_never_runs(const gw_func *f, gw_op loop);

/* Does the op, or anything inside it, touch the object with one of these opcodes (bit set of 1<<opcode
 * is too narrow: flags)? */
enum gw_touch { GW_TOUCH_READ = 1, GW_TOUCH_WRITE = 2 };
bool gw_touches(const gw_func *f, gw_op op, gw_object o, unsigned touch);
/* Does the op, or anything inside it, use v? */
bool gw_uses_value(const gw_func *f, gw_op op, gw_value v);
#endif
