/*
 * policies.h - the policies of loops of the host, the rows of policies.def.
 */
#ifndef GRADWRIGHT_IR_POLICIES_H
#define GRADWRIGHT_IR_POLICIES_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A loop whose iterations are independent, as std::execution::par says of it. */
typedef enum gw_policy {
    GW_POLICY_NONE,
#define GW_POLICY(id, word) GW_POLICY_##id,
#include "analysis/ir/policies.def"
#undef GW_POLICY
    GW_POLICY_COUNT
} gw_policy;

#ifdef __cplusplus
}
#endif
#endif
