/*
 * policies.c - the rows of policies.def (contract: policies.h).
 */
#include "analysis/ir/policies.h"

typedef enum shared_by { NOBODY, LIBRARY, OPENMP } shared_by;
static const struct {
    shared_by by;
    const char *means;
} rows[] = {{NOBODY, ""},
#define GW_POLICY(id, word, shared_by, means) {shared_by, means},
#include "analysis/ir/policies.def"
#undef GW_POLICY
};

static bool is_by(unsigned policy, shared_by by) { return policy < GW_POLICY_COUNT && rows[policy].by == by; }
bool gw_policy_is_library(unsigned policy) { return is_by(policy, LIBRARY); }
bool gw_policy_is_openmp(unsigned policy) { return is_by(policy, OPENMP); }
const char *gw_policy_means(unsigned policy) { return policy < GW_POLICY_COUNT ? rows[policy].means : ""; }
