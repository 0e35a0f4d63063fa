/* smt_none.c - no solver was there when Gradwright was built (contract: prove.h). */
#include "analysis/prove/prove.h"

bool gw_smt_is_built_in(void) { return false; }
gw_smt *gw_smt_new(gw_normal *n, uint32_t budget, uint32_t time) {
    return (void)n, (void)budget, (void)time, NULL;
}
void gw_smt_free(gw_smt *s) { (void)s; }

gw_smt_answer gw_smt_ask(gw_smt *s, const gw_access *r, const gw_access *t, uint32_t one_long,
                         uint64_t *assumed, gw_text *witness) {
    (void)s, (void)r, (void)t, (void)one_long, (void)assumed, (void)witness;
    return GW_SMT_UNKNOWN;
}
