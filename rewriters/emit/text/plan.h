/*
 * plan.h - which ops and values of a function the text needs, and how each value stands in it.
 *
 *   emit/text/need.c        which are needed at all
 *   emit/text/plan.c        which values are printed inside their user's expression, which get a name
 *   emit/text/variable.c    which named values share one C variable
 */
#ifndef GW_EMIT_TEXT_PLAN_H
#define GW_EMIT_TEXT_PLAN_H
#include "analysis/ir/ir.h"

typedef enum gw_emit_form {
    GW_EMIT_NAMED, /* a C variable of its own, or shared */
    GW_EMIT_INLINE /* printed where it is used */
} gw_emit_form;

typedef struct gw_emit_use {
    gw_op at;      /* statement that evaluates the value */
    uint32_t next; /* next use of the same value; 0 ends */
} gw_emit_use;

typedef struct gw_emit_value {
    uint8_t form;
    bool needed;
    bool shared;   /* of a representative: more than one value has this variable */
    bool heavy;    /* inline tree holds a load or a call of a function: not to be repeated */
    uint32_t uses; /* operands of needed ops */
    gw_op user;    /* the last of them */
    uint32_t user_index;
    uint32_t length;    /* estimated characters of the inline text */
    uint32_t first_use; /* of named values: list of places where the text reads them */
    gw_value variable;  /* union-find link: values of one C variable */
    gw_str name;        /* of a representative: the user's name of some member, 0 if none has one */
} gw_emit_value;

typedef struct gw_emit_op {
    bool needed;
    bool expression; /* an IF printed as c ? a : b */
    uint32_t position;
    gw_op at; /* inline: the statement that evaluates it */
} gw_emit_op;

typedef struct gw_emit_write {
    uint32_t position;
    gw_object object; /* 0: any that is not constant */
} gw_emit_write;

typedef struct gw_emit_plan {
    const gw_func *f;
    bool keep_minmax_operands; /* min and max print their operands twice */
    bool keep_shadow_loads;    /* checked build: a claim stands before each access of a shadow */
    gw_emit_value *values;
    gw_emit_op *ops;
    GW_VEC(gw_op) order;          /* needed ops; an op with regions follows what is in them */
    GW_VEC(gw_emit_write) writes; /* by position */
    GW_VEC(gw_emit_use) uses;     /* [0] unused */
} gw_emit_plan;

void gw_emit_plan_make(gw_emit_plan *p, const gw_func *f, bool keep_minmax_operands, bool keep_shadow_loads);
void gw_emit_plan_free(gw_emit_plan *p);
/* The value that stands for v's C variable. */
gw_value gw_emit_variable(const gw_emit_plan *p, gw_value v);
static inline bool gw_emit_is_inline(const gw_emit_plan *p, gw_value v) {
    return p->values[v].form == GW_EMIT_INLINE;
}
#endif
