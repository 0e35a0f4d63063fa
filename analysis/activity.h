/* activity.h - which values and objects carry a derivative for one request. */
#ifndef GW_ACTIVITY_H
#define GW_ACTIVITY_H
#include "gradwright/ir/ir.h"

typedef struct gw_activity {
    const gw_func *f;
    bool *varied_value, *useful_value;   /* depends on an input; an output depends on it */
    bool *varied_object, *useful_object;
} gw_activity;

/* `independent`/`dependent`: one flag for each parameter of f; returned: the value of RET is an output. */
void gw_activity_new(gw_activity *a, const gw_func *f, const bool *independent, const bool *dependent, bool returned);
void gw_activity_free(gw_activity *a);
static inline bool gw_active_value(const gw_activity *a, gw_value v) {
    return gw_type_is_float(gw_typeof(a->f, v)) && a->varied_value[v] && a->useful_value[v];
}
static inline bool gw_active_object(const gw_activity *a, gw_object o) {
    return a->varied_object[o] && a->useful_object[o];
}
#endif
