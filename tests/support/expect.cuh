/*
 * expect.cuh - the frame of every .cu test: registered tests, expectations, arrays on the device, numbers.
 *
 * A test program is a list of TEST(name) { EXPECT(...); } blocks (or the one-line cases of check.cuh) and ends
 * with TEST_MAIN. It prints one line a test, "ok NAME numbers..." or "FAIL NAME why", then a count, and
 * exits 1 if anything failed. The numbers are the results themselves, so that two devices can be
 * compared by their output. Arguments: --quick (leave out difference quotients), --only NAME, --list.
 */
#ifndef GW_TESTS_EXPECT_CUH
#define GW_TESTS_EXPECT_CUH

#include <gradwright/gradwright.h>
#include <gradwright/runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace check {

/* splitmix64: the same numbers on every machine. */
struct generator {
    uint64_t state;
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /* Representable as float, so that a float and a double kernel can be given the same numbers. */
    double uniform(double low, double high) {
        double unit = (double)(next() >> 11) / 9007199254740992.0;
        return (double)(float)(low + (high - low) * unit);
    }
};

/* Numbers of a range, the same in every run. */
inline std::vector<double> uniform_numbers(unsigned seed, int count, double low, double high) {
    generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < count; i++)
        made.push_back(random.uniform(low, high));
    return made;
}

/* How f(x) changes with x[i], by a central difference. */
template <class F> double slope(F f, std::vector<double> x, size_t i) {
    const double h = 1e-6, at = x[i];
    x[i] = at + h;
    const double more = f(x);
    x[i] = at - h;
    return (more - f(x)) / (2 * h);
}

/* The running test: its failures and the results that it reports. */
struct trial {
    const char *name;
    bool quick;
    int failures;
    std::string numbers;
    bool deaf = false; /* what is wrong from here on is of no interest */

    void fail(const char *file, int line, const std::string &why) {
        if (!deaf && failures++ < 8) std::printf("%s:%d: %s: %s\n", file, line, name, why.c_str());
    }
    void report(const char *what, double value) {
        char text[96];
        std::snprintf(text, sizeof text, " %s=%.12g", what, value);
        numbers += text;
    }
};

struct registration {
    const char *name;
    void (*run)(trial &);
    registration *next;
    static registration *&first() {
        static registration *list = nullptr;
        return list;
    }
    registration(const char *test_name, void (*test)(trial &)) : name(test_name), run(test), next(nullptr) {
        registration **last = &first();
        while (*last) last = &(*last)->next;
        *last = this;
    }
    registration(const registration &) = delete;
};

inline std::string text(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.15g", value);
    return buffer;
}

/* |got - want| <= tolerance * max(|want|, scale); NaN never is. */
inline bool near(double got, double want, double tolerance, double scale = 0) {
    double size = std::fabs(want) > scale ? std::fabs(want) : scale;
    return std::fabs(got - want) <= tolerance * size;
}

inline const char *&cuda_failure() {
    static const char *message = nullptr;
    return message;
}
inline bool cuda_ok(cudaError_t error) {
    if (error == cudaSuccess) return true;
    cuda_failure() = cudaGetErrorString(error);
    return false;
}
/* True if every launch so far ran without an error. */
inline bool device_ok() {
    cudaError_t launch = cudaGetLastError();
    cudaError_t run = cudaDeviceSynchronize();
    return cuda_ok(launch) && cuda_ok(run);
}

/* Bytes on the device, allocated exactly, so that memcheck sees the first byte beyond them. */
class device_bytes {
public:
    explicit device_bytes(size_t bytes = 0, bool managed = false) : count(bytes) {
        if (bytes && !cuda_ok(managed ? cudaMallocManaged(&at, bytes) : cudaMalloc(&at, bytes))) at = nullptr;
    }
    device_bytes(device_bytes &&other) noexcept : at(other.at), count(other.count) { other.at = nullptr; }
    device_bytes(const device_bytes &) = delete;
    device_bytes &operator=(device_bytes other) noexcept {
        std::swap(at, other.at);
        std::swap(count, other.count);
        return *this;
    }
    ~device_bytes() {
        if (at) cudaFree(at);
    }
    /* Done when it returns, for streams too that do not wait for the default one. */
    void put(const void *from) {
        if (count && cuda_ok(cudaMemcpy(at, from, count, cudaMemcpyHostToDevice)))
            cuda_ok(cudaDeviceSynchronize());
    }
    void get(void *to) const {
        if (count) cuda_ok(cudaMemcpy(to, at, count, cudaMemcpyDeviceToHost));
    }
    void fill(int byte) {
        if (count) cuda_ok(cudaMemset(at, byte, count));
    }
    void *data() const { return at; }
    size_t size() const { return count; }

private:
    void *at = nullptr;
    size_t count;
};

