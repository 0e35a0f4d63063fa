/*
 * measure.cuh - what the examples and benchmarks share: options, seeded numbers, device arrays, and times.
 *
 * A time is the median of several launches between two CUDA events. The seeds of a gradient are refilled
 * before each launch, outside the timed span, because a gradient consumes them.
 */
#ifndef GW_EXAMPLES_MEASURE_CUH
#define GW_EXAMPLES_MEASURE_CUH

#include <gradwright/runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

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

/* The text behind "--name" on the command line, or "". */
inline const char *text_option(int argc, char **argv, const char *name) {
    for (int i = 1; i + 1 < argc; i++)
        if (std::strcmp(argv[i], name) == 0) return argv[i + 1];
    return "";
}
/* The value of "--name N" on the command line, or `otherwise`. */
inline long option(int argc, char **argv, const char *name, long otherwise) {
    const char *const text = text_option(argc, argv, name);
    return *text ? std::strtol(text, nullptr, 10) : otherwise;
}

/* Reproducible numbers in [low, high), representable as float. */
class numbers {
public:
    explicit numbers(uint64_t seed) : state(seed) {}
    float next(double low, double high) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double unit = (double)(state >> 40) / 16777216.0;
        return (float)(low + (high - low) * unit);
    }
    std::vector<float> array(size_t count, double low, double high) {
        std::vector<float> values(count);
        for (float &v : values) v = next(low, high);
        return values;
    }

private:
    uint64_t state;
};

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

/* Milliseconds of `work`, the median of `repeats` runs; `prepare` runs before each, untimed. */
template <class P, class W> double median_ms(int repeats, P prepare, W work) {
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

/* Largest |got - want| / max(|want|, mean |want|): relative, but not to values that are zero by chance. */
inline double relative_error(const std::vector<double> &got, const std::vector<double> &want) {
    double mean = 0, worst = 0;
    for (double w : want) mean += std::fabs(w) / (double)want.size();
    for (size_t i = 0; i < want.size(); i++) {
        double error = std::fabs(got[i] - want[i]) / std::max(std::fabs(want[i]), mean);
        worst = error <= worst ? worst : error; /* a NaN becomes the worst */
    }
    return worst;
}

/* Prints a check and returns whether it holds. */
inline bool check(const char *what, double error, double tolerance) {
    bool holds = error <= tolerance;
    std::printf("check %s: largest relative error %.2e (at most %.0e): %s\n", what, error, tolerance,
                holds ? "ok" : "FAILED");
    return holds;
}

#endif
