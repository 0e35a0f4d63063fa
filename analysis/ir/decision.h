/*
 * decision.h - what is decided on accesses of adjoint memory, as data: one record from the proof to the report
 * (session->decisions), and another for the rung that an addition takes or does not (session->choices).
 *
 * Nobody reads a reason's words: passes and reports read its row of reasons.def and its arguments. The words
 * are made of the record in one place (decision.c), when they are written: into the emitted text, a diagnostic,
 * --explain, the report, the SARIF log.
 */
#ifndef GRADWRIGHT_IR_DECISION_H
#define GRADWRIGHT_IR_DECISION_H
#include "analysis/ir/support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a reason speaks of, as it was then: the text of a reference, an index or a name, a number (a line,
 * costs, coordinates), or both. */
typedef struct gw_argument {
    gw_str text;
    uint32_t number;
} gw_argument;

enum { GW_MOST_ARGUMENTS = 8 };
typedef struct gw_why {
    uint32_t reason; /* a gw_reason (reasons.h) */
    uint32_t count;
    gw_argument argument[GW_MOST_ARGUMENTS];
} gw_why;

/* Who else comes to a cell that is not one thread's. */
typedef enum gw_company { GW_COMPANY_ANY, GW_COMPANY_BLOCK, GW_COMPANY_WARP } gw_company;

typedef struct gw_decision {
    gw_why why;
    uint32_t code; /* a gw_diag_code, under which it is reported: the reason's own, if nothing else is said */
    uint16_t how; /* a gw_accumulate; undecided: how the access was made is said, for a decision to come */
    gw_company company;
    gw_str reference;  /* the access as it was, "d_x[i]": its index may be folded later */
    gw_str other;      /* the primal's reference that it may meet, "x[i + 1]"; 0: none */
    gw_loc other_loc;
    gw_str witness;    /* two threads and the cell at which they meet, in words; 0: none is known */
    uint32_t made;     /* another record: how the access was made; 0: as the adjoint of one access */
    uint32_t choice;   /* of an addition that threads share, the last one: session->choices; 0: none */
} gw_decision;

typedef struct gw_rung_choice {
    uint16_t rung; /* a gw_rung */
    uint16_t how; /* the gw_accumulate that the addition has by now: the rung's, or what was made of it since; 0
                     of a refused one */
    bool refused;
    uint32_t decision; /* on the addition */
    gw_why why;
    gw_str reference; /* the addition as it was */
} gw_rung_choice;

struct gw_session;

/* One argument more; text NULL: a number alone. */
void gw_why_add(struct gw_session *s, gw_why *w, const char *text, uint32_t number);

bool gw_why_same(const gw_why *a, const gw_why *b);

/* Adds the record; how an access was made that has no decision yet; a rung chosen or refused. The handle. */
uint32_t gw_decision_add(struct gw_session *s, gw_decision d);
uint32_t gw_decision_made(struct gw_session *s, gw_why why);
uint32_t gw_rung_choice_add(struct gw_session *s, gw_rung_choice c);

/* It rests on the primal having no data race. */
bool gw_decision_by_premise(const gw_decision *d);
/* The array that holds copies of the access's cells, by name; 0: none does. */
gw_str gw_decision_copied(const struct gw_session *s, uint32_t decision);
/* Records of which the same is said, of whatever access; `but_copied`: of copies in whatever arrays. */
bool gw_decision_alike(const struct gw_session *s, uint32_t a, uint32_t b, bool but_copied);

/* ---- words (decision.c has all of them) ---- */
/* "plain", "atomic", ...: the word for an access's attr. */
const char *gw_accumulate_word(unsigned how);
void gw_why_text(const struct gw_session *s, const gw_why *w, gw_text *out);
/* The reason, who comes to the cell, how the access was made. */
void gw_decision_reason(const struct gw_session *s, uint32_t decision, gw_text *out);
/* The same behind how the access is made safe, "atomic: ...", for the emitted text; of decisions that are alike
 * but for the arrays that hold copies. */
void gw_decision_note(const struct gw_session *s, unsigned how, const uint32_t *decisions, uint32_t count,
                      gw_text *out);
/* "d_x[i]: atomic (...)" */
void gw_decision_message(const struct gw_session *s, uint32_t decision, gw_text *out);
/* Adds what may help: where two threads are known to meet, no other spelling of the index does; nothing where
 * nothing may. */
void gw_decision_way_out(const struct gw_session *s, const gw_decision *d, gw_text *out);
/* "no slots (...)", "grid (...)"; and "d_x[i]: warp (...)", as the addition is made by now */
void gw_rung_choice_text(const struct gw_session *s, uint32_t choice, gw_text *out);
void gw_rung_choice_message(const struct gw_session *s, uint32_t choice, gw_text *out);

#ifdef __cplusplus
}
#endif
#endif
