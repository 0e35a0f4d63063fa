/* optional.h - the steps that a run can do without, a table: optional.def. */
#ifndef GRADWRIGHT_IR_OPTIONAL_H
#define GRADWRIGHT_IR_OPTIONAL_H
#include "analysis/ir/ir.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum gw_optional {
#define GW_OPTIONAL(ID, name, homes, says) GW_OPTIONAL_##ID,
#include "analysis/ir/optional.def"
#undef GW_OPTIONAL
    GW_OPTIONAL_COUNT
} gw_optional;

const char *gw_optional_name(unsigned step); /* NULL after the last */
const char *gw_optional_says(unsigned step);

/* Asked where the step would change something: false if the run is to do without it, else it is noted that it
 * was taken. */
bool gw_takes(gw_session *s, gw_optional step);

#ifdef __cplusplus
}
#endif
#endif
