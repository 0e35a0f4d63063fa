/* Streams and events. Work is done when it is enqueued, so every stream is in order and idle; a stream that is
 * captured (capture.c) records its work instead. */
#include "work.h"
#include <pthread.h>
#include <stdlib.h>

struct CUstream_st {
    struct CUstream_st *next;
    unsigned int flags;
    int priority;
    gw_cpu_capture capture;
};

struct CUevent_st {
    struct CUevent_st *next;
    uint64_t nanoseconds; /* 0: never recorded */
    unsigned int flags;
    cudaGraph_t graph; /* recorded in a stream that was captured into it, behind the node */
    cudaGraphNode_t node;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *streams; /* the living ones, so that a stale handle is an error */
static struct CUevent_st *events;

bool gw_cpu_stream_is_known(cudaStream_t stream) {
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return true;
    pthread_mutex_lock(&lock);
    const struct CUstream_st *s = streams;
    while (s && s != stream)
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

static bool event_is_known(cudaEvent_t event) {
    pthread_mutex_lock(&lock);
    const struct CUevent_st *e = events;
    while (e && e != event)
        e = e->next;
    pthread_mutex_unlock(&lock);
    return event && e != NULL;
}

GW_CPU_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    if (!stream || flags > cudaStreamNonBlocking) return gw_cpu_error_return(cudaErrorInvalidValue);
    struct CUstream_st *s = malloc(sizeof *s);
    if (!s) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    *s = (struct CUstream_st){.flags = flags, .priority = priority};
    pthread_mutex_lock(&lock);
    s->next = streams;
    streams = s;
    pthread_mutex_unlock(&lock);
    *stream = s;
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

GW_CPU_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

GW_CPU_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    pthread_mutex_lock(&lock);
    struct CUstream_st **link = &streams;
    while (*link && *link != stream)
        link = &(*link)->next;
    struct CUstream_st *found = stream ? *link : NULL;
    if (found) *link = found->next;
    pthread_mutex_unlock(&lock);
    if (found) gw_cpu_capture_leave(&found->capture);
    free(found);
    return found ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

/* The least and the greatest: there is one priority. */
GW_CPU_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = 0;
    return gw_cpu_error_collect();
}

static bool is_own(cudaStream_t stream) {
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

GW_CPU_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    if (!priority) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    *priority = is_own(stream) ? stream->priority : 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
    if (!flags) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    *flags = is_own(stream) ? stream->flags : cudaStreamDefault;
    return cudaSuccess;
}

/* Hints about caches and waiting, which mean nothing here. */
GW_CPU_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                              const cudaLaunchAttributeValue *value) {
    (void)attribute;
    if (!value) return gw_cpu_error_return(cudaErrorInvalidValue);
    return gw_cpu_stream_is_known(stream) ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                              cudaLaunchAttributeValue *value) {
    if (!value) return gw_cpu_error_return(cudaErrorInvalidValue);
    *value = (cudaLaunchAttributeValue){.priority = 0};
    if (attribute == cudaLaunchAttributePriority) return cudaStreamGetPriority(stream, &value->priority);
    return gw_cpu_stream_is_known(stream) ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

gw_cpu_capture *gw_cpu_stream_capture(cudaStream_t stream) {
    return is_own(stream) && gw_cpu_stream_is_known(stream) ? &stream->capture : NULL;
}

void gw_cpu_stream_each_of(cudaGraph_t graph, void (*function)(gw_cpu_capture *capture)) {
    pthread_mutex_lock(&lock);
    for (struct CUstream_st *s = streams; s; s = s->next)
        if (s->capture.graph == graph) function(&s->capture);
    pthread_mutex_unlock(&lock);
}

GW_CPU_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (capture && capture->graph) return gw_cpu_error_return(cudaErrorStreamCaptureUnsupported);
    return gw_cpu_stream_is_known(stream) ? gw_cpu_error_collect()
                                          : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

/* A stream that waits for an event of a captured stream is captured too, behind the event. */
GW_CPU_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    (void)flags;
    if (!gw_cpu_stream_is_known(stream) || !event_is_known(event))
        return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!event->graph)
        return capture && capture->graph ? gw_cpu_error_return(cudaErrorStreamCaptureIsolation)
                                         : gw_cpu_error_collect();
    if (!capture) return gw_cpu_error_return(cudaErrorStreamCaptureImplicit);
    if (capture->graph && capture->graph != event->graph)
        return gw_cpu_error_return(cudaErrorStreamCaptureMerge);
    capture->graph = event->graph;
    return gw_cpu_capture_set_last(capture, &event->node, event->node != NULL, true)
               ? cudaSuccess
               : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

GW_CPU_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                             unsigned int flags) {
    if (!callback || flags != 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    callback(stream, gw_cpu_error_collect(), data);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    struct CUevent_st *e = malloc(sizeof *e);
    if (!e) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&lock);
    *e = (struct CUevent_st){.next = events, .flags = flags};
    events = e;
    pthread_mutex_unlock(&lock);
    *event = e;
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

GW_CPU_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
    pthread_mutex_lock(&lock);
    struct CUevent_st **link = &events;
    while (*link && *link != event)
        link = &(*link)->next;
    struct CUevent_st *found = event ? *link : NULL;
    if (found) *link = found->next;
    pthread_mutex_unlock(&lock);
    free(found);
    return found ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

cudaError_t gw_cpu_event_stamp(cudaEvent_t event) {
    if (!event_is_known(event)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    event->graph = NULL;
    event->nanoseconds = gw_cpu_now_nanoseconds();
    return gw_cpu_error_collect();
}

/* In a captured stream the event stands for what was captured so far. */
GW_CPU_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (!gw_cpu_stream_is_known(stream) || !event_is_known(event))
        return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    const gw_cpu_capture *capture = gw_cpu_stream_capture(stream);
    if (!capture || !capture->graph) return gw_cpu_event_stamp(event);
    event->graph = capture->graph;
    event->node = capture->last_count ? capture->last[capture->last_count - 1] : NULL;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    const gw_cpu_work work = {.type = cudaGraphNodeTypeEventRecord, .as.event = event};
    if (flags == cudaEventRecordDefault) return cudaEventRecord(event, stream);
    return gw_cpu_work_enqueue(stream, &work);
}

GW_CPU_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event_is_known(event) && event->graph) return gw_cpu_error_return(cudaErrorCapturedEvent);
    return event_is_known(event) ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

GW_CPU_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (!milliseconds) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!event_is_known(start) || !event_is_known(end) ||
        ((start->flags | end->flags) & cudaEventDisableTiming) != 0 || start->nanoseconds == 0 ||
        end->nanoseconds == 0)
        return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)(((double)end->nanoseconds - (double)start->nanoseconds) * 1e-6);
    return gw_cpu_error_collect();
}
