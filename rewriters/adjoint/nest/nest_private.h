/* nest_private.h - what the files of the room share: parts of a nest, and its forms. */
#ifndef GW_NEST_PRIVATE_H
#define GW_NEST_PRIVATE_H
#include "rewriters/adjoint/nest/nest.h"

/* decided.c: what else is decided by the value than the stop; 0: nothing */
gw_op gw_invert_decides_else(const gw_invert *s);
/* Wherever `test` is computed, the flag of the iteration is `test`, or its opposite (*negated). */
bool gw_invert_flag_is(const gw_invert *s, gw_value flag, gw_value test, bool *negated);
/* `v` of the while's condition can be true only where carried value i is false. */
bool gw_invert_asks_for_false(const gw_func *p, gw_op loop, gw_value v, uint32_t i);
/* What keeps n from being a nest, and the op that shows it: false. */
bool gw_nest_lacks(gw_nest *n, gw_near_nest_kind what, gw_op op);
/* The loop that stands in the outer one: the inner one, or the one between. */
gw_op gw_nest_second(const gw_nest *n);
/* What carried value `arg` becomes is that itself, whatever the branches. */
bool gw_nest_keeps(const gw_func *p, gw_value v, gw_value arg);
/* The carried value of the outer loop advances by a step of its own in each iteration, or v is made of such,
 * the counter, outer values, and memory that the loop leaves alone. */
bool gw_nest_recomputes(const gw_func *p, gw_op outer, gw_value v);
/* Carried value i of the outer loop starts from 1 or less, if undoing it in the inner one asks for that; else
 * n->lacks says so. */
bool gw_nest_starts_low(const gw_func *p, gw_nest *n, uint32_t i, const gw_invert *s);
/* middle.c: the loop between counts as a nest has it; the op is what lanes of a warp
 * tell each other in it, of numbers without a derivative, which sets n->lanes */
bool gw_nest_middle_counts(const gw_func *p, const gw_nest *n);
bool gw_nest_tells_lanes(const gw_func *p, const gw_activity *activity, gw_nest *n, gw_op op);
/* states.c: the states of an inner loop that does not ask for a flag; false: none, or n->lacks one */
bool gw_nest_find_states(const gw_func *p, gw_nest *n);
/* By carried value of the inner loop: the states on which it depends, as bits; the caller frees it. */
uint32_t *gw_nest_masks(const gw_func *p, const gw_nest *n);
/* Each state is kept apart from the others, and left alone once its flag is set. */
bool gw_nest_apart(const gw_func *p, const gw_activity *activity, gw_nest *n);
/* Carried value m of the inner loop stays what it was once state k's flag is set. */
bool gw_nest_notes_while_on(const gw_func *p, const gw_nest *n, uint32_t k, uint32_t m);
/* Carried value i of the inner loop is state k, or a number with a derivative that goes with it. */
bool gw_nest_is_of(const gw_func *p, const gw_activity *activity, const gw_nest *n, const uint32_t *masks,
                   uint32_t i, uint32_t k);
/* The truth of v where the flag is `is`; GW_NEST_OPEN: either. */
typedef enum gw_nest_truth { GW_NEST_FALSE, GW_NEST_TRUE, GW_NEST_OPEN } gw_nest_truth;
gw_nest_truth gw_nest_truth_if(const gw_func *p, gw_value v, gw_value flag, bool is);
/* loops.c: the same loop as a FOR, 0 if it does not count; the same without a break that a flag tells,
 * false if it has another. */
gw_op gw_nest_counted(gw_func *p, gw_op loop);
bool gw_nest_unbroken(gw_func *p, gw_op loop);
/* the FOR as a WHILE, whose counter is its last carried value; a loop that its iterations no longer leave */
gw_op gw_nest_as_while(gw_func *p, gw_op loop);
void gw_nest_drop_exit(gw_func *p, gw_op loop);
/* bits.c: the loop, or the same over all the bits of a word, if it goes through those that are set */
gw_op gw_nest_bits(gw_func *p, gw_op loop);
/* vote.c: a condition that holds wherever that bit is set in a word that lanes of a warp have voted; 0
 * */
gw_value gw_nest_vote(gw_func *p, gw_builder *at, gw_value word, gw_value bit);
/* flags.c: the loop, if a loop in it had its flags in an integer: each is a bool now */
gw_op gw_nest_flags(gw_func *p, gw_op outer);
/* head.c: the loop, whose condition asks what its iterations began by asking, if they did so */
gw_op gw_nest_asked(gw_func *p, gw_op loop);
#endif