template <class T, bool managed = false> class array {
public:
    array(std::vector<T> values) : bytes(values.size() * sizeof(T), managed) { set(values); }
    array(std::initializer_list<T> values) : array(std::vector<T>(values)) {}
    void set(const std::vector<T> &values) { bytes.put(values.data()); }
    std::vector<T> get() const {
        std::vector<T> values(bytes.size() / sizeof(T));
        bytes.get(values.data());
        return values;
    }
    T *data() const { return static_cast<T *>(bytes.data()); }
    operator T *() const { return data(); }

private:
    device_bytes bytes;
};
/* The host reads and writes this array too. */
template <class T> using shared_array = array<T, true>;

inline int run_tests(int argc, char **argv) {
    bool quick = false, list = false;
    const char *only = nullptr;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "--quick") == 0) quick = true;
        else if (std::strcmp(argv[i], "--list") == 0) list = true;
        else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
        else return std::fprintf(stderr, "usage: %s [--quick] [--list] [--only NAME]\n", argv[0]), 2;
    }
    int run = 0, failed = 0;
    for (registration *r = registration::first(); r; r = r->next) {
        if (only && std::strcmp(only, r->name) != 0) continue;
        if (list) {
            std::printf("%s\n", r->name);
            continue;
        }
        trial t{r->name, quick, 0, {}};
        r->run(t);
        if (!device_ok()) t.fail(__FILE__, __LINE__, std::string("CUDA: ") + cuda_failure());
        else if (cuda_failure()) t.fail(__FILE__, __LINE__, std::string("CUDA: ") + cuda_failure());
        cuda_failure() = nullptr;
        std::printf("%s %s%s\n", t.failures ? "FAIL" : "ok", r->name, t.numbers.c_str());
        std::fflush(stdout);
        run++;
        failed += t.failures != 0;
    }
    if (list) return 0;
    std::printf("%d run, %d failed\n", run, failed);
    return failed != 0 || run == 0;
}

} // namespace check

#define TEST(name)                                                                                           \
    static void test_##name(check::trial &trial);                                                            \
    static check::registration registration_##name(#name, test_##name);                                      \
    static void test_##name(check::trial &trial)
#define EXPECT(condition) ((condition) ? (void)0 : trial.fail(__FILE__, __LINE__, #condition))
/* Relative to |want|; a want of 0 asks for exactly 0. */
#define EXPECT_NEAR(got, want, tolerance)                                                                    \
    do {                                                                                                     \
        double got_ = (got), want_ = (want);                                                                 \
        if (!check::near(got_, want_, tolerance))                                                            \
            trial.fail(__FILE__, __LINE__, #got " is " + check::text(got_) + ", not " + check::text(want_)); \
        trial.report(#got, got_);                                                                            \
    } while (0)
/* A status of emitted code, with the text that comes with every one but GW_OK. */
#define EXPECT_STATUS(call, want)                                                                            \
    do {                                                                                                     \
        gw_report(GW_OK, nullptr);                                                                           \
        gw_status status_ = (call);                                                                          \
        if (status_ != GW_OK && !*gw_last_error())                                                           \
            trial.fail(__FILE__, __LINE__, #call " says nothing of its status");                             \
        if (status_ != (want))                                                                               \
            trial.fail(__FILE__, __LINE__,                                                                   \
                       std::string(#call " gives: ") + gw_status_text(status_) + ": " + gw_last_error());    \
    } while (0)
#define EXPECT_DEVICE_OK()                                                                                     \
    (check::device_ok() ? (void)0                                                                              \
                        : trial.fail(__FILE__, __LINE__, std::string("CUDA: ") + check::cuda_failure()))
#define TEST_MAIN                                                                                            \
    int main(int argc, char **argv) { return check::run_tests(argc, argv); }

#endif
