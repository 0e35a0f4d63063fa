/*
 * report/findings_private.h - what is known of one derivative, for people: the decisions on its adjoint
 * accesses, what they assume, and its tape. --explain and the report write these and nothing else, so they
 * cannot differ.
 */
#ifndef GW_FACTS_PRIVATE_H
#define GW_FACTS_PRIVATE_H
#include "analysis/ir/ir.h"
#include "rewriters/report/call_words_private.h"

/* An access of adjoint memory. Several identical ones of one place (x*x) are one. */
typedef struct gw_access_fact {
    const gw_session *s;
    gw_op op; /* of the derivative */
    gw_loc loc;
    gw_str update;      /* "d_x[i] +=", "read d_x[i]" */
    gw_str how, reason; /* in words */
    const gw_decision *decision;
} gw_access_fact;

typedef struct gw_assumption_fact {
    char *text;
    bool checked; /* at the launch */
} gw_assumption_fact;

/* What is put on the tape at one place. */
typedef struct gw_slot_fact {
    gw_loc loc;
    gw_str name;   /* of the slot */
    gw_str reason; /* why it is not computed again; 0 where that goes without saying */
    uint32_t bytes;
    bool in_array; /* a local array of the thread, where the rest is in the workspace */
} gw_slot_fact;

/* What else is done otherwise than by the one rule: turned loops, checkpoints, updates that are undone. */
typedef struct gw_note_fact {
    gw_loc loc;
    gw_str text;
} gw_note_fact;

typedef struct gw_facts {
    const gw_func *f;
    GW_VEC(gw_access_fact) accesses; /* in the order of the source */
    GW_VEC(gw_assumption_fact) assumptions;
    GW_VEC(gw_slot_fact) slots; /* in the order of the derivative */
    GW_VEC(gw_note_fact) notes, differences; /* of lines; of calls whose derivatives are differences */
    GW_VEC(char *)
    memory; /* what it expects and does to memory: "adds to d_x: set it to 0 before the first launch" */
    gw_call_facts calls; /* of a program */
} gw_facts;

bool gw_facts_has_differences(const gw_func *f);
/* Whether there is something to tell of a function of the session. */
bool gw_facts_has(const gw_func *f);
void gw_facts_collect(const gw_func *f, gw_facts *out);
void gw_facts_free(gw_facts *facts);

void gw_facts_collect_memory(const gw_func *f, gw_facts *out); /* report/memory.c */

/* ---- report/rate.c ---- */
/* "8 × k times a thread": how often a thread comes to the op. */
void gw_facts_rate(const gw_func *f, gw_op op, gw_text *out);
/* The threads that may be at the cell of an access at the same time. */
const char *gw_facts_company(const gw_func *f, const gw_access_fact *a);
/* What the tape takes. */
void gw_facts_tape_bytes(const gw_facts *facts, gw_text *out);

/* "in local arrays", "on the tape" ... */
const char *gw_facts_tape_place(const gw_func *f, bool in_array);
/* The value that a slot is for: its name without what makes it unique. */
const char *gw_facts_slot_value(const gw_func *f, const gw_slot_fact *slot);
#endif
