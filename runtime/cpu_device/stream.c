/* Streams and events. Work is done when it is enqueued, so every stream is in order and idle. */
#include "device.h"
#include <pthread.h>
#include <stdlib.h>

struct gw_cpu_stream {
    struct gw_cpu_stream *next;
};

struct gw_cpu_event {
    struct gw_cpu_event *next;
    uint64_t nanoseconds; /* 0: never recorded */
    unsigned int flags;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gw_cpu_stream *streams; /* the living ones, so that a stale handle is an error */
static struct gw_cpu_event *events;

static bool stream_is_known(cudaStream_t stream) {
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return true;
    pthread_mutex_lock(&lock);
    const struct gw_cpu_stream *s = streams;
    while (s && s != stream)
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

static bool event_is_known(cudaEvent_t event) {
    pthread_mutex_lock(&lock);
    const struct gw_cpu_event *e = events;
    while (e && e != event)
        e = e->next;
    pthread_mutex_unlock(&lock);
    return event && e != NULL;
}

GW_CPU_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    (void)priority;
    if (!stream || flags > cudaStreamNonBlocking) return gw_cpu_error_return(cudaErrorInvalidValue);
    struct gw_cpu_stream *s = malloc(sizeof *s);
    if (!s) return gw_cpu_error_return(cudaErrorMemoryAllocation);
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
    struct gw_cpu_stream **link = &streams;
    while (*link && *link != stream)
        link = &(*link)->next;
    struct gw_cpu_stream *found = stream ? *link : NULL;
    if (found) *link = found->next;
    pthread_mutex_unlock(&lock);
    free(found);
    return found ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return stream_is_known(stream) ? gw_cpu_error_collect()
                                   : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

GW_CPU_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    (void)flags;
    return stream_is_known(stream) && event_is_known(event)
               ? gw_cpu_error_collect()
               : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                             unsigned int flags) {
    if (!callback || flags != 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    callback(stream, gw_cpu_error_collect(), data);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    if (!function) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    const cudaError_t error = gw_cpu_error_collect();
    if (error == cudaSuccess) function(data);
    return error;
}

GW_CPU_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    if (!event || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    struct gw_cpu_event *e = malloc(sizeof *e);
    if (!e) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    pthread_mutex_lock(&lock);
    *e = (struct gw_cpu_event){events, 0, flags};
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
    struct gw_cpu_event **link = &events;
    while (*link && *link != event)
        link = &(*link)->next;
    struct gw_cpu_event *found = event ? *link : NULL;
    if (found) *link = found->next;
    pthread_mutex_unlock(&lock);
    free(found);
    return found ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidResourceHandle);
}

GW_CPU_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (!stream_is_known(stream) || !event_is_known(event))
        return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    event->nanoseconds = gw_cpu_now_nanoseconds();
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
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
