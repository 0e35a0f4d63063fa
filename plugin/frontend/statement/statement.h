/*
 * frontend/statement/statement.h - statements and loops.
 *
 * Ownership: what a trial finds out (gw_discovery) is the lowering's, L->loops, and freed with it.
 */
#ifndef GRADWRIGHT_FRONTEND_STATEMENT_H
#define GRADWRIGHT_FRONTEND_STATEMENT_H

#include "plugin/frontend/state/state.h"

/* ---- clause.c ---- */
/* A loop as the engine sees it: null cursors where a clause is absent. */
typedef struct gw_loop {
    CXCursor statement, init, variable, condition, increment, body;
    bool test_last;
    const gw_cursors *list; /* in place of a body: statements that a goto begins again with; else NULL */
    bool over_range; /* range-for: elements 0..count of `range`, the index in a slot */
    gw_place range; /* array or std::vector; of another class, the element that its begin() points to */
    gw_value count; /* of another class: end() - begin() */
    bool is_walk;   /* `range` is a table or text that can be asked (call/walk.c); the slot holds an iterator */
    bool has_mark;
    uint32_t mark_slot;
    uint32_t index_slot;
    uint32_t first_slot; /* slots from here on are the loop's own */
    int64_t checkpoint;  /* GW_CHECKPOINT's number, 0: none */
    uint16_t policy;     /* gw_policy */
    uint32_t meetings;   /* L->openmp_meetings in front of it */
} gw_loop;

/* Lowers an init statement that libclang does not show: the variables that what follows in the header or body
 * uses. */
void gw_front_hidden_init(gw_lowering *L, CXCursor statement, CXCursor next);
gw_loop gw_front_loop_clauses(gw_lowering *L, CXCursor statement);
gw_value gw_front_loop_condition(gw_lowering *L, const gw_loop *loop);
void gw_front_loop_increment(gw_lowering *L, const gw_loop *loop);
/* Opens and closes GW_EXIT_CONTINUE; of a list the exit to its label, and sets the last open exit behind it. */
void gw_front_loop_body(gw_lowering *L, const gw_loop *loop);

/* ---- discover.c ---- */
/* What the trial of a loop found out. A reference is a value from before the loop, or GW_NODE | node. */
enum { GW_NODE = 1 << 30 };

typedef struct gw_node {
    gw_op_data op; /* CONST, pure op or load that the loop leaves alone */
    gw_type type;
    uint32_t operand[GW_PLACE_INDICES];
    uint32_t operands;
    uint32_t slot, index; /* slot != UINT32_MAX: value of this slot (index of this pointer) before the loop */
    CXCursor global;      /* file-scope variable that is read, or null */
} gw_node;

struct gw_discovery {
    CXCursor loop;
    uint32_t slots; /* state that it was made in: what it says of slots and objects holds in an equal one */
    uint64_t state;
    bool borrows;             /* nodes name values of a trial around it: of no use after that */
    gw_slot_changes sets;     /* slots that the loop sets (values unused) */
    GW_VEC(gw_targets) targets; /* of each of them: where a pointer leads to at its begin or end */
    bool exits;               /* break or return inside */
    bool pure_condition;
    /* for (counter; counter <compare> bound; counter +- step) */
    bool counted, subtract, widened, increment_matters;
    bool steps_in_condition; /* while (n-- > 0): the condition sets the counter and nothing else */
    uint32_t counter;        /* slot */
    gw_opcode compare;
    gw_type type; /* of the comparison */
    GW_VEC(gw_node) nodes;
    uint32_t bound, step; /* references */
};

/* What a trial finds out, which the lowering owns; NULL: it failed. */
gw_discovery *gw_front_discover(gw_lowering *L, const gw_loop *loop);
void gw_front_discovery_free(gw_discovery *d);

/* ---- counter.c ---- */
typedef struct gw_trial_arg {
    /* index UINT32_MAX: a scalar; GW_OF_CHOICE: a value of a pointer to several objects */
    uint32_t slot, index;
} gw_trial_arg;

enum { GW_OF_CHOICE = 1 << 20 };

/* The trial of a loop, while it is under way: gw_front_discover owns it. */
typedef struct gw_trial {
    gw_value first_value, first_arg; /* values and arguments that the trial made */
    uint32_t first_object, first_slot, first_store;
    GW_VEC(gw_trial_arg) args;
    gw_value condition;
    gw_slot_changes increment_sets; /* by the increment */
    bool increment_acts;            /* it stores, calls or loops */
} gw_trial;

void gw_front_counter_find(gw_lowering *L, gw_trial *t, gw_discovery *d);
/* Emits bound and step of a counted loop at the builder's place. */
void gw_front_counter_replay(gw_lowering *L, const gw_discovery *d, gw_value *bound, gw_value *step);

/* ---- function.c ---- */
/* The name of the parameter that is a member function's object; 0: it has none. */
gw_str gw_front_self_name(gw_unit *u, CXCursor function);

/* ---- jump.c ---- */
/* The last label of the list that a statement before it jumps to; the list's count: none. */
uint32_t gw_front_jumped_to(const gw_lowering *L, const gw_cursors *list);
/* Behind the last statement from `at` on that jumps back to it; `at`: it is no such label. */
uint32_t gw_front_jumped_back(const gw_lowering *L, const gw_cursors *list, uint32_t at);
void gw_front_jump(gw_lowering *L, CXCursor jump);

/* ---- loop.c ---- */
void gw_front_loop(gw_lowering *L, CXCursor statement);
/* Statements of which the first is a label that they jump back to. */
void gw_front_repeat(gw_lowering *L, const gw_cursors *list);

/* ---- mark.c ---- */
/* Whether all checkpoints that were asked for from outside have a loop, else there are errors. */
bool gw_front_check_checkpoints(gw_session *s);
/* Lowers GW_CHECKPOINT(n) LOOP, GW_STORE(x); false: the statement is none. */
bool gw_front_mark(gw_lowering *L, CXCursor statement);
/* The number of checkpoints that are asked for from outside; 0: none are. */
int64_t gw_front_given_checkpoint(gw_lowering *L, CXCursor loop);

/* ---- statement.c ---- */
void gw_front_list(gw_lowering *L, const gw_cursors *list, uint32_t from);
void gw_front_block(gw_lowering *L, const gw_cursors *list); /* with its own scope */
void gw_front_declare(gw_lowering *L, CXCursor variable);
/* Binds the names of a structured binding. */
void gw_front_bind_parts(gw_lowering *L, CXCursor declaration, gw_place of);

/* ---- switch.c ---- */
void gw_front_switch(gw_lowering *L, CXCursor statement);
/* Lowers a statement of a list that a case label stands in; false: there is none. */
bool gw_front_entered(gw_lowering *L, CXCursor statement);

/* ---- enclosed.c ---- */
void gw_front_read_try(gw_lowering *L, CXCursor statement, CXCursor body); /* refuses what may throw unseen */

/* ---- try.c ---- */
void gw_front_try(gw_lowering *L, CXCursor statement);
/* Ends what gw_front_unthrown_begin began since there were `first` of them. */
void gw_front_unthrown_end(gw_lowering *L, uint32_t first);

#endif
