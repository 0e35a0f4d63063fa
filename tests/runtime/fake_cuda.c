/* See fake_cuda.h. */
#include "fake_cuda.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each record is one of its own: whoever waits for it does not go on because of a later one. */
struct CUevent_st {
    unsigned int issued, room;
    bool *done; /* [record] */
};

typedef struct operation {
    struct operation *next;
    fake_kernel *kernel; /* null: an event */
    cudaEvent_t event;
    unsigned int version; /* of the event */
    bool waits;
    _Alignas(16) char arguments[];
} operation;

struct CUstream_st {
    operation *first, **end;
};

typedef struct allocation {
    char *at;
    size_t bytes;
    enum cudaMemoryType type;
} allocation;

enum { streams_most = 16, allocations_most = 4096 };
static struct CUstream_st null_stream;
static struct CUstream_st *streams[streams_most];
static unsigned int stream_count;
static allocation allocations[allocations_most];
static unsigned int allocation_count, alive, calls, allocated, recorded, synced, fail_in;
static uint64_t state = 1;

void fake_seed(unsigned int seed) { state = seed * 2654435761u + 1u; }
void fake_fail(unsigned int n) { fail_in = n; }
int fake_has_failed(void) { return fail_in == 0; }
unsigned int fake_calls(void) { return calls; }
unsigned int fake_allocations(void) { return allocated; }
unsigned int fake_events(void) { return recorded; }
unsigned int fake_syncs(void) { return synced; }
unsigned int fake_alive(void) { return alive; }

static unsigned int draw(unsigned int below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned int)(state >> 33) % below;
}

static bool fails(void) {
    calls++;
    return fail_in && --fail_in == 0;
}

static struct CUstream_st *stream_of(cudaStream_t stream) {
    struct CUstream_st *s = stream ? stream : &null_stream;
    bool known = false;
    for (unsigned int i = 0; i < stream_count; i++)
        known = known || streams[i] == s;
    if (!known) {
        if (stream || stream_count == streams_most) abort(); /* a stream that is gone */
        streams[stream_count++] = s;
    }
    if (!s->end) s->end = &s->first;
    return s;
}

/* ---- work ---- */

static cudaError_t push(cudaStream_t stream, const operation *head, const void *arguments, size_t bytes) {
    struct CUstream_st *s = stream_of(stream);
    operation *o = malloc(sizeof *o + bytes);
    if (!o) abort();
    o->kernel = head->kernel;
    o->event = head->event;
    o->version = head->version;
    o->waits = head->waits;
    o->next = NULL;
    if (bytes) memcpy(o->arguments, arguments, bytes);
    *s->end = o;
    s->end = &o->next;
    return cudaSuccess;
}

static bool can_go_on(const struct CUstream_st *s) {
    return s->first && (s->first->kernel || !s->first->waits || s->first->event->done[s->first->version]);
}

static void step(struct CUstream_st *s) {
    operation *o = s->first;
    s->first = o->next;
    if (!s->first) s->end = &s->first;
    if (o->kernel)
        o->kernel(o->arguments);
    else if (!o->waits)
        o->event->done[o->version] = true;
    free(o);
}

/* A random stream goes on; false if all are idle. */
static bool step_any(void) {
    unsigned int ready[streams_most], count = 0;
    bool idle = true;
    for (unsigned int i = 0; i < stream_count; i++) {
        idle = idle && !streams[i]->first;
        if (can_go_on(streams[i])) ready[count++] = i;
    }
    if (!count && !idle) abort(); /* nobody can: a circle of events */
    if (count) step(streams[ready[draw(count)]]);
    return count != 0;
}

static void finish(const struct CUstream_st *s) {
    synced++;
    while (s->first)
        step_any();
}

static void finish_all(void) {
    synced++;
    while (step_any()) {
    }
}

cudaError_t fake_launch(cudaStream_t stream, fake_kernel *kernel, const void *arguments, size_t bytes) {
    if (fails()) return cudaErrorLaunchFailure;
    return push(stream, &(const operation){.kernel = kernel}, arguments, bytes);
}

/* ---- memory ---- */

static allocation *holder_of(const void *at) {
    for (unsigned int i = 0; i < allocation_count; i++)
        if ((size_t)((const char *)at - allocations[i].at) < allocations[i].bytes) return &allocations[i];
    return NULL;
}

/* Memory of the device lies side by side, as a GPU's does: where one ends another begins. */
static _Alignas(256) char side_by_side[1 << 22];
static size_t side_used, side_alive;

static bool is_side_by_side(const char *at) {
    return at >= side_by_side && at < side_by_side + sizeof side_by_side;
}

static void *place(size_t bytes, enum cudaMemoryType type) {
    const size_t room = (bytes + 255) / 256 * 256;
    if (type != cudaMemoryTypeDevice || side_used + room > sizeof side_by_side) return malloc(bytes);
    side_alive++;
    side_used += room;
    return side_by_side + side_used - room;
}

static void unplace(void *at) {
    if (!is_side_by_side(at)) free(at);
    else if (--side_alive == 0) side_used = 0;
}

