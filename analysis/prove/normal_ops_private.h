/* normal_ops_private.h - normal forms of division, bit operations, extrema and loop values; used by
 * normal_form.c. */
#ifndef GW_NORMAL_OPS_PRIVATE_H
#define GW_NORMAL_OPS_PRIVATE_H
#include "analysis/prove/prove.h"

/* Each gives the number of v and adds to the context what holds for it; false: v is opaque. */
bool gw_normal_divide(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
bool gw_normal_bits(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
bool gw_normal_xor(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
bool gw_normal_carried(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
/* Adds that the minimum (maximum) *m of two values is at most (at least) each. */
void gw_normal_extremum(gw_normal *n, gw_context *c, gw_value v, const gw_number *m);
/* Sizes in products of p are not negative: asked of the launch; false where there are none to ask about. */
bool gw_normal_assume_sizes(gw_normal *n, gw_context *c, const gw_poly *p, uint64_t *assumed);
/* What the conditions from number `first` on say of quotients. */
void gw_normal_learn_quotients(gw_normal *n, gw_context *c, uint32_t first);
/* choices.c. v where its choice is made in c; false: v is no choice, or an open one. */
bool gw_normal_chosen(gw_normal *n, gw_context *c, gw_value v, gw_value *out);
/* Adds what holds of the open choice *m in both cases. */
void gw_normal_choice(gw_normal *n, gw_context *c, gw_value v, const gw_number *m);
/* v as a sum, where choices are sums; false: it is none. */
bool gw_normal_choice_sum(gw_normal *n, gw_context *c, gw_value v, gw_number *out);
/* In c, of which the last decision is new: choices by it are what was chosen. */
void gw_normal_make_choices(gw_normal *n, gw_context *c, gw_value condition, bool truth);
/* What is known says of choices: if s = c ? x : 0 is positive, c holds and s is x. */
void gw_normal_learn_choices(gw_normal *n, gw_context *c);
/* A while loop's condition and body name the same values: the one of the condition. */
gw_value gw_normal_alias(const gw_normal *n, gw_value v);

/* atoms.c: the coordinates and dimensions, and 0 <= threadIdx.x < blockDim.x ... */
void gw_atoms_of_launch(gw_normal *n);
void gw_facts_of_launch(const gw_normal *n, gw_context *c);
#endif
