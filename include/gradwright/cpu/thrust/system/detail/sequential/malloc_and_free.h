/* device_malloc's memory is the CPU device's, as device_vector's is (system/cpp/memory_resource.h). */
#pragma once
#pragma GCC system_header
#include "../../../../cuda_runtime.h"
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {
template <class Policy> inline __host__ __device__ void *malloc(execution_policy<Policy> &, std::size_t bytes) {
    void *memory = nullptr;
#ifndef __CUDA_ARCH__
    (void)cudaMallocManaged(&memory, bytes);
#endif
    return memory;
}
template <class Policy, class Pointer>
inline __host__ __device__ void free(execution_policy<Policy> &, Pointer pointer) {
#ifndef __CUDA_ARCH__
    (void)cudaFree(thrust::raw_pointer_cast(pointer));
#endif
}
} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END
