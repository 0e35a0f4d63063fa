/*
 * smt_terms_private.h - a question in Z3's terms: integers without bounds, one constant for each atom and
 * thread (smt.c, smt_terms.c, smt_conditions.c).
 */
#ifndef GW_SMT_TERMS_PRIVATE_H
#define GW_SMT_TERMS_PRIVATE_H
#include "analysis/prove/prove.h"

#include <z3.h>

/* What holds only under assumptions about the launch is asserted under a literal, so that a proof tells which
 * it used. */
typedef struct gw_smt_literal {
    Z3_ast is;
    uint64_t assumed;
} gw_smt_literal;

typedef struct gw_smt_number {
    gw_atom atom; /* marked for the other thread */
    Z3_ast is;
} gw_smt_number;

typedef struct gw_smt_choice { /* a bool of which nothing is known, in one thread */
    gw_value value;
    bool other;
    Z3_ast is;
} gw_smt_choice;

typedef struct gw_smt_question {
    gw_normal *n;
    Z3_context z;
    Z3_solver solver;
    GW_VEC(gw_smt_number) numbers;
    GW_VEC(gw_smt_literal) literals;
    GW_VEC(gw_smt_choice) choices;
    unsigned names; /* of fresh constants */
    bool made_up;   /* a number was left to the solver that threads may never have: no witness */
} gw_smt_question;

/* smt_terms.c */
Z3_ast gw_smt_integer(gw_smt_question *q, int64_t value);
Z3_ast gw_smt_atom(gw_smt_question *q, gw_atom a, bool other);
Z3_ast gw_smt_poly(gw_smt_question *q, const gw_poly *p, bool other);
Z3_ast gw_smt_fresh(gw_smt_question *q, bool is_bool);
void gw_smt_assert(gw_smt_question *q, Z3_ast holds, uint64_t assumed);

/* smt_conditions.c: the conditions under which region c->region runs, in one of the two threads. */
/* What the condition means in one of the two threads, where c holds. */
Z3_ast gw_smt_condition(gw_smt_question *q, gw_context *c, gw_value v, bool other);
void gw_smt_path(gw_smt_question *q, gw_context *c, bool other);
#endif
