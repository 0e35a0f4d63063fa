/* The C form of asynchronous copies: done at once. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDACC__)
/* The last `zeros` bytes of the target become 0. */
static __device__ __inline__ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                                          size_t zeros = 0) {
    __builtin_memcpy(to, from, bytes - zeros);
    __builtin_memset(static_cast<char *>(to) + bytes - zeros, 0, zeros);
}
static __device__ __inline__ void __pipeline_commit(void) {}
static __device__ __inline__ void __pipeline_wait_prior(size_t) {}
#endif
#endif
