/* promise.h - statements about index lists as text: "f: injective list". */
#ifndef GW_PROMISE_H
#define GW_PROMISE_H
#include "analysis/ir/ir.h"

/* "injective list", from text to end. */
bool gw_promise_read(gw_session *s, const char *text, const char *end, gw_promise *out);
/* Notes "f: injective list" in the session; false with a diagnostic if it is no promise. */
bool gw_promise_add(gw_session *s, const char *text, gw_loc loc);
#endif
