/*
 * restructure.h - cloning ops, and changing which values loops and branches carry.
 */
#ifndef GW_RESTRUCTURE_H
#define GW_RESTRUCTURE_H
#include "analysis/ir/query.h"

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

/* Everything in one region to the end of another. */
void gw_move_ops(gw_func *f, gw_region from, gw_region to);
/* A trial on a copy: f becomes the copy, which is left with what f was. */
void gw_func_take(gw_func *f, gw_func *copy);
gw_value_map gw_map_copy(const gw_value_map *m);

/* Replaces all uses by the map (transitively). */
void gw_replace_many(gw_func *f, const gw_value_map *map);

/* The same in `op`, behind it in its region, and inside of that only. */
void gw_rename_from(gw_func *f, gw_op op, const gw_value_map *map);

void gw_drop_marks(gw_func *f); /* gw_is_mark */

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

/* What the branch does where its condition holds stands in its place. */
void gw_open_branch(gw_func *f, gw_op branch);

/* The op under a branch of its own in its place, in the arm `side`; the branch. */
gw_op gw_put_under(gw_func *f, gw_op op, gw_value condition, uint32_t side);
#endif
