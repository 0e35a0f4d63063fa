// Functions of one name in several namespaces: their gradients, helpers, workspaces and launches in programs
// call their own, though the types of arguments stand in a namespace of the others. Against slopes by hand.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE const int i = blockIdx.x * blockDim.x + threadIdx.x

// by: what differs. Asked for: a bounded tape, a measured one, two halves, a device function, a program.
#define SPACE(by)                                                                                              \
    GW_GRADIENT("y wrt x")                                                                                     \
    __global__ void square(double *y, const double *x, int n) {                                                \
        HERE;                                                                                                  \
        if (i < n) y[i] = by * x[i] * x[i];                                                                    \
    }                                                                                                          \
    __device__ double raised(double v, int count) {                                                            \
        for (int k = 0; k < count; k++)                                                                        \
            v = by * v * v;                                                                                    \
        return v;                                                                                              \
    }                                                                                                          \
    GW_GRADIENT("y wrt x")                                                                                     \
    __global__ void raise(double *y, const double *x, const int *list, int n, int count) {                     \
        HERE;                                                                                                  \
        if (i < n) y[i] = raised(x[list[i]], count);                                                           \
    }                                                                                                          \
    GW_GRADIENT("y wrt x")                                                                                     \
    __global__ void exceed(double *y, const double *x, int n) {                                                \
        HERE;                                                                                                  \
        if (i >= n) return;                                                                                    \
        double v = x[i];                                                                                       \
        while (v < 9)                                                                                          \
            v = by * v * v + 1;                                                                                \
        y[i] = v;                                                                                              \
    }                                                                                                          \
    GW_SPLIT_GRADIENT("y wrt x")                                                                               \
    __global__ void halves(double *y, const double *x, int n, int count) {                                     \
        HERE;                                                                                                  \
        if (i < n) y[i] = raised(x[i], count);                                                                 \
    }                                                                                                          \
    GW_GRADIENT("y wrt x")                                                                                     \
    void all(double *y, const double *x, const int *list, int n, cudaStream_t stream) {                        \
        double *u, *v;                                                                                         \
        cudaMalloc(&u, n * sizeof(double));                                                                    \
        cudaMalloc(&v, n * sizeof(double));                                                                    \
        square<<<1, 32, 0, stream>>>(u, x, n);                                                                 \
        raise<<<1, 32, 0, stream>>>(v, u, list, n, 2);                                                         \
        exceed<<<1, 32, 0, stream>>>(y, v, n);                                                                 \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
    }
namespace ns {
SPACE(2.0)
namespace inner {
SPACE(0.75)
}
} // namespace ns
namespace beside { // sees nothing of the others
SPACE(1.25)
}
SPACE(1.5)
#include "namespaces.grad.cuh"

namespace {

enum { N = 3, COUNT = 2 };

struct pair {
    double value, slope;
};
pair squared(pair v, double by) { return {by * v.value * v.value, 2 * by * v.value * v.slope}; }
pair raised_by_hand(pair v, double by) {
    for (int k = 0; k < COUNT; k++)
        v = squared(v, by);
    return v;
}
pair exceeded(pair v, double by) {
    while (v.value < 9)
        v = squared(v, by), v.value += 1;
    return v;
}

/* What a gradient adds to d_x, where y_i is of x_i. */
void expect(check::trial &trial, const check::array<double> &d_x, const std::vector<double> &x, double by,
            pair (*function)(pair, double)) {
    EXPECT_DEVICE_OK();
    for (int i = 0; i < N; i++) {
        const double want = function({x[(size_t)i], 1}, by).slope;
        EXPECT_NEAR(d_x.get()[(size_t)i], want, 1e-12 * std::fabs(want));
    }
}

pair all_by_hand(pair x, double by) { return exceeded(raised_by_hand(squared(x, by), by), by); }

#define CHECK_SPACE(space, by)                                                                                 \
    {                                                                                                          \
        const std::vector<double> x = {0.8, 1.1, 1.3}, none(N, 0.0), one(N, 1.0);                              \
        check::array<double> y(none), at(x), d_y(one);                                                         \
        check::array<int> list({0, 1, 2});                                                                     \
        const dim3 grid(1), block(32);                                                                         \
        check::array<double> a(none), b(none), c(none), d(none), e(none);                                      \
        EXPECT_STATUS((space::square_grad_launch)(grid, block, 0, nullptr, y, at, N, d_y, a, nullptr, 0),      \
                      GW_OK);                                                                                  \
        expect(trial, a, x, by, squared);                                                                      \
        const size_t bytes = (space::raise_workspace_bytes)(grid, block, y, at, list, N, COUNT);               \
        check::array<char> work(std::vector<char>(bytes + 1));                                                 \
        d_y.set(one);                                                                                          \
        EXPECT_STATUS((space::raise_grad_launch)(grid, block, 0, nullptr, y, at, list, N, COUNT, d_y, b,       \
                                                 work, bytes),                                                 \
                      GW_OK);                                                                                  \
        expect(trial, b, x, by, raised_by_hand);                                                               \
        d_y.set(one);                                                                                          \
        EXPECT_STATUS((space::exceed_grad_alloc)(grid, block, 0, nullptr, y, at, N, d_y, c), GW_OK);           \
        expect(trial, c, x, by, exceeded);                                                                     \
        const size_t room = (space::halves_tape_bytes)(grid, block, y, at, N, COUNT);                          \
        check::array<char> tape(std::vector<char>(room + 1));                                                  \
        d_y.set(one);                                                                                          \
        EXPECT_STATUS((space::halves_fwd_launch)(grid, block, 0, nullptr, y, at, N, COUNT, tape, room),        \
                      GW_OK);                                                                                  \
        EXPECT_STATUS((space::halves_bwd_launch)(grid, block, 0, nullptr, y, at, N, COUNT, d_y, d, tape,       \
                                                 room),                                                        \
                      GW_OK);                                                                                  \
        expect(trial, d, x, by, raised_by_hand);                                                               \
        d_y.set(one);                                                                                          \
        EXPECT_STATUS(space::all_grad(y, at, list, N, nullptr, d_y, e), GW_OK);                                \
        expect(trial, e, x, by, all_by_hand);                                                                  \
    }

TEST(spaces) {
    CHECK_SPACE(, 1.5)
    CHECK_SPACE(ns, 2.0)
    CHECK_SPACE(ns::inner, 0.75)
    CHECK_SPACE(beside, 1.25)
}

} // namespace
TEST_MAIN
