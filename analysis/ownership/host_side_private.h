/*
 * host_side_private.h - functions of the host that compute with what a kernel's launch is given: its dimensions
 * and the primal's parameters; and the kernel itself, which has the same.
 */
#ifndef GW_HOST_SIDE_PRIVATE_H
#define GW_HOST_SIDE_PRIVATE_H
#include "analysis/prove/prove.h"

typedef struct gw_host_side {
    const gw_normal *n;  /* of the derivative: whose atoms they are */
    gw_value_map values; /* of the derivative -> of the function: parameters */
    gw_value_map objects;
} gw_host_side;

/* A function of that form, beside the derivative, with the primal's parameters. */
gw_func *gw_host_side_new(gw_host_side *h, const gw_normal *n, gw_form form);
/* The derivative itself. */
void gw_host_side_within(gw_host_side *h, const gw_normal *n);
void gw_host_side_end(gw_host_side *h);
/* The polynomial in a type of 64 bits; `magnitudes`: the sum of what its terms are without their signs. */
gw_value gw_host_side_sum(const gw_host_side *h, gw_builder *b, const gw_poly *p, gw_type type,
                          bool magnitudes);
/* The same of an atom that is a comparison. */
gw_value gw_host_side_truth(const gw_host_side *h, gw_builder *b, const gw_atom_data *d);
/* Whether it is not negative, and that as people read it. */
gw_value gw_host_side_holds(const gw_host_side *h, gw_builder *b, const gw_poly *p, gw_text *text);
#endif
