/* Thrust's CUDA system brings this in everywhere, and programs count on it; its host system does not. Before
 * Thrust 2 it includes this one before it is complete. */
#include_next <thrust/detail/execution_policy.h>
#include <thrust/version.h>
#if THRUST_VERSION >= 200000
#include <thrust/system_error.h>
#endif
