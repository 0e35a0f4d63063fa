/*
 * policies.h - the policies of loops of the host, the rows of policies.def.
 */
#ifndef GRADWRIGHT_IR_POLICIES_H
#define GRADWRIGHT_IR_POLICIES_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A loop whose iterations are independent, as std::execution::par or `omp parallel for` says of it. */
typedef enum gw_policy {
    GW_POLICY_NONE,
#define GW_POLICY(id, word, shared_by, means) GW_POLICY_##id,
#include "analysis/ir/policies.def"
#undef GW_POLICY
    GW_POLICY_COUNT
} gw_policy;

/* Who shares the loop out: an algorithm of the library, threads of OpenMP. */
bool gw_policy_is_library(unsigned policy);
bool gw_policy_is_openmp(unsigned policy);
const char *gw_policy_means(unsigned policy); /* what a source writes for it */

#ifdef __cplusplus
}
#endif
#endif
