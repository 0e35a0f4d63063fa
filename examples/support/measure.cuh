/*
 * measure.cuh - what the examples and benchmarks on a device share: device arrays, and times.
 *
 * A time is the median of several launches between two CUDA events. The seeds of a gradient are refilled
 * before each launch, outside the timed span, because a gradient consumes them.
 */
#ifndef GW_EXAMPLES_MEASURE_CUH
#define GW_EXAMPLES_MEASURE_CUH

#include <gradwright/runtime.h>

#include "common.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#ifdef GW_CPU_DEVICE
enum { on_cpu_device = 1 };
#else
enum { on_cpu_device = 0 };
#endif

/* Ends the program with what failed; a demonstration has no better way out. */
inline void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
}
inline void must(gw_status status) {
    if (status == GW_OK) return;
    std::fprintf(stderr, "Gradwright: %s: %s\n", gw_status_text(status), gw_last_error());
    std::exit(1);
}

template <class T> class device_array {
public:
    explicit device_array(size_t elements) : count(elements) {
        must(cudaMalloc((void **)&at, std::max(count, (size_t)1) * sizeof(T)));
        must(cudaMemset(at, 0, count * sizeof(T)));
    }
    explicit device_array(const std::vector<T> &values) : device_array(values.size()) { set(values); }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array() { cudaFree(at); }
    void set(const std::vector<T> &values) {
        must(cudaMemcpy(at, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    void set(const device_array &other) {
        must(cudaMemcpy(at, other.at, count * sizeof(T), cudaMemcpyDeviceToDevice));
    }
    std::vector<T> get() const {
        std::vector<T> values(count);
        must(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    operator T *() const { return at; }
    size_t size() const { return count; }

private:
    T *at = nullptr;
    size_t count;
};

/* Programs that run side by side take turns at the device: one at a time holds the file that GW_TURN names. */
class turn_at_device {
public:
    turn_at_device() {
        const char *name = std::getenv("GW_TURN");
        if (name) file = open(name, O_RDWR | O_CREAT, 0600);
        if (file >= 0) flock(file, LOCK_EX);
    }
    turn_at_device(const turn_at_device &) = delete;
    turn_at_device &operator=(const turn_at_device &) = delete;
    ~turn_at_device() {
        if (file >= 0) close(file);
    }

private:
    int file = -1;
};

/* Milliseconds of `work`, the median of `repeats` runs; `prepare` runs before each, untimed. */
template <class P, class W> double median_ms(int repeats, P prepare, W work) {
    const turn_at_device turn;
    cudaEvent_t start, stop;
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    std::vector<float> times;
    for (int i = -2; i < repeats; i++) { /* two to warm up */
        prepare();
        must(cudaEventRecord(start));
        work();
        must(cudaEventRecord(stop));
        must(cudaEventSynchronize(stop));
        float ms = 0;
        must(cudaEventElapsedTime(&ms, start, stop));
        if (i >= 0) times.push_back(ms);
    }
    must(cudaGetLastError());
    must(cudaEventDestroy(start));
    must(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* One line for people and scripts alike. `kernel`: whose gradient it is, if it has another name. */
inline void print_times(const char *name, double threads, double primal, double gradient, double workspace,
                        const char *kernel = nullptr) {
    std::printf("time %s: threads %.0f primal %.4f ms gradient %.4f ms ratio %.2f workspace %.1f bytes/thread "
                "kernel %s\n",
                name, threads, primal, gradient, gradient / primal, workspace / threads,
                kernel ? kernel : name);
}

#endif
