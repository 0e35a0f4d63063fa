/* threadIdx and its kin: thread-local variables of the CPU device's runtime. */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "vector_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)
#ifdef GW_CPU_CODEGEN
/* Code generation: one set for each operating system thread, found at a fixed offset. */
#define GW_CPU_INDEX(symbol) __asm__(symbol) __attribute__((tls_model("initial-exec")))
extern __device__ __thread const uint3 threadIdx GW_CPU_INDEX("gw_cpu_thread_index");
extern __device__ __thread const uint3 blockIdx GW_CPU_INDEX("gw_cpu_block_index");
extern __device__ __thread const dim3 blockDim GW_CPU_INDEX("gw_cpu_block_size");
extern __device__ __thread const dim3 gridDim GW_CPU_INDEX("gw_cpu_grid_size");
#undef GW_CPU_INDEX
#else
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
#endif
static constexpr int warpSize = 32;
#endif

#endif
