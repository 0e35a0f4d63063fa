// What f_measure_launch, f_workspace_bytes_measured and f_grad_alloc promise.
#include "../support/expect.cuh"

GW_GRADIENT("y wrt x")
__global__ void powers(double *y, const double *x, const long long *times, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (long long k = 0; k < times[i]; k++) v = v * v * 0.5;
    y[i] = v;
}

GW_SPLIT_GRADIENT("halved = y wrt x")
__global__ void halves(double *y, const double *x, const int *times, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i];
    for (int k = 0; k < times[i]; k++) v = v * v * 0.5;
    y[i] = v;
}

#include "measure.grad.cuh"

enum { n = 70 };

struct buffers {
    check::array<double> y, x, d_y, d_x;
    check::array<long long> times;
    check::device_bytes sizes;
    explicit buffers(std::vector<long long> t)
        : y(std::vector<double>(n, 1)), x(std::vector<double>(n, 1.5)), d_y(std::vector<double>(n, 2)),
          d_x(std::vector<double>(n, 0)), times(t), sizes(sizeof(gw_sizes)) {}
    gw_sizes *found() { return (gw_sizes *)sizes.data(); }
    gw_status measure() { return powers_measure_launch(2, 40, 0, 0, y, x, times, n, found()); }
    size_t bytes() { return powers_workspace_bytes_measured(found(), 0); }
    gw_status gradient(void *space, size_t bytes) {
        return powers_grad_launch(2, 40, 0, 0, y, x, times, n, d_y, d_x, space, bytes);
    }
    gw_status at_once() { return powers_grad_alloc(2, 40, 0, 0, y, x, times, n, d_y, d_x); }
    bool untouched() {
        return d_x.get() == std::vector<double>(n, 0) && d_y.get() == std::vector<double>(n, 2);
    }
};

static std::vector<long long> ascending() {
    std::vector<long long> t(n);
    for (int i = 0; i < n; i++) t[(size_t)i] = i % 7;
    return t;
}

// Each warp has room for its longest lane: two blocks of 40 threads are four warps, and the last has none that
// does anything.
TEST(as_long_as_the_longest) {
    buffers b(ascending());
    EXPECT(b.measure() == GW_OK);
    EXPECT(powers_workspace_bytes(2, 40, b.y, b.x, b.times, n) == b.bytes());
    const size_t head = (256 + 4 * 32 + 255) / 256 * 256;
    EXPECT(b.bytes() == head + 3 * 32 * 6 * sizeof(double));
    std::vector<long long> one(n, 0);
    one[69] = 1000;
    buffers c(one);
    EXPECT(c.measure() == GW_OK);
    EXPECT(c.bytes() == head + 32 * 1000 * sizeof(double));
    buffers none(std::vector<long long>(n, 0));
    EXPECT(none.measure() == GW_OK);
    EXPECT(none.bytes() == head);
}

// What was measured is enough, and one call does the same.
TEST(one_call_for_all) {
    buffers b(ascending()), c(ascending());
    EXPECT(b.measure() == GW_OK);
    check::device_bytes space(b.bytes());
    EXPECT(b.gradient(space.data(), space.size()) == GW_OK);
    EXPECT(c.at_once() == GW_OK);
    EXPECT(check::device_ok());
    EXPECT(!b.untouched() && b.d_x.get() == c.d_x.get() && b.d_y.get() == c.d_y.get());
    double v = 1.5, d = 2;
    for (int k = 0; k < 69 % 7; k++) d *= v, v = v * v * 0.5;
    EXPECT(std::fabs(b.d_x.get()[69] - d) <= 1e-12 * std::fabs(d));
}

// Fewer trips than were measured fit.
TEST(fewer_trips) {
    buffers b(std::vector<long long>(n, 9)), c(ascending());
    EXPECT(b.measure() == GW_OK);
    check::device_bytes space(b.bytes());
    EXPECT(c.gradient(space.data(), space.size()) == GW_OK);
    EXPECT(check::device_ok() && !c.untouched());
}

// 2^40 trips are counted, not run; 2^62 cannot be added up.
TEST(too_many_trips) {
    buffers b(std::vector<long long>(n, 1ll << 40));
    EXPECT(b.measure() == GW_OK);
    EXPECT(b.bytes() == 512 + (3ull << 40) * 32 * sizeof(double));
    EXPECT(b.at_once() == GW_ERROR_MEMORY);
    EXPECT(b.untouched());
    buffers c(std::vector<long long>(n, 1ll << 62));
    EXPECT(c.measure() == GW_OK);
    EXPECT(c.bytes() == SIZE_MAX);
    EXPECT(std::strstr(gw_last_error(), "longer tape than there can be") != nullptr);
    EXPECT(c.at_once() == GW_ERROR_WORKSPACE);
    EXPECT(c.untouched());
}

TEST(bad_arguments) {
    buffers b(ascending());
    EXPECT(powers_measure_launch(2, 40, 0, 0, b.y, b.x, b.times, n, nullptr) == GW_ERROR_WORKSPACE);
    EXPECT(powers_measure_launch(dim3(2, 2), 40, 0, 0, b.y, b.x, b.times, n, b.found()) == GW_ERROR_LAUNCH);
    check::device_bytes small(300);
    EXPECT(b.gradient(small.data(), small.size()) ==
           GW_ERROR_WORKSPACE);
    EXPECT(b.gradient(nullptr, 0) == GW_ERROR_WORKSPACE);
    EXPECT(b.untouched());
}

// A request's name stands in the names; the halves' head and tops are in front of the slots.
TEST(of_halves) {
    buffers b(ascending());
    check::array<int> times(std::vector<int>(n, 3));
    EXPECT(halved_fwd_measure_launch(2, 40, 0, 0, b.y, b.x, times, n, b.found()) == GW_OK);
    const size_t bytes = halved_tape_bytes_measured(b.found(), 0),
                 head = (256 + 4 * 32 + 80 * 8 + 255) / 256 * 256;
    EXPECT(bytes == head + 3 * 32 * 3 * sizeof(double));
    check::device_bytes tape(bytes);
    EXPECT(halved_fwd_launch(2, 40, 0, 0, b.y, b.x, times, n, tape.data(), 300) == GW_ERROR_OVERFLOW);
    EXPECT(halved_fwd_launch(2, 40, 0, 0, b.y, b.x, times, n, tape.data(), bytes) == GW_OK);
    EXPECT(halved_bwd_launch(2, 40, 0, 0, b.y, b.x, times, n, b.d_y, b.d_x, tape.data(), bytes) == GW_OK);
    EXPECT(check::device_ok() && !b.untouched());
}

TEST_MAIN