static cudaError_t allocate(void **at, size_t bytes, enum cudaMemoryType type) {
    if (fails()) return cudaErrorMemoryAllocation;
    if (allocation_count == allocations_most || !(*at = place(bytes, type))) abort();
    memset(*at, 0xff, bytes); /* no numbers */
    allocations[allocation_count++] = (allocation){*at, bytes, type};
    allocated++;
    alive++;
    return cudaSuccess;
}

static cudaError_t release(void *at, bool host) {
    finish_all();
    if (!at) return cudaSuccess;
    allocation *a = holder_of(at);
    if (!a || a->at != at || host != (a->type == cudaMemoryTypeHost)) abort();
    memset(at, 0xff, a->bytes);
    unplace(at);
    *a = allocations[--allocation_count];
    alive--;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **at, size_t bytes) { return allocate(at, bytes, cudaMemoryTypeDevice); }
cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned int flags) {
    (void)flags;
    return allocate(at, bytes, cudaMemoryTypeManaged);
}
cudaError_t cudaMallocHost(void **at, size_t bytes) { return allocate(at, bytes, cudaMemoryTypeHost); }
cudaError_t cudaFree(void *at) { return release(at, false); }
cudaError_t cudaFreeHost(void *at) { return release(at, true); }

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *at) {
    if (fails()) return cudaErrorInvalidValue;
    const allocation *a = holder_of(at);
    *attributes = (struct cudaPointerAttributes){.type = a ? a->type : cudaMemoryTypeUnregistered};
    return cudaSuccess;
}

int cuMemGetAddressRange_v2(unsigned long long *base, size_t *bytes, unsigned long long at);
int cuMemGetAddressRange_v2(unsigned long long *base, size_t *bytes, unsigned long long at) {
    const allocation *a = holder_of((void *)(uintptr_t)at);
    if (!a) return cudaErrorInvalidValue;
    *base = (unsigned long long)(uintptr_t)a->at;
    *bytes = a->bytes;
    return 0;
}

typedef struct transfer {
    char *to;
    const char *from;
    size_t bytes;
    int value;
} transfer;

static void copy(const void *arguments) {
    const transfer *t = arguments;
    memmove(t->to, t->from, t->bytes);
}

static void set(const void *arguments) {
    const transfer *t = arguments;
    memset(t->to, t->value, t->bytes);
}

/* With pageable memory the host takes part, when the stream has come there. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    (void)kind;
    if (fails()) return cudaErrorInvalidValue;
    const transfer t = {to, from, bytes, 0};
    if (holder_of(to) && holder_of(from)) return push(stream, &(const operation){.kernel = copy}, &t, sizeof t);
    finish(stream_of(stream));
    copy(&t);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    (void)kind;
    if (fails()) return cudaErrorInvalidValue;
    finish_all();
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) {
    if (fails()) return cudaErrorInvalidValue;
    const transfer t = {at, NULL, bytes, value};
    return push(stream, &(const operation){.kernel = set}, &t, sizeof t);
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = calloc(1, sizeof **stream);
    if (!*stream || stream_count == streams_most) abort();
    streams[stream_count++] = *stream;
    alive++;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    (void)flags, (void)priority;
    if (fails()) return cudaErrorMemoryAllocation;
    return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    finish(stream_of(stream));
    unsigned int i = 0;
    while (streams[i] != stream)
        i++;
    streams[i] = streams[--stream_count];
    free(stream);
    alive--;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (fails()) return cudaErrorLaunchFailure;
    finish(stream_of(stream));
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    finish_all();
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    if (fails()) return cudaErrorInvalidValue;
    (void)stream_of(stream);
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    (void)mode;
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    (void)flags;
    if (fails()) return cudaErrorMemoryAllocation;
    *event = calloc(1, sizeof **event);
    if (!*event || !((*event)->done = malloc((*event)->room = 16))) abort();
    (*event)->done[0] = true; /* never recorded */
    alive++;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    finish_all(); /* those that wait for it look at it */
    free(event->done);
    free(event);
    alive--;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (fails()) return cudaErrorInvalidValue;
    recorded++;
    if (event->issued + 1 == event->room && !(event->done = realloc(event->done, event->room *= 2))) abort();
    event->done[event->issued + 1] = false;
    return push(stream, &(const operation){.event = event, .version = ++event->issued}, NULL, 0);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    (void)flags;
    if (fails()) return cudaErrorInvalidValue;
    return push(stream, &(const operation){.event = event, .version = event->issued, .waits = true}, NULL, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (fails()) return cudaErrorLaunchFailure;
    synced++;
    const unsigned int version = event->issued;
    while (!event->done[version])
        step_any();
    return cudaSuccess;
}

/* ---- errors ---- */

cudaError_t cudaGetLastError(void) { return cudaSuccess; }

const char *cudaGetErrorName(cudaError_t error) {
    static char text[32];
    snprintf(text, sizeof text, "error %d", (int)error);
    return text;
}

const char *cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }
