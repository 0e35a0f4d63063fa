// Loops with GW_CHECKPOINT in both halves of a split gradient: what is on the tape, that the gradient is that
// of the joined form and of the loop without the mark, and loops that have all iterations on the tape, because
// what a segment would read again is not there any more.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

#define ODE(NAME, MARK)                                                                                       \
    GW_GRADIENT("y wrt x, p")                                                                                 \
    GW_SPLIT_GRADIENT("y wrt x, p")                                                                           \
    __global__ void NAME(real *y, const real *x, const real *p, real dt, int n, int steps) {                  \
        int i = HERE;                                                                                         \
        if (i >= n) return;                                                                                   \
        real v = x[i], q = p[i];                                                                              \
        MARK for (int k = 0; k < steps; k++) v += dt * q * sin(v);                                            \
        y[i] = v;                                                                                             \
    }
#define NONE
ODE(plain, NONE)
ODE(segments, GW_CHECKPOINT(25))
ODE(snapshots, GW_CHECKPOINT_BINOMIAL(10))

// The cells that a segment reads are overwritten by the iterations; beside it, the same with cells of its own,
// which the joined form has a gradient of.
GW_SPLIT_GRADIENT("y, x wrt x")
__global__ void overwritten(real *y, real *x, int steps) {
    int i = HERE;
    real v = 0.5;
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        v = 0.9 * v + 0.1 * x[i * steps + k] * v * v;
        x[i * steps + k] = v;
    }
    y[i] = v;
}
GW_GRADIENT("y, z wrt x")
__global__ void apart(real *y, real *z, const real *x, int steps) {
    int i = HERE;
    real v = 0.5;
    for (int k = 0; k < steps; k++) {
        v = 0.9 * v + 0.1 * x[i * steps + k] * v * v;
        z[i * steps + k] = v;
    }
    y[i] = v;
}

// What an atomic operation gives, here the number of the iteration, is not asked for again.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void asked(real *y, const real *x, int *next, int steps) {
    int i = HERE;
    real v = x[i];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) v = 0.9 * v + 0.1 * sin(v) * (atomicAdd(&next[i], 1) % 3);
    y[i] = v;
}
GW_GRADIENT("y wrt x")
__global__ void counted(real *y, const real *x, int steps) {
    int i = HERE;
    real v = x[i];
    for (int k = 0; k < steps; k++) v = 0.9 * v + 0.1 * sin(v) * (k % 3);
    y[i] = v;
}

// The loop's end is in an output, and its bound in memory: no host knows it, and need not.
GW_SPLIT_GRADIENT("y wrt x with last")
__global__ void kept(real *y, real *last, const real *x, const int *steps) {
    int i = HERE;
    real v = x[i];
    GW_CHECKPOINT_BINOMIAL(3) for (int k = 0; k < steps[i]; k++) v = 0.9 * v + 0.1 * sin(v) * (k % 3);
    last[i] = v;
    y[i] = v * v;
}

#include "checkpoints.grad.cuh"

enum { N = 40, STEPS = 1000, HEADER = 256 };
typedef std::vector<double> numbers;
typedef check::array<double> array;

static numbers some(int n, double first) {
    numbers v(n);
    for (int i = 0; i < n; i++) v[i] = first + 0.01 * i;
    return v;
}

struct gradients {
    numbers y, d_x, d_p;
    double values; // on the tape, for each thread and step, a value of 8 bytes
};

template <class G, class W> gradients joined(check::trial &trial, G launch, W bytes) {
    array y{numbers(N)}, x{some(N, 0.5)}, p{some(N, 0.7)}, d_y{numbers(N, 1.0)}, d_x{numbers(N)},
        d_p{numbers(N)};
    size_t size = bytes(dim3(2), dim3(32), y.data(), x.data(), p.data(), 0.002, N, STEPS);
    check::device_bytes space(size);
    EXPECT_STATUS(launch(dim3(2), dim3(32), (size_t)0, (cudaStream_t)0, y.data(), x.data(), p.data(), 0.002, N,
                         STEPS, d_y.data(), d_x.data(), d_p.data(), space.data(), size),
                  GW_OK);
    return {y.get(), d_x.get(), d_p.get(), (double)size / 64 / 8 / STEPS};
}

template <class F, class B, class W> gradients halves(check::trial &trial, F forward, B backward, W bytes) {
    array y{numbers(N)}, x{some(N, 0.5)}, p{some(N, 0.7)}, d_y{numbers(N, 1.0)}, d_x{numbers(N)},
        d_p{numbers(N)};
    size_t size = bytes(dim3(2), dim3(32), y.data(), x.data(), p.data(), 0.002, N, STEPS);
    check::device_bytes tape(size);
    EXPECT_STATUS(forward(dim3(2), dim3(32), (size_t)0, (cudaStream_t)0, y.data(), x.data(), p.data(), 0.002, N,
                          STEPS, tape.data(), size),
                  GW_OK);
    gradients g = {y.get(), {}, {}, (double)(size - HEADER) / 64 / 8 / STEPS};
    y.set(numbers(N, 99.0));
    EXPECT_STATUS(backward(dim3(2), dim3(32), (size_t)0, (cudaStream_t)0, y.data(), x.data(), p.data(), 0.002,
                           N, STEPS, d_y.data(), d_x.data(), d_p.data(), tape.data(), size),
                  GW_OK);
    g.d_x = d_x.get(), g.d_p = d_p.get();
    return g;
}

