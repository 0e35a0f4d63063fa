/* Capturing: what is asked of a stream becomes nodes of a graph. A second stream joins by waiting for an event
 * of the first, and leaves when the capture ends. */
#include "work.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_ullong captures;

bool gw_cpu_capture_set_last(gw_cpu_capture *capture, const cudaGraphNode_t *nodes, size_t count, bool add) {
    const size_t kept = add ? capture->last_count : 0;
    cudaGraphNode_t *list = malloc((kept + count + 1) * sizeof *list);
    if (!list) return false;
    if (kept) memcpy(list, capture->last, kept * sizeof *list);
    size_t all = kept;
    for (size_t i = 0; i < count; ++i) {
        bool known = false;
        for (size_t k = 0; k < all; ++k)
            known = known || list[k] == nodes[i];
        if (!known) list[all++] = nodes[i];
    }
    free(capture->last);
    capture->last = list;
    capture->last_count = all;
    return true;
}

void gw_cpu_capture_leave(gw_cpu_capture *capture) {
    free(capture->last);
    *capture = (gw_cpu_capture){.graph = NULL};
}

static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                         size_t count) {
    gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    *capture = (gw_cpu_capture){.graph = graph, .origin = stream, .id = atomic_fetch_add(&captures, 1) + 1};
    return gw_cpu_capture_set_last(capture, dependencies, count, false)
               ? cudaSuccess
               : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

/* Whether the stream can begin a capture. */
static cudaError_t may_begin(cudaStream_t stream) {
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    if (!capture) return gw_cpu_error_return(cudaErrorStreamCaptureUnsupported);
    return capture->graph ? gw_cpu_error_return(cudaErrorIllegalState) : gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    (void)mode;
    cudaGraph_t graph = NULL;
    cudaError_t error = may_begin(stream);
    if (error == cudaSuccess) error = cudaGraphCreate(&graph, 0);
    return error == cudaSuccess ? begin(stream, graph, NULL, 0) : error;
}

GW_CPU_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                     const cudaGraphNode_t *dependencies,
                                                     const cudaGraphEdgeData *edges, size_t count,
                                                     enum cudaStreamCaptureMode mode) {
    (void)edges, (void)mode;
    if (!graph) return gw_cpu_error_return(cudaErrorInvalidValue);
    const cudaError_t error = may_begin(stream);
    return error == cudaSuccess ? begin(stream, graph, dependencies, count) : error;
}

GW_CPU_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return gw_cpu_error_return(cudaErrorIllegalState);
    if (capture->origin != stream) return gw_cpu_error_return(cudaErrorStreamCaptureUnmatched);
    cudaGraph_t made = capture->graph;
    gw_cpu_stream_each_of(made, gw_cpu_capture_leave);
    if (graph) *graph = made;
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    return cudaStreamGetCaptureInfo_v2(stream, status, NULL, NULL, NULL, NULL);
}

GW_CPU_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **dependencies, size_t *count) {
    if (!status) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    const bool active = capture && capture->graph;
    *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (id) *id = active ? capture->id : 0;
    if (graph) *graph = active ? capture->graph : NULL;
    if (dependencies) *dependencies = active ? capture->last : NULL;
    if (count) *count = active ? capture->last_count : 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                           size_t count, unsigned int flags) {
    gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return gw_cpu_error_return(cudaErrorIllegalState);
    return gw_cpu_capture_set_last(capture, dependencies, count, flags == cudaStreamAddCaptureDependencies)
               ? cudaSuccess
               : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

GW_CPU_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    static _Thread_local enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    if (!mode) return gw_cpu_error_return(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = current;
    current = *mode;
    *mode = before;
    return cudaSuccess;
}
