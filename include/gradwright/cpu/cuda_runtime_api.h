/* The C functions of the CUDA runtime that the CPU device provides. What is missing is not
   declared, so a program that needs it fails to compile by that name; what is often asked for and cannot be is
   declared with the reason, which is an error where it is called. */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "driver_types.h"
#include <library_types.h>

#define CUDA_VERSION         12000
#define CUDART_VERSION       12000
#define __CUDART_API_VERSION CUDART_VERSION

#ifdef __cplusplus
#define GW_CPU_DEFAULT(value) = value
extern "C" {
#else
#define GW_CPU_DEFAULT(value)
#endif

/* Errors. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);

/* The device. There is one, number 0. */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
/* Nothing is profiled; the calls are there. */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
/* Between devices, of which there is one: no device is another one's peer. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source, int target);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);

/* Memory. */
cudaError_t cudaMalloc(void **pointer, size_t size);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream);
cudaError_t cudaMallocManaged(void **pointer, size_t size,
                              unsigned int flags GW_CPU_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void **pointer, size_t size);
cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device,
                                 cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size GW_CPU_DEFAULT(0),
                                     unsigned int flags GW_CPU_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                                cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemset(void *pointer, int value, size_t size);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size,
                               size_t offset GW_CPU_DEFAULT(0),
                               enum cudaMemcpyKind kind GW_CPU_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset GW_CPU_DEFAULT(0),
                                 enum cudaMemcpyKind kind GW_CPU_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/* Pools of memory: attributes are kept, memory comes from the host's allocator. */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);

/* Streams and events. All work is done when it is enqueued. */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags GW_CPU_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream GW_CPU_DEFAULT(0),
                                     unsigned int flags GW_CPU_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* Kernels. */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes GW_CPU_DEFAULT(0),
                                        cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size, size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);

#include "array_api.h"
#include "graph_api.h"

/* Other processes. */
#define GW_CPU_NO_IPC GW_CPU_CANNOT("the CPU device shares no memory or events with other processes")
GW_CPU_NO_IPC cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
GW_CPU_NO_IPC cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
GW_CPU_NO_IPC cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
GW_CPU_NO_IPC cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags);
GW_CPU_NO_IPC cudaError_t cudaIpcCloseMemHandle(void *pointer);
GW_CPU_NO_IPC cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                                             enum cudaMemAllocationHandleType type,
                                                             unsigned int flags);
GW_CPU_NO_IPC cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                               enum cudaMemAllocationHandleType type,
                                                               unsigned int flags);
GW_CPU_NO_IPC cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *pointer);
GW_CPU_NO_IPC cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                                   struct cudaMemPoolPtrExportData *data);

/* What Clang's host pass calls. */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes GW_CPU_DEFAULT(0),
                                         cudaStream_t stream GW_CPU_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

#ifdef __cplusplus
}

/* CUDA 13's forms. */
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
    return cudaMemAdvise(pointer, size, advice,
                         location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, cudaMemLocation location,
                                               unsigned int, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(
        pointer, size, location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId, stream);
}
#endif

#endif
