/*
 * random_runtime.cuh - what stands between a random program and the device, which the linker puts there
 * (--wrap): the n-th call that may fail does, allocations are counted, and streams run late.
 *
 * A stream that runs late keeps what was queued on it (captured, so that arguments are copied) until somebody
 * waits for it; then any stream that may goes on, drawn at random. The null stream waits for all others and
 * they for it. So a gradient that does not order its work by events or by waiting goes wrong.
 */
#ifndef GW_TESTS_RANDOM_RUNTIME_CUH
#define GW_TESTS_RANDOM_RUNTIME_CUH

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <vector>

extern "C" cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);

namespace shim {

struct counts {
    unsigned long calls = 0, fail_at = 0, allocations = 0;
    long alive = 0;
    bool has_failed = false;
    cudaError_t pending = cudaSuccess; /* what cudaGetLastError says of a call that failed here */
};
inline counts state;

inline bool fails() {
    state.calls++;
    if (state.calls != state.fail_at) return false;
    state.has_failed = true;
    return true;
}
inline cudaError_t failed(cudaError_t error) { return state.pending = error; }

/* ---- streams that run late ---- */
enum kind { WORK, RECORD, WAIT, GRAPH };
struct item {
    kind what;
    uint64_t number;
    cudaGraph_t graph;
    cudaGraphExec_t work;
    cudaEvent_t event;
    size_t version;
};
struct lane {
    cudaStream_t stream;
    std::deque<item> queue;
};
inline bool late;
inline uint64_t draws = 1, numbers;
inline std::vector<lane> lanes;
inline std::map<cudaEvent_t, std::vector<bool>> events; /* for each record, whether it was reached */
inline cudaStream_t carrier;

inline size_t draw(size_t below) {
    draws = draws * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(draws >> 33) % below;
}
inline lane &lane_of(cudaStream_t stream) {
    for (lane &l : lanes)
        if (l.stream == stream) return l;
    lanes.push_back({stream, {}});
    return lanes.back();
}
inline bool can_go_on(const lane &l) {
    if (l.queue.empty()) return false;
    const item &first = l.queue.front();
    for (const lane &other : lanes)
        if ((!l.stream || !other.stream) && !other.queue.empty() && other.queue.front().number < first.number)
            return false;
    return first.what != WAIT || events[first.event][first.version];
}
inline void go_on(lane &l) {
    const item first = l.queue.front();
    l.queue.pop_front();
    if (first.what == RECORD) events[first.event][first.version] = true;
    if (first.what != WORK) return;
    if (__real_cudaGraphLaunch(first.work, carrier) != cudaSuccess) {
        std::printf("work on a late stream fails\n");
        std::abort();
    }
    cudaGraphExecDestroy(first.work);
    cudaGraphDestroy(first.graph);
}
inline bool any_goes_on() {
    std::vector<size_t> ready;
    for (size_t i = 0; i < lanes.size(); i++)
        if (can_go_on(lanes[i])) ready.push_back(i);
    if (!ready.empty()) go_on(lanes[ready[draw(ready.size())]]);
    return !ready.empty();
}
inline void finish(cudaStream_t stream) {
    lane_of(stream);
    while (!lane_of(stream).queue.empty() && any_goes_on()) {
    }
}
inline void finish_all() {
    while (any_goes_on()) {
    }
}
inline void push(cudaStream_t stream, item made) {
    made.number = ++numbers;
    lane_of(stream).queue.push_back(made);
}
/* call(stream) is queued on the stream; `waits`: for the host. */
template <class F> cudaError_t queue(cudaStream_t stream, F call, bool waits = false) {
    if (!late) return call(stream);
    item made = {WORK, 0, nullptr, nullptr, nullptr, 0};
    if (!carrier) cudaStreamCreate(&carrier);
    cudaError_t error = cudaStreamBeginCapture(carrier, cudaStreamCaptureModeRelaxed);
    if (error == cudaSuccess) error = call(carrier);
    const cudaError_t end = cudaStreamEndCapture(carrier, &made.graph);
    if (error == cudaSuccess) error = end;
    if (error == cudaSuccess) error = cudaGraphInstantiate(&made.work, made.graph, 0);
    if (error != cudaSuccess) return error;
    push(stream, made);
    if (waits) finish(stream);
    return cudaSuccess;
}
inline bool is_pageable(const void *at) {
    cudaPointerAttributes known;
    return cudaPointerGetAttributes(&known, at) == cudaSuccess && known.type == cudaMemoryTypeUnregistered;
}

} // namespace shim

