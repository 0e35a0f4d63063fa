/*
 * signature.h - what derivatives of all forms share: how the primal's objects and parameters come to stand first
 * in a derivative, and what the parameters of adjoints and tangents look like.
 */
#ifndef GW_SIGNATURE_H
#define GW_SIGNATURE_H
#include "analysis/facts/activity.h"
#include "analysis/ir/restructure.h"

bool gw_signature_names(const gw_str *list, uint32_t count, gw_str name);
/* A new derivative of a form, without parameters yet: named and placed as the primal and the request say. */
gw_func *gw_signature_func(const gw_func *primal, uint32_t request, gw_form form);
gw_str gw_signature_prefixed(gw_session *s, const char *prefix, gw_str name);
/* Whether the function has an op of this code on the object (0: none). */
bool gw_signature_has(const gw_func *f, gw_opcode code, gw_object o);
bool gw_signature_writes(const gw_func *f, gw_object o); /* a store, or a call that is given its address */
/* Objects and parameters of c->from at the front of `to`; the map of c says which is which. */
void gw_signature_copy(gw_cloner *c, gw_func *to);

/* The type of an adjoint's or tangent's cells: where these are pointers, they lead to no const ones. */
/* The C text of the mirror of an object of type t, whose own is `text`: adjoints of half precision are floats. */
gw_str gw_signature_mirror_text(gw_session *s, gw_type t, gw_str text);
gw_type gw_signature_mirror_type(gw_session *s, gw_type t);
/* What a pointer to the object leads to: the object itself, of a variable that is an array its element. */
gw_type gw_signature_cell_type(const gw_session *s, const gw_object_data *object);
/* Whether a cell of the object is reached in its shadow, which a pointer leads to, by an index 0 more. */
bool gw_signature_is_behind(const gw_session *s, const gw_object_data *object, const gw_object_data *shadow);
/* "float *__restrict__"; pointer to the type whose spelling is `cell`. primal: the object it mirrors, or NULL. */
char *gw_signature_pointer_text(const gw_session *s, const gw_object_data *primal, const char *cell);

/* Active memory that neither the request names nor one thread forwards is an error: its derivative would be lost. */
bool gw_signature_check(const gw_activity *a, const gw_roles *roles);
void gw_signature_warn_unused(const gw_activity *a, const gw_request *q);
#endif
