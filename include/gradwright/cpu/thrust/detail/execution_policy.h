/* Thrust's CUDA system brings these in everywhere, and programs count on them; its host system does not. Before
 * Thrust 2 they include this one before it is complete. */
#include_next <thrust/detail/execution_policy.h>
#include <thrust/version.h>
#if THRUST_VERSION >= 200000
#include <thrust/execution_policy.h>
#include <thrust/system_error.h>
#endif