#define JOINED(NAME)                                                                                           \
    joined(                                                                                                    \
        trial, [](auto... a) { return NAME##_grad_launch(a...); },                                             \
        [](auto... a) { return NAME##_workspace_bytes(a...); })
#define HALVES(NAME)                                                                                           \
    halves(                                                                                                    \
        trial, [](auto... a) { return NAME##_fwd_launch(a...); },                                              \
        [](auto... a) { return NAME##_bwd_launch(a...); }, [](auto... a) { return NAME##_tape_bytes(a...); })

static bool same(const numbers &x, const numbers &y) {
    bool good = x.size() == y.size();
    for (size_t i = 0; good && i < x.size(); i++)
        good = std::fabs(x[i] - y[i]) <= 1e-13 * (1 + std::fabs(y[i]));
    return good;
}

TEST(the_same_gradient) {
    const gradients want = JOINED(plain), all = HALVES(plain);
    const gradients got[] = {all, JOINED(segments), HALVES(segments), HALVES(snapshots)};
    for (const gradients &g : got) EXPECT(same(g.d_x, want.d_x) && same(g.d_p, want.d_p));
    EXPECT(want.values >= 1 && all.values >= 1);
    for (int k = 1; k < 4; k++) EXPECT(got[k].values > 0 && got[k].values <= 0.05);
    EXPECT(same(got[2].y, all.y) && same(got[3].y, all.y));
}

TEST(cells_that_are_overwritten) {
    enum { TURNS = 11 };
    const numbers start = some(8 * TURNS, 0.2), seed = some(8 * TURNS, -0.4), last = some(8, 1);
    array y{numbers(8)}, x{start}, d_y{last}, d_x{seed};
    size_t size = overwritten_tape_bytes(1, 8, y.data(), x.data(), TURNS);
    check::device_bytes tape(size);
    EXPECT(size >= HEADER + 8 * TURNS * sizeof(real)); // all iterations
    EXPECT_STATUS(overwritten_fwd_launch(1, 8, 0, 0, y.data(), x.data(), TURNS, tape.data(), size), GW_OK);
    const numbers written = x.get();
    x.set(numbers(8 * TURNS, 99.0));
    EXPECT_STATUS(overwritten_bwd_launch(1, 8, 0, 0, y.data(), x.data(), TURNS, d_y.data(), d_x.data(),
                                         tape.data(), size),
                  GW_OK);
    EXPECT(x.get() == numbers(8 * TURNS, 99.0)); // no segment stored there again
    array z{numbers(8 * TURNS)}, other{start}, d_last{last}, d_z{seed}, d_other{numbers(8 * TURNS)};
    apart<<<1, 8>>>(y.data(), z.data(), other.data(), TURNS);
    EXPECT(same(written, z.get()));
    check::device_bytes space(apart_workspace_bytes(1, 8, y.data(), z.data(), other.data(), TURNS));
    EXPECT_STATUS(apart_grad_launch(1, 8, 0, 0, y.data(), z.data(), other.data(), TURNS, d_last.data(),
                                    d_z.data(), d_other.data(), space.data(), space.size()),
                  GW_OK);
    EXPECT(same(d_x.get(), d_other.get()));
}

TEST(what_threads_ask_for) {
    enum { TURNS = 11 };
    array y{numbers(8)}, x{some(8, 0.2)}, d_y{some(8, 1)}, d_x{numbers(8)}, seed{some(8, 1)}, want{numbers(8)};
    check::array<int> next{std::vector<int>(8)};
    check::device_bytes tape(asked_tape_bytes(1, 8, y.data(), x.data(), next.data(), TURNS));
    EXPECT_STATUS(
        asked_fwd_launch(1, 8, 0, 0, y.data(), x.data(), next.data(), TURNS, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(asked_bwd_launch(1, 8, 0, 0, y.data(), x.data(), next.data(), TURNS, d_y.data(), d_x.data(),
                                   tape.data(), tape.size()),
                  GW_OK);
    EXPECT(next.get() == std::vector<int>(8, TURNS));
    check::device_bytes space(counted_workspace_bytes(1, 8, y.data(), x.data(), TURNS));
    EXPECT_STATUS(counted_grad_launch(1, 8, 0, 0, y.data(), x.data(), TURNS, seed.data(), want.data(),
                                      space.data(), space.size()),
                  GW_OK);
    EXPECT(same(d_x.get(), want.get()));
}

TEST(an_end_that_an_output_holds) {
    enum { TURNS = 11 };
    array y{numbers(8)}, last{numbers(8)}, x{some(8, 0.2)}, d_y{some(8, 1)}, d_x{numbers(8)}, seed{numbers(8)},
        want{numbers(8)};
    check::array<int> steps{std::vector<int>(8, TURNS)};
    check::device_bytes tape(kept_tape_bytes(1, 8, y.data(), last.data(), x.data(), steps.data()));
    EXPECT_STATUS(
        kept_fwd_launch(1, 8, 0, 0, y.data(), last.data(), x.data(), steps.data(), tape.data(), tape.size()),
        GW_OK);
    EXPECT_STATUS(kept_bwd_launch(1, 8, 0, 0, y.data(), last.data(), x.data(), steps.data(), d_y.data(),
                                  d_x.data(), tape.data(), tape.size()),
                  GW_OK);
    numbers ends = last.get(), d = some(8, 1);
    for (int i = 0; i < 8; i++) d[i] *= 2 * ends[i];
    seed.set(d);
    check::device_bytes space(counted_workspace_bytes(1, 8, y.data(), x.data(), TURNS));
    EXPECT_STATUS(counted_grad_launch(1, 8, 0, 0, y.data(), x.data(), TURNS, seed.data(), want.data(),
                                      space.data(), space.size()),
                  GW_OK);
    EXPECT(same(d_x.get(), want.get()));
}

TEST_MAIN
