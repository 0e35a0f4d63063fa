/*
 * diagnostics.h - everything that is said to the user, by its row of diagnostics.def, one for each thing that
 * can go wrong. Only who names a row or records one includes it, so that a new row compiles no other file anew.
 */
#ifndef GRADWRIGHT_IR_DIAGNOSTICS_H
#define GRADWRIGHT_IR_DIAGNOSTICS_H
#include "analysis/ir/support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_diag_code {
#define GW_DIAG(code, severity, text, way_out) GW_DIAG_##code,
#include "analysis/ir/diagnostics.def"
#undef GW_DIAG
    GW_DIAG_COUNT
} gw_diag_code;

typedef struct gw_diag_row {
    const char *name; /* in capitals */
    gw_severity severity;
    const char *text, *way_out;
} gw_diag_row;
extern const gw_diag_row gw_diag_rows[GW_DIAG_COUNT];
/* "unknown-name" */
void gw_diag_name(gw_diag_code code, gw_text *out);
bool gw_diag_is_bare(gw_diag_code code); /* its text is what it is given, and no more */
gw_diag_code gw_diag_by_name(const char *name); /* GW_DIAG_COUNT if there is none */

/* Records a diagnostic; arguments as the row's text wants them. Errors make gw_session_failed true. */
void gw_diag(struct gw_session *s, gw_diag_code code, gw_loc loc, ...);
/* The same of a decision, or (choice not 0) of its rung, in words that are made when they are asked for. */
void gw_diag_decision(struct gw_session *s, gw_diag_code code, gw_loc loc, uint32_t decision, uint32_t choice);
/* Records the errors of the other session, with their notes, that are not recorded yet. */
void gw_diag_take_errors(struct gw_session *s, const struct gw_session *from);
/* In the order of the files' lines; what has no place comes first, and a note stays behind what it is of. */
void gw_diag_sort(struct gw_session *s);
void gw_diag_message(const struct gw_session *s, const gw_diagnostic *d, gw_text *out);
void gw_diag_way_out(const struct gw_session *s, const gw_diagnostic *d, gw_text *out); /* nothing: none */

#ifdef __cplusplus
}
#endif
#endif
