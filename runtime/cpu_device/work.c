/* What a stream is asked to do: each asynchronous call as a piece of work, done at once or recorded. */
#include "work.h"
#include <string.h>

static cudaError_t copy_rows(const gw_cpu_copy_work *c) {
    if (c->height > 1 && (c->width > c->to_pitch || c->width > c->from_pitch))
        return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < c->height; ++row) {
        const cudaError_t error = gw_cpu_memory_copy(
            (char *)c->to + row * c->to_pitch, (const char *)c->from + row * c->from_pitch, c->width, c->kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

/* Elements of one, two or four bytes. */
static cudaError_t set_rows(const struct cudaMemsetParams *s) {
    const unsigned int bytes = s->elementSize;
    if (bytes != 1 && bytes != 2 && bytes != 4) return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t row = 0; row < s->height; ++row) {
        char *start = (char *)s->dst + row * s->pitch;
        if (!gw_cpu_memory_is_device(start, s->width * bytes))
            return gw_cpu_error_return(cudaErrorInvalidValue);
        const unsigned short two = (unsigned short)s->value;
        for (size_t i = 0; i < s->width; ++i) {
            if (bytes == 1) start[i] = (char)s->value;
            if (bytes == 2) memcpy(start + 2 * i, &two, 2);
            if (bytes == 4) memcpy(start + 4 * i, &s->value, 4);
        }
    }
    return gw_cpu_error_collect();
}

static cudaError_t launch(const gw_cpu_kernel_work *k) {
    const cudaError_t earlier = gw_cpu_error_collect();
    if (earlier != cudaSuccess) return earlier;
    const cudaError_t error = gw_cpu_launch_check(k->kernel, k->grid, k->block, k->shared_bytes);
    if (error != cudaSuccess) return gw_cpu_error_return(error);
    if (k->cooperative && (uint64_t)k->grid.x * k->grid.y * k->grid.z > gw_cpu_cooperative_blocks_most)
        return gw_cpu_error_return(cudaErrorCooperativeLaunchTooLarge);
    gw_cpu_launch_run(k->kernel, k->grid, k->block, k->arguments, k->shared_bytes, k->cooperative);
    return cudaSuccess;
}

static cudaError_t call_host(const struct cudaHostNodeParams *host) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error == cudaSuccess) host->fn(host->userData);
    return error;
}

/* The value that a kernel gave to the handle decides. */
static cudaError_t run_conditional(const gw_cpu_graph_work *w) {
    const unsigned int *value = (const unsigned int *)(uintptr_t)w->handle;
    cudaError_t error = cudaSuccess;
    switch (w->condition) {
    case cudaGraphCondTypeIf:
        if (*value != 0) return gw_cpu_graph_run(w->graphs[0]);
        return w->count > 1 ? gw_cpu_graph_run(w->graphs[1]) : cudaSuccess;
    case cudaGraphCondTypeWhile:
        while (*value != 0 && error == cudaSuccess)
            error = gw_cpu_graph_run(w->graphs[0]);
        return error;
    case cudaGraphCondTypeSwitch:
        return *value < w->count ? gw_cpu_graph_run(w->graphs[*value]) : cudaSuccess;
    }
    return cudaErrorUnknown;
}

cudaError_t gw_cpu_work_do(const gw_cpu_work *work) {
    switch (work->type) {
    case cudaGraphNodeTypeKernel:
        return launch(&work->as.kernel);
    case cudaGraphNodeTypeMemcpy:
        return work->is_3d ? cudaMemcpy3D(&work->as.copy_3d) : copy_rows(&work->as.copy);
    case cudaGraphNodeTypeMemset:
        return set_rows(&work->as.set);
    case cudaGraphNodeTypeHost:
        return call_host(&work->as.host);
    case cudaGraphNodeTypeGraph:
        return gw_cpu_graph_run(work->as.graph.graphs[0]);
    case cudaGraphNodeTypeEventRecord:
        return gw_cpu_event_stamp(work->as.event);
    case cudaGraphNodeTypeConditional:
        return run_conditional(&work->as.graph);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree: /* the graph has the memory as long as it lives */
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEmpty:
        return gw_cpu_error_collect();
    }
    return cudaErrorUnknown;
}

