/* CUB brings this header of Thrust's in before the one that must come first: it opens a namespace `detail` that
 * hides Thrust's. With Thrust's own CUDA system the order is the other way round. */
#include <thrust/system/cuda/detail/execution_policy.h>
#include_next <thrust/system/cuda/detail/core/triple_chevron_launch.h>
