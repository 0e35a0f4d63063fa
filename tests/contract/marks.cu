// GW_STORE and GW_RECOMPUTE in kernels: the bits of the gradient do not change, the bytes of the tape do.
#include "../support/expect.cuh"

typedef double real;
#define NONE(x) ((void)0)

#define KERNEL(NAME, MARK)                                                              \
    GW_GRADIENT("y wrt x, p")                                                           \
    GW_SPLIT_GRADIENT("y wrt x, p")                                                     \
    __global__ void NAME(real *y, const real *x, const real *p, int n) {                \
        int i = threadIdx.x;                                                            \
        real v = x[i];                                                                  \
        for (int k = 0; k < n; k++) {                                                   \
            real e = exp(-v) * p[k];                                                    \
            MARK(e);                                                                    \
            if (e > 0.4) {                                                              \
                real s = sin(e * v);                                                    \
                MARK(s);                                                                \
                v += 0.1 * s * s;                                                       \
            } else {                                                                    \
                v -= 0.1 * e * v;                                                       \
            }                                                                           \
        }                                                                               \
        y[i] = v * v;                                                                   \
    }
KERNEL(plain, NONE)
KERNEL(stored, GW_STORE)
KERNEL(again, GW_RECOMPUTE)

#include "marks.grad.cuh"

enum { N = 32, STEPS = 7 };
typedef std::vector<double> numbers;

struct result {
    numbers d_x, d_p;
    size_t bytes;
};

#define RUN(NAME)                                                                                              \
    static result run_##NAME(check::trial &trial) {                                                            \
        numbers start(N), factors(STEPS);                                                                      \
        for (int i = 0; i < N; i++)                                                                            \
            start[i] = 0.3 + 0.04 * i;                                                                         \
        for (int k = 0; k < STEPS; k++)                                                                        \
            factors[k] = 0.8 + 0.1 * k;                                                                        \
        check::array<double> y{numbers(N)}, x{start}, p{factors}, d_y{numbers(N, 1.0)}, d_x{numbers(N)},       \
            d_p{numbers(STEPS)};                                                                               \
        check::device_bytes work(NAME##_workspace_bytes(1, N, y.data(), x.data(), p.data(), STEPS));           \
        EXPECT_STATUS((NAME##_grad_launch(1, N, 0, 0, y.data(), x.data(), p.data(), STEPS, d_y.data(),         \
                                          d_x.data(), d_p.data(), work.data(), work.size())),                  \
                      GW_OK);                                                                                  \
        return {d_x.get(), d_p.get(), work.size()};                                                            \
    }                                                                                                          \
    static result halves_##NAME(check::trial &trial) {                                                         \
        numbers start(N), factors(STEPS);                                                                      \
        for (int i = 0; i < N; i++)                                                                            \
            start[i] = 0.3 + 0.04 * i;                                                                         \
        for (int k = 0; k < STEPS; k++)                                                                        \
            factors[k] = 0.8 + 0.1 * k;                                                                        \
        check::array<double> y{numbers(N)}, x{start}, p{factors}, d_y{numbers(N, 1.0)}, d_x{numbers(N)},       \
            d_p{numbers(STEPS)};                                                                               \
        check::device_bytes tape(NAME##_tape_bytes(1, N, y.data(), x.data(), p.data(), STEPS));                \
        EXPECT_STATUS(                                                                                         \
            (NAME##_fwd_launch(1, N, 0, 0, y.data(), x.data(), p.data(), STEPS, tape.data(), tape.size())),    \
            GW_OK);                                                                                            \
        EXPECT_STATUS((NAME##_bwd_launch(1, N, 0, 0, y.data(), x.data(), p.data(), STEPS, d_y.data(),          \
                                         d_x.data(), d_p.data(), tape.data(), tape.size())),                   \
                      GW_OK);                                                                                  \
        return {d_x.get(), d_p.get(), tape.size()};                                                            \
    }
RUN(plain)
RUN(stored)
RUN(again)

// d_p is added up by atomics, in the order of the threads.
static void expect_same(check::trial &trial, const numbers &have, const numbers &want, double tolerance) {
    for (size_t i = 0; i < want.size(); i++) EXPECT_NEAR(have[i], want[i], tolerance);
}

TEST(run_again) {
    const result p = run_plain(trial), s = run_stored(trial), r = run_again(trial);
    expect_same(trial, s.d_x, p.d_x, 0);
    expect_same(trial, r.d_x, p.d_x, 0);
    expect_same(trial, s.d_p, p.d_p, 1e-12);
    expect_same(trial, r.d_p, p.d_p, 1e-12);
    EXPECT(p.bytes == N * STEPS * 8); // v
    EXPECT(s.bytes == 3 * p.bytes);   // and e, s
    EXPECT(r.bytes == p.bytes);
}

TEST(recorded) {
    const result p = halves_plain(trial), s = halves_stored(trial), r = halves_again(trial),
                 joined = run_plain(trial);
    expect_same(trial, p.d_x, joined.d_x, 1e-14);
    expect_same(trial, s.d_x, p.d_x, 1e-14);
    expect_same(trial, r.d_x, p.d_x, 1e-14);
    expect_same(trial, s.d_p, p.d_p, 1e-12);
    expect_same(trial, r.d_p, p.d_p, 1e-12);
    EXPECT(r.bytes < s.bytes);
}

TEST_MAIN