cudaError_t gw_cpu_work_enqueue(cudaStream_t stream, const gw_cpu_work *work) {
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return gw_cpu_work_do(work);
    cudaGraphNode_t node;
    const cudaError_t error = gw_cpu_graph_add(capture->graph, &node, capture->last, capture->last_count, work);
    if (error != cudaSuccess) return error;
    return gw_cpu_capture_set_last(capture, &node, 1, false) ? cudaSuccess
                                                             : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

/* The asynchronous calls. */

static cudaError_t enqueue_copy(cudaStream_t stream, gw_cpu_copy_work copy) {
    const gw_cpu_work work = {.type = cudaGraphNodeTypeMemcpy, .as.copy = copy};
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return enqueue_copy(stream, (gw_cpu_copy_work){to, from, size, size, size, 1, kind});
}

GW_CPU_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                         size_t width, size_t height, enum cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    if (width > to_pitch || width > from_pitch) return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    return enqueue_copy(stream, (gw_cpu_copy_work){to, from, to_pitch, from_pitch, width, height, kind});
}

GW_CPU_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream) {
    if (!copy) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeMemcpy, .is_3d = true, .as.copy_3d = *copy};
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream) {
    if (width > pitch) return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeMemset,
                              .as.set = {pointer, pitch, (unsigned int)value & 0xffu, 1, width, height}};
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream) {
    return cudaMemset2DAsync(pointer, size, value, size, size != 0, stream);
}

GW_CPU_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    if (!function) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeHost, .as.host = {function, data}};
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return gw_cpu_memory_allocate(pointer, size);
    struct cudaMemAllocNodeParams request = {.bytesize = size};
    cudaGraphNode_t node;
    const cudaError_t error =
        cudaGraphAddMemAllocNode(&node, capture->graph, capture->last, capture->last_count, &request);
    if (error != cudaSuccess) return error;
    *pointer = request.dptr;
    return gw_cpu_capture_set_last(gw_cpu_stream_capture(stream), &node, 1, false)
               ? cudaSuccess
               : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

GW_CPU_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return cudaFree(pointer);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeMemFree, .as.pointer = pointer};
    return gw_cpu_work_enqueue(stream, &work);
}

static cudaError_t enqueue_kernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                  size_t shared_bytes, cudaStream_t stream, bool cooperative) {
    const gw_cpu_kernel *kernel = gw_cpu_registry_kernel(stub);
    const cudaError_t earlier = gw_cpu_error_collect();
    if (earlier != cudaSuccess) return earlier;
    if (!kernel) return gw_cpu_error_return(cudaErrorInvalidDeviceFunction);
    const gw_cpu_work work = {.type = cudaGraphNodeTypeKernel,
                              .as.kernel = {stub, kernel, grid, block, shared_bytes, cooperative, arguments}};
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
    return enqueue_kernel(stub, grid, block, arguments, shared_bytes, stream, false);
}

GW_CPU_API cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                                                   size_t shared_bytes, cudaStream_t stream) {
    return enqueue_kernel(stub, grid, block, arguments, shared_bytes, stream, true);
}

GW_CPU_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub,
                                           void **arguments) {
    if (!config) return gw_cpu_error_return(cudaErrorInvalidValue);
    bool cooperative = false;
    for (unsigned int i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative) cooperative = a->val.cooperative != 0;
        if (a->id == cudaLaunchAttributeClusterDimension &&
            (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1))
            return gw_cpu_error_return(cudaErrorNotSupported);
    }
    return enqueue_kernel(stub, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                          config->stream, cooperative);
}
