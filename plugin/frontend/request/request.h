/*
 * frontend/request/request.h - requests: bound to functions before these are lowered, and checked against them
 * after.
 */
#ifndef GRADWRIGHT_FRONTEND_REQUEST_H
#define GRADWRIGHT_FRONTEND_REQUEST_H

#include "plugin/frontend/unit/unit.h"

/* ---- access.c ---- */
/* Whether the request's derivatives may access what its function, which is lowered, does. */
bool gw_front_check_access(gw_unit *u, uint32_t request);

/* ---- annotation.c ---- */
/* False with a diagnostic for each that stands where nobody reads it. */
bool gw_front_check_annotations(gw_unit *u, const gw_cursors *definitions);

/* ---- bodies.c ---- */
/* Whether all bodies that the requested functions need are here, as far as the run's other sources go; false:
 * after a diagnostic, or session->to_join says what is to be read, too. */
bool gw_front_find_bodies(gw_unit *u, const gw_cursors *definitions);

/* ---- coarsen.c ---- */
/* Gives the requests what GW_COARSEN and --coarsen say; false with a diagnostic. */
bool gw_front_coarsen(gw_unit *u, const gw_cursors *definitions);

/* ---- fresh.c ---- */
/* Whether adjoints can be new as the request has it; --fresh adds names to it. False with a diagnostic. */
bool gw_front_check_fresh(gw_unit *u, gw_request *r);

/* ---- global.c ---- */
/* Variables at file scope that the request names become parameters of its function. */
bool gw_front_request_globals(gw_unit *u, const gw_request *request, CXCursor definition);
/* Whether the callees of a function, which are lowered, see file scope as its gradient has it; false with a
 * diagnostic. */
bool gw_front_check_globals(gw_unit *u, const gw_func *f);

/* ---- matrix.c ---- */
/* What is wrong with a name's extent (0: it has none); NULL: nothing is. */
const char *gw_front_extent_wrong(gw_unit *u, const gw_func *f, bool is_array, gw_str extent);
/* Whether a Hessian or Jacobian can be made; false with a diagnostic. */
bool gw_front_check_matrix(gw_unit *u, const gw_request *r);

/* ---- numeric.c ---- */
/* What GW_NUMERIC says of a function; false with a diagnostic. */
bool gw_front_read_numeric(gw_unit *u, const gw_mark *m, gw_rule *out);

/* ---- request.c ---- */
/* Binds every request to a function definition; definitions[i] belongs to session->requests.at[i]. */
bool gw_front_request_bind(gw_unit *u, gw_cursors *definitions);
/* Checks names and types of a request against the lowered function. */
bool gw_front_request_check(gw_unit *u, gw_request *request, CXCursor definition);
bool gw_front_request_check_written(gw_unit *u, gw_request *request);

/* ---- rounding.c ---- */
/* Whether rounding errors can be bounded, by that model; false with a diagnostic. */
bool gw_front_check_rounding(gw_unit *u, const gw_request *r);

/* ---- rule.c ---- */
/* Reads and checks the derivatives that the user wrote. */
bool gw_front_rules(gw_unit *u);

/* ---- suggest.c ---- */
/* Errors about a name in a request that names nothing; `before`: where in the name the member begins. */
void gw_front_say_no_parameter(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name);
void gw_front_say_no_member(gw_unit *u, const gw_request *r, gw_str name, size_t before, gw_shape shape);

#endif
