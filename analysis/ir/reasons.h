/*
 * reasons.h - the reasons of decisions, the rows of reasons.def. Only who names one includes it.
 */
#ifndef GRADWRIGHT_IR_REASONS_H
#define GRADWRIGHT_IR_REASONS_H
#include "analysis/ir/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_reason {
    GW_REASON_NONE,
#define GW_REASON(NAME, CODE, words) GW_REASON_##NAME,
#include "analysis/ir/reasons.def"
#undef GW_REASON
    GW_REASON_COUNT
} gw_reason;

/* A reason without arguments. */
static inline gw_why gw_because(gw_reason reason) { return (gw_why){reason, 0, {{0, 0}}}; }

/* ---- names, for the IR's text ---- */
void gw_reason_name(gw_reason reason, gw_text *out); /* "index-from-memory" */
gw_reason gw_reason_by_name(const char *name);       /* GW_REASON_COUNT if there is none */
/* Its own row of diagnostics.def, a gw_diag_code, or GW_DIAG_COUNT. */
uint32_t gw_reason_code(gw_reason reason);

#ifdef __cplusplus
}
#endif
#endif
