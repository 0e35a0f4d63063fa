/* Typed forms of the runtime API, for C++. Part of cuda_runtime.h. */
#ifndef GW_CPU_TYPED_API_H
#define GW_CPU_TYPED_API_H

#include "cuda_runtime_api.h"

template <class T> inline cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc((void **)pointer, size);
}
template <class T> inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t s) {
    return cudaMallocAsync((void **)pointer, size, s);
}
template <class T> inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = cudaHostAllocDefault) {
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
    return cudaHostAlloc((void **)pointer, size, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
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
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_size,
                                                                          size_t shared_bytes,
                                                                          unsigned int) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, shared_bytes);
}
/* The grid that fills the device, which runs one block at a time, and the largest block. */
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T, size_t = 0, int limit = 0) {
    *grid = 1;
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel,
                                                               size_t shared_bytes = 0, int limit = 0,
                                                               unsigned int = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, shared_bytes, limit);
}
template <class Shared, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel, Shared,
                                                                  int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, 0, limit);
}
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig(reinterpret_cast<const void *>(kernel), config);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                               size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments,
                                       shared_bytes, stream);
}
/* The arguments become the parameters' types, as in a call. */
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                      Arguments &&...arguments) {
    return [&](Parameters... values) {
        void *list[] = {(void *)&values..., nullptr};
        return cudaLaunchKernelExC(config, reinterpret_cast<const void *>(kernel), list);
    }(static_cast<Arguments &&>(arguments)...);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)pointer, size, pool, stream);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t size = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
    return cudaStreamAttachMemAsync(stream, static_cast<void *>(pointer), size, flags);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(T **pointer, const void *symbol) {
    return cudaGetSymbolAddress((void **)pointer, symbol);
}

/* Extents, positions and formats. */
inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height) {
    return cudaPitchedPtr{pointer, pitch, width, height};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return cudaExtent{width, height, depth};
}
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define GW_CPU_CHANNELS(type, count, bits, kind)                                                               \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                                   \
        return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,   \
                                     cudaChannelFormatKind##kind);                                             \
    }
#define GW_CPU_CHANNELS_OF(stem, type, bits, kind)                                                             \
    GW_CPU_CHANNELS(type, 1, bits, kind)                                                                       \
    GW_CPU_CHANNELS(stem##1, 1, bits, kind)                                                                    \
    GW_CPU_CHANNELS(stem##2, 2, bits, kind)                                                                    \
    GW_CPU_CHANNELS(stem##4, 4, bits, kind)
GW_CPU_CHANNELS(char, 1, 8, Signed)
GW_CPU_CHANNELS_OF(char, signed char, 8, Signed)
GW_CPU_CHANNELS_OF(uchar, unsigned char, 8, Unsigned)
GW_CPU_CHANNELS_OF(short, short, 16, Signed)
GW_CPU_CHANNELS_OF(ushort, unsigned short, 16, Unsigned)
GW_CPU_CHANNELS_OF(int, int, 32, Signed)
GW_CPU_CHANNELS_OF(uint, unsigned int, 32, Unsigned)
GW_CPU_CHANNELS_OF(float, float, 32, Float)
#undef GW_CPU_CHANNELS
#undef GW_CPU_CHANNELS_OF
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

/* Graphs: the forms of other versions of CUDA. */
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *program, cudaGraph_t graph, cudaGraphNode_t *,
                                        char *, size_t) {
    return cudaGraphInstantiate(program, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t program, cudaGraph_t graph, cudaGraphNode_t *node,
                                       cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    const cudaError_t error = cudaGraphExecUpdate(program, graph, &info);
    if (node) *node = info.errorNode;
    if (result) *result = info.result;
    return error;
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count,
                                    cudaGraphNodeParams *parameters) {
    return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                    size_t count, cudaGraphNodeParams *parameters) {
    return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, const cudaGraphEdgeData *,
                                            size_t count) {
    return cudaGraphAddDependencies(graph, from, to, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                            unsigned long long *id = nullptr, cudaGraph_t *graph = nullptr,
                                            const cudaGraphNode_t **dependencies = nullptr,
                                            size_t *count = nullptr) {
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **dependencies,
                                            const cudaGraphEdgeData **edges, size_t *count) {
    if (edges) *edges = nullptr;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                       const cudaGraphEdgeData *, size_t count,
                                                       unsigned int flags = 0) {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

#endif
