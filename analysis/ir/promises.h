/*
 * promises.h - what users promise of lists, the rows of promises.def. Only who names a promise includes it.
 */
#ifndef GRADWRIGHT_IR_PROMISES_H
#define GRADWRIGHT_IR_PROMISES_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the user states of the lists of a function, by name ("list", "d.list"); the words stand in
 * promises.def. */
typedef enum gw_promise_kind {
#define GW_PROMISE(KIND, word, macro, says) GW_PROMISE_##KIND,
#include "analysis/ir/promises.def"
#undef GW_PROMISE
    GW_PROMISE_COUNT
} gw_promise_kind;
typedef struct gw_promise_row {
    const char *word, *macro, *says;
} gw_promise_row;
extern const gw_promise_row gw_promise_rows[GW_PROMISE_COUNT];

#ifdef __cplusplus
}
#endif
#endif
