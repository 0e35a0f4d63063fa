/*
 * optional.c - which of the steps of optional.def a run takes (contract: optional.h).
 */
#include "analysis/ir/optional.h"

static const struct {
    const char *name, *says;
} rows[GW_OPTIONAL_COUNT] = {
#define GW_OPTIONAL(ID, name, homes, says) {name, says},
#include "analysis/ir/optional.def"
#undef GW_OPTIONAL
};

_Static_assert(GW_OPTIONAL_COUNT <= 64, "gw_options.without has a bit for each");

const char *gw_optional_name(unsigned step) { return step < GW_OPTIONAL_COUNT ? rows[step].name : NULL; }
const char *gw_optional_says(unsigned step) { return rows[step].says; }

bool gw_takes(gw_session *s, gw_optional step) {
    const uint64_t bit = (uint64_t)1 << step;
    const bool takes = !(s->options.without & bit);
    if (takes) s->taken |= bit;
    return takes;
}
