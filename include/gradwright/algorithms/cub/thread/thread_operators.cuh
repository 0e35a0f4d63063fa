/* Functors that CUB had until CCCL 3, and those of the C++ library that took their place. */
#ifndef GRADWRIGHT_CUB_THREAD_OPERATORS_CUH
#define GRADWRIGHT_CUB_THREAD_OPERATORS_CUH
#pragma GCC system_header
#if __has_include(<cuda/std/functional>)
#include <cuda/std/functional>
#define GW_HAS_CUDA_STD
#endif
#if __has_include(<cuda/functional>)
#include <cuda/functional>
#endif
#if __has_include(<cuda/__functional/maximum.h>)
#define GW_HAS_CUDA_MAXIMUM
#endif

namespace cub {
struct Sum {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
    template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a == b; }
};
} // namespace cub
#endif
