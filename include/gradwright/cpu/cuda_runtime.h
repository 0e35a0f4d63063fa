/* The CPU device's stand-in for CUDA's <cuda_runtime.h>.
 *
 * It is parsed by Clang in three ways: the host pass and the device pass of `gwcc --device=cpu`,
 * and the front end's libclang parse, whose exact flags `gwcc --print-parse-flags` prints:
 *   -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent
 *   -Xclang -target-sdk-version=11.8 -Xclang -aux-triple -Xclang <host triple>
 *   -I<include> -isystem <include>/gradwright/cpu -include <include>/gradwright/cpu/cuda_runtime.h
 *   -Xclang -fcuda-is-device -U__CUDA_ARCH__ -D__CUDA_ARCH__=800 -std=c++17
 * The device pass adds -DGW_CPU_CODEGEN, which only changes how `__constant__` and threadIdx are
 * stored. A plain C or C++ file gets the runtime API and the vector types.
 */
#ifndef GW_CPU_CUDA_RUNTIME_H
#define GW_CPU_CUDA_RUNTIME_H

/* However it is found: no warnings from here, and tools can tell it from the user's source. */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

// clang-format off: the order matters
#include "host_defines.h"

#if defined(__cplusplus) && defined(__CUDACC__)
/* The C library and <cmath> are callable from device code; the rest of the C++ library keeps its own
   attributes (constexpr functions are host+device in any case). <cstddef> comes first because the
   C++ library's configuration must stay the host's; <new> wants malloc. */
#include <cstddef>
#pragma clang force_cuda_host_device begin
#include <stdlib.h>
#pragma clang force_cuda_host_device end
#include <new>
#include <utility>
#include <bits/stl_algobase.h>
#pragma clang force_cuda_host_device begin
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cstdio>
#pragma clang force_cuda_host_device end
#endif

#include "vector_types.h"
#include "vector_functions.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
// clang-format on

#ifdef __cplusplus
/* Typed forms of the runtime API. */
template <class T> inline cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class T> inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t s) {
    return cudaMallocAsync(reinterpret_cast<void **>(pointer), size, s);
}
template <class T> inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = cudaHostAllocDefault) {
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
    return cudaHostAlloc(reinterpret_cast<void **>(pointer), size, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol(reinterpret_cast<const void *>(&symbol), from, size, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, reinterpret_cast<const void *>(&symbol), size, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync(reinterpret_cast<const void *>(&symbol), from, size, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void *>(&symbol), size, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return cudaGetSymbolAddress(pointer, reinterpret_cast<const void *>(&symbol));
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
    return cudaGetSymbolSize(size, reinterpret_cast<const void *>(&symbol));
}
template <class T>
inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                                    cudaStream_t stream = 0) {
    return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments, shared_bytes,
                            stream);
}
template <class T> inline cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void *>(kernel), config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size,
                                                                 size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(kernel),
                                                         block_size, shared_bytes);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T, size_t = 0, int limit = 0) {
    *grid = 1;
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    return cudaSuccess;
}
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
// clang-format off: the order matters
#include "math_functions.h"
#include "math_rounding.h"
#include "device_functions.h"
#include "device_atomic_functions.h"
// clang-format on
#endif

#endif
