/*
 * thrust/execution_policy.h and those beside it - what Gradwright reads in the place of Thrust's headers, so
 * that programs which call Thrust are programs that allocate, copy and launch kernels (../kernels.cuh), and
 * have gradients as such. Nothing else is compiled against them: a program is compiled with Thrust itself.
 *
 * A name that is not here is unknown while Gradwright reads; it then reads the source with Thrust's own
 * headers, and refuses algorithms by name where they are to be differentiated.
 */
#ifndef GRADWRIGHT_THRUST_EXECUTION_POLICY_H
#define GRADWRIGHT_THRUST_EXECUTION_POLICY_H

#include <cuda_runtime.h>
#include <stddef.h>

namespace thrust {
struct gw_policy {
    cudaStream_t stream;
};
struct gw_default_policy {
    operator gw_policy() const { return gw_policy{nullptr}; }
    gw_policy on(cudaStream_t stream) const { return gw_policy{stream}; }
};
static const gw_default_policy device;
namespace cuda {
static const gw_default_policy par, par_nosync;
}
} // namespace thrust

#endif
