/*
 * atomic.h - the atomic operations, the rows of atomic.def.
 */
#ifndef GRADWRIGHT_IR_ATOMIC_H
#define GRADWRIGHT_IR_ATOMIC_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* attr of ATOMIC */
typedef enum gw_atomic {
    GW_ATOMIC_NONE,
#define GW_ATOMIC(NAME, text, values, floats, spelling) GW_ATOMIC_##NAME,
#include "analysis/ir/atomic.def"
#undef GW_ATOMIC
    GW_ATOMIC_COUNT
} gw_atomic;
typedef struct gw_atomic_row {
    const char *text, *spelling;
    uint32_t values;
    char floats; /* '+', 'w', '-' or 't' */
} gw_atomic_row;
extern const gw_atomic_row gw_atomic_rows[GW_ATOMIC_COUNT];

#ifdef __cplusplus
}
#endif
#endif