#define SHIM(name, parameters)                                                                                 \
    cudaError_t __real_##name parameters;                                                                      \
    cudaError_t __wrap_##name parameters
#define MAY_FAIL(error)                                                                                        \
    if (shim::fails()) return shim::failed(error)

extern "C" {
cudaError_t __real_cudaMemset(void *at, int value, size_t bytes);
/* NaN: whoever reads it shows. */
inline void fill_with_nan(void *at, size_t bytes) {
#ifdef GW_CPU_DEVICE
    std::memset(at, 0xff, bytes);
#else
    __real_cudaMemset(at, 0xff, bytes);
#endif
}
#define SHIM_ALLOCATION(name, parameters, ...)                                                                 \
    SHIM(name, parameters) {                                                                                   \
        MAY_FAIL(cudaErrorMemoryAllocation);                                                                   \
        const cudaError_t error = __real_##name(__VA_ARGS__);                                                  \
        if (error == cudaSuccess && *at) shim::state.allocations++, shim::state.alive++;                       \
        if (error == cudaSuccess && *at) fill_with_nan(*at, bytes);                                            \
        return error;                                                                                          \
    }
SHIM_ALLOCATION(cudaMalloc, (void **at, size_t bytes), at, bytes)
SHIM_ALLOCATION(cudaMallocManaged, (void **at, size_t bytes, unsigned int flags), at, bytes, flags)
SHIM_ALLOCATION(cudaMallocHost, (void **at, size_t bytes), at, bytes)
SHIM_ALLOCATION(cudaHostAlloc, (void **at, size_t bytes, unsigned int flags), at, bytes, flags)
SHIM_ALLOCATION(cudaMallocAsync, (void **at, size_t bytes, cudaStream_t on), at, bytes, on)

#define SHIM_FREE(name, parameters, ...)                                                                       \
    SHIM(name, parameters) {                                                                                   \
        shim::finish_all();                                                                                    \
        shim::state.alive -= at != nullptr;                                                                    \
        return __real_##name(__VA_ARGS__);                                                                     \
    }
SHIM_FREE(cudaFree, (void *at), at)
SHIM_FREE(cudaFreeHost, (void *at), at)
SHIM_FREE(cudaFreeAsync, (void *at, cudaStream_t on), at, on)

SHIM(cudaLaunchKernel,
     (const void *kernel, dim3 grid, dim3 block, void **list, size_t shared, cudaStream_t on)) {
    MAY_FAIL(cudaErrorLaunchFailure);
    return shim::queue(
        on, [=](cudaStream_t s) { return __real_cudaLaunchKernel(kernel, grid, block, list, shared, s); });
}
SHIM(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t on)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return shim::queue(
        on, [=](cudaStream_t s) { return __real_cudaMemcpyAsync(to, from, bytes, kind, s); },
        shim::late && (shim::is_pageable(to) || shim::is_pageable(from)));
}
SHIM(cudaMemcpy2DAsync, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, cudaStream_t on)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return shim::queue(
        on,
        [=](cudaStream_t s) {
            return __real_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, s);
        },
        shim::late && (shim::is_pageable(to) || shim::is_pageable(from)));
}
SHIM(cudaMemcpy, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind)) {
    MAY_FAIL(cudaErrorInvalidValue);
    if (!shim::late) return __real_cudaMemcpy(to, from, bytes, kind);
    return shim::queue(
        nullptr, [=](cudaStream_t s) { return __real_cudaMemcpyAsync(to, from, bytes, kind, s); }, true);
}
SHIM(cudaMemsetAsync, (void *at, int value, size_t bytes, cudaStream_t on)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return shim::queue(on, [=](cudaStream_t s) { return __real_cudaMemsetAsync(at, value, bytes, s); });
}
SHIM(cudaMemset2DAsync, (void *at, size_t pitch, int value, size_t width, size_t height, cudaStream_t on)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return shim::queue(
        on, [=](cudaStream_t s) { return __real_cudaMemset2DAsync(at, pitch, value, width, height, s); });
}
SHIM(cudaMemset, (void *at, int value, size_t bytes)) {
    MAY_FAIL(cudaErrorInvalidValue);
    if (!shim::late) return __real_cudaMemset(at, value, bytes);
    return shim::queue(nullptr, [=](cudaStream_t s) { return __real_cudaMemsetAsync(at, value, bytes, s); });
}
SHIM(cudaStreamSynchronize, (cudaStream_t stream)) {
    MAY_FAIL(cudaErrorLaunchFailure);
    if (shim::late) shim::finish(stream);
    return __real_cudaStreamSynchronize(stream);
}
/* A graph of the program's own is not captured: it comes at once, when its turn has come, which on the default
 * stream is behind what is queued on all. */
