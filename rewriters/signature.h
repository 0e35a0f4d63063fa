/*
 * signature.h - what derivatives of all forms share: which parameters of the primal take part in a request, and
 * how the primal's objects and parameters come to stand first in a derivative.
 */
#ifndef GW_SIGNATURE_H
#define GW_SIGNATURE_H
#include "activity.h"
#include "restructure.h"

typedef struct gw_roles {
    bool *independent, *dependent; /* by parameter of the primal */
    bool returned;                 /* the returned value is the output */
} gw_roles;

/* An input that the function overwrites is an output too, and an output that it reads an input: its one
 * adjoint (tangent) goes in as that of one end of the function and comes out as that of the other. */
void gw_roles_find(const gw_func *primal, const gw_request *q, gw_roles *r);
void gw_roles_free(gw_roles *r);

bool gw_signature_names(const gw_str *list, uint32_t count, gw_str name);
gw_str gw_signature_prefixed(gw_session *s, const char *prefix, gw_str name);
/* Whether the function has an op of this code on the object (0: none). */
bool gw_signature_has(const gw_func *f, gw_opcode code, gw_object o);
/* Objects and parameters of c->from at the front of `to`; the map of c says which is which. */
void gw_signature_copy(gw_cloner *c, gw_func *to);

/* Active memory that neither the request names nor one thread forwards is an error: its derivative would be
 * lost. `shadow`: by object of the primal, 0 where there is none. */
bool gw_signature_check(const gw_activity *a, const gw_value_map *shadow);
void gw_signature_warn_unused(const gw_activity *a, const gw_request *q);
#endif
