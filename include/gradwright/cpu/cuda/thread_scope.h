/* How far a synchronisation reaches: libcu++'s own names where a toolkit has them, so that its other headers
 * can be used beside these. Sizes that are known to be aligned, too. */
#ifndef GW_CPU_CUDA_THREAD_SCOPE_H
#define GW_CPU_CUDA_THREAD_SCOPE_H

#ifdef GW_TOOLKIT_GROUPS /* gradwright/groups/cuda: read beside a toolkit's headers */
extern "C" __device__ void gw_cpu_yield(void) noexcept;
#else
#include "../cuda_runtime.h"
#endif
#include "../copied_together.h"

#if defined(__has_include) && __has_include(<cuda/std/__atomic/scopes.h>)
#include <cuda/std/__atomic/scopes.h>
namespace cuda {
using std::thread_scope;
using std::thread_scope_block;
using std::thread_scope_device;
using std::thread_scope_system;
using std::thread_scope_thread;
} // namespace cuda
#else
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
}
#endif

#if defined(__has_include) && __has_include(<cuda/__memory/aligned_size.h>)
#include <cuda/__memory/aligned_size.h>
#elif defined(__has_include) && __has_include(<cuda/__barrier/aligned_size.h>)
#include <cuda/__barrier/aligned_size.h>
#else
namespace cuda {
template <size_t Alignment> struct aligned_size_t {
    size_t value;
    __host__ __device__ explicit aligned_size_t(size_t size) : value(size) {}
    __host__ __device__ operator size_t() const { return value; }
};
} // namespace cuda
#endif

#endif