SHIM(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t on)) {
    if (shim::late) {
        shim::push(on, {shim::GRAPH, 0, nullptr, nullptr, nullptr, 0});
        shim::finish(on);
    }
    const cudaError_t error = __real_cudaGraphLaunch(graph, on);
    return shim::late && error == cudaSuccess ? __real_cudaStreamSynchronize(on) : error;
}
SHIM(cudaDeviceSynchronize, ()) {
    MAY_FAIL(cudaErrorLaunchFailure);
    shim::finish_all();
    return __real_cudaDeviceSynchronize();
}
SHIM(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned int flags)) {
    MAY_FAIL(cudaErrorMemoryAllocation);
    const cudaError_t error = __real_cudaEventCreateWithFlags(event, flags);
    if (error == cudaSuccess) shim::events[*event] = {true};
    return error;
}
SHIM(cudaEventRecord, (cudaEvent_t event, cudaStream_t on)) {
    MAY_FAIL(cudaErrorInvalidValue);
    if (!shim::late) return __real_cudaEventRecord(event, on);
    std::vector<bool> &reached = shim::events[event];
    shim::push(on, {shim::RECORD, 0, nullptr, nullptr, event, reached.size()});
    reached.push_back(false);
    return cudaSuccess;
}
SHIM(cudaStreamWaitEvent, (cudaStream_t on, cudaEvent_t event, unsigned int flags)) {
    MAY_FAIL(cudaErrorInvalidValue);
    if (!shim::late) return __real_cudaStreamWaitEvent(on, event, flags);
    shim::push(on, {shim::WAIT, 0, nullptr, nullptr, event, shim::events[event].size() - 1});
    return cudaSuccess;
}
SHIM(cudaEventSynchronize, (cudaEvent_t event)) {
    MAY_FAIL(cudaErrorLaunchFailure);
    while (shim::late && !shim::events[event].back() && shim::any_goes_on()) {
    }
    return __real_cudaEventSynchronize(event);
}
/* Its records may still stand in queues. */
SHIM(cudaEventDestroy, (cudaEvent_t event)) {
    shim::finish_all();
    return __real_cudaEventDestroy(event);
}
SHIM(cudaPointerGetAttributes, (cudaPointerAttributes * known, const void *at)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return __real_cudaPointerGetAttributes(known, at);
}
SHIM(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status)) {
    MAY_FAIL(cudaErrorInvalidValue);
    return __real_cudaStreamIsCapturing(stream, status);
}
SHIM(cudaPeekAtLastError, ()) {
    return shim::state.pending != cudaSuccess ? shim::state.pending : __real_cudaPeekAtLastError();
}
SHIM(cudaGetLastError, ()) {
    const cudaError_t said = cudaPeekAtLastError();
    shim::state.pending = cudaSuccess;
    __real_cudaGetLastError();
    return said;
}
}

#endif
