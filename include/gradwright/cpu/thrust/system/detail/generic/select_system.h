/* What every algorithm of Thrust includes, and no header of types: thrust::device is there with each of them,
 * as Thrust's CUDA system has it. The policies include some algorithms themselves; those that they cannot be
 * read in the middle of bring them behind their own end (copy.h, partition.h). */
#include_next <thrust/system/detail/generic/select_system.h>
#include <thrust/version.h>
#if THRUST_VERSION >= 200000 && !defined(GW_THRUST_POLICIES_LATER)
#include <thrust/execution_policy.h>
#endif
