/* With the policies behind it (system/detail/generic/select_system.h). */
#ifdef GW_THRUST_POLICIES_LATER
#include_next <thrust/partition.h>
#else
#define GW_THRUST_POLICIES_LATER
#include_next <thrust/partition.h>
#undef GW_THRUST_POLICIES_LATER
#include <thrust/version.h>
#if THRUST_VERSION >= 200000
#include <thrust/execution_policy.h>
#endif
#endif
