// Calls of CUB's device-wide algorithms, which are made twice, and the operators of whatever CUB there is.
#pragma once
#include <cub/device/device_reduce.cuh>
// headers of the one kind between those of the other
#include <cub/block/block_exchange.cuh>
#include <cub/device/device_for.cuh>

#include <cub/cub.cuh>
#if __has_include(<cuda/__functional/maximum.h>)
#include <cuda/functional>
#include <cuda/std/functional>
typedef cuda::std::plus<> sum;
typedef cuda::maximum<> greatest;
typedef cuda::std::equal_to<> equal;
#else
typedef cub::Sum sum;
typedef cub::Max greatest;
typedef cub::Equality equal;
#endif

#define TWICE(call, ...)                                                                                       \
    do {                                                                                                       \
        void *storage = nullptr;                                                                               \
        size_t bytes = 0;                                                                                      \
        call(storage, bytes, __VA_ARGS__);                                                                     \
        cudaMallocAsync(&storage, bytes, stream);                                                              \
        call(storage, bytes, __VA_ARGS__);                                                                     \
        cudaFreeAsync(storage, stream);                                                                        \
    } while (0)

/* associative and commutative: (1 + a)(1 + b) - 1 */
template <class T> struct compound {
    __host__ __device__ T operator()(T a, T b) const { return a + b + a * b; }
};
