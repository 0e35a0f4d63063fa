/*
 * adjoint.h - state shared by the files of the adjoint pass (adjoint*.c).
 */
#ifndef GW_ADJOINT_H
#define GW_ADJOINT_H
#include "activity.h"
#include "gradwright/ir/ir.h"
#include "restructure.h"

/* What the forward sweep left for the reverse of one loop or branch. */
typedef struct gw_kept {
    gw_value trip;                /* executed iterations (WHILE, EXIT), 0 where the header tells */
    bool any_order;               /* iterations do not feed each other through needed values */
    GW_VEC(gw_object) slots;      /* carried value i: its tape slot, 0 if it has none */
    GW_VEC(gw_object) iteration;  /* local objects taped at the start of each iteration */
    GW_VEC(gw_object) iteration_slots; /* their slots, one for each scalar leaf, in order */
    GW_VEC(gw_object) copied;     /* local objects copied before the op ... */
    GW_VEC(gw_object) copies;     /* ... and where to */
} gw_kept;

typedef struct gw_adjoint {
    const gw_func *primal;
    gw_func *f;
    gw_builder b;
    gw_cloner c;          /* primal -> derivative: values and objects as they stand now */
    gw_activity activity;
    gw_value_map adjoint; /* primal value -> its adjoint so far, 0 = none */
    gw_value_map shadow;  /* primal object -> shadow in f */
    uint32_t *uses;       /* of each primal value */
    gw_kept *kept;        /* by primal op */
    gw_object poison;     /* slot that stands for values which the reverse sweep must not need */
} gw_adjoint;

/* adjoint_region.c: forward ops of primal region r at the builder, then their reverse. The caller has set
 * the arguments' values; seeds: adjoint of yield operand i (0 = none), `lead` operands are skipped. */
void gw_adjoint_region(gw_adjoint *a, gw_region r, const gw_value *seeds, uint32_t count, uint32_t lead);
void gw_adjoint_add(gw_adjoint *a, gw_value primal, gw_value contribution);
gw_value gw_adjoint_of(const gw_adjoint *a, gw_value primal);
gw_value gw_adjoint_zero(gw_adjoint *a, gw_value primal); /* constant 0 of its type at the builder */
/* Active values defined outside of op that something inside may add to; caller frees .at */
typedef struct gw_value_list {
    gw_value *at;
    uint32_t count, room;
} gw_value_list;
void gw_adjoint_outer_values(gw_adjoint *a, gw_op op, gw_value_list *list);

/* adjoint_loop.c */
void gw_adjoint_loop_forward(gw_adjoint *a, gw_op op);
void gw_adjoint_loop_reverse(gw_adjoint *a, gw_op op);

/* adjoint_state.c: local objects whose contents a repeated part needs as they were */
void gw_adjoint_copy_objects(gw_adjoint *a, gw_op op);    /* before the forward op */
void gw_adjoint_restore_objects(gw_adjoint *a, gw_op op); /* before its reverse */
void gw_adjoint_find_iteration_objects(gw_adjoint *a, gw_op loop);
void gw_adjoint_push_objects(gw_adjoint *a, gw_op loop, gw_builder *at);
void gw_adjoint_pop_objects(gw_adjoint *a, gw_op loop, gw_builder *at);
bool gw_adjoint_has_iteration_objects(const gw_adjoint *a, gw_op loop);
gw_object gw_adjoint_slot(gw_adjoint *a, gw_str name, gw_type type);
void gw_adjoint_push(gw_adjoint *a, gw_builder *b, gw_object slot, gw_value v);
gw_value gw_adjoint_pop(gw_adjoint *a, gw_builder *b, gw_object slot, gw_type type, gw_str name);

/* adjoint_memory.c */
void gw_adjoint_load(gw_adjoint *a, gw_op op);
void gw_adjoint_store(gw_adjoint *a, gw_op op);
void gw_adjoint_declare_shadow(gw_adjoint *a, gw_object primal_object);
#endif
