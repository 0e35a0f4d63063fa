/* Attributes of CUDA source for the CPU device. In a plain C or C++ file they are empty. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#define GW_CPU_DEVICE 1 /* the headers in use are the CPU device's, not NVIDIA's */
#include "toolkit_guards.h"

#if defined(__CUDA__) && defined(__clang__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __host__   __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#ifdef GW_CPU_CODEGEN
/* Device code generation: a constant would land in read-only memory, where cudaMemcpyToSymbol
   could not write it. */
#define __constant__ __attribute__((device))
#else
#define __constant__ __attribute__((constant))
#endif
/* The device pass has a variable of the device's, which becomes that of the host pass
   (plugin/clang_plugin/managed.cpp). */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device, annotate("gradwright:managed")))
#else
#define __managed__
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __managed__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#define __grid_constant__
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __device_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n)         __attribute__((aligned(n)))
#define __forceinline__      __inline__ __attribute__((always_inline))
#ifndef __cplusplus
#define __noinline__ __attribute__((noinline))
#endif
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#ifndef CUDAAPI
#define CUDAAPI
#endif
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define __NV_SILENCE_HOST_DEPRECATION_BEGIN
#define __NV_SILENCE_HOST_DEPRECATION_END
/* What the CPU device cannot do is an error where it is called, in these words. */
#if defined(__has_attribute) && __has_attribute(unavailable)
#define GW_CPU_CANNOT(why) __attribute__((unavailable(why)))
#else
#define GW_CPU_CANNOT(why) __attribute__((error(why)))
#endif

#endif
