/* activity.h - which values and objects carry a derivative for one request. */
#ifndef GW_ACTIVITY_H
#define GW_ACTIVITY_H
#include "analysis/ir/ir.h"

/* What a request says of the primal. A cell of a parameter is named by the parameter or by a member of it. An
 * input that the function overwrites is an output too, and an output that it reads an input: its one adjoint
 * goes in as that of the final value and comes out as that of the initial one. */
typedef struct gw_roles {
    bool *independent, *dependent; /* by parameter: it, or a member of it */
    bool *input, *output;          /* by load or store of the primal: what it accesses */
    bool returned;
} gw_roles;
void gw_roles_find(gw_roles *r, const gw_func *f, const gw_request *q);
void gw_roles_free(gw_roles *r);
/* The name's rest (".grid") if it begins with this parameter's name, else NULL. */
const char *gw_roles_member(const gw_session *s, gw_str name, gw_str parameter);

/* Cells of one object and path are one, for objects that are no local ones; a local object is one as a whole. */
typedef struct gw_activity {
    const gw_func *f;
    bool *varied_value, *useful_value; /* depends on an input; an output depends on it */
    bool *varied_object, *useful_object; /* some cell of it */
    uint32_t *cell; /* by op: number of what a load or store accesses, from 1 */
    bool *varied_cell, *useful_cell;
} gw_activity;

/* Numbers the cells that loads and stores access, in cell[op], from 1; how many there are. */
uint32_t gw_number_cells(const gw_func *f, uint32_t *cell);
void gw_activity_new(gw_activity *a, const gw_func *f, const gw_roles *roles);
void gw_activity_free(gw_activity *a);
static inline bool gw_active_value(const gw_activity *a, gw_value v) {
    return gw_type_is_float(gw_typeof(a->f, v)) && a->varied_value[v] && a->useful_value[v];
}
static inline bool gw_active_object(const gw_activity *a, gw_object o) {
    return a->varied_object[o] && a->useful_object[o];
}
static inline bool gw_active_cell(const gw_activity *a, gw_op op) {
    return a->varied_cell[a->cell[op]] && a->useful_cell[a->cell[op]];
}
#endif
