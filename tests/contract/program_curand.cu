// Programs that draw random numbers by cuRAND, on the host and in kernels, which have no derivative and are
// drawn once: against central differences. On the CPU device by tests/support/blas.
#ifdef GW_CPU_DEVICE
#include "../support/blas/curand.h"
#include "../support/blas/curand_kernel.h"
#else
#include <curand_kernel.h>
#endif
#include "../support/expect.cuh"

#include <gradwright/curand.cuh>
#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void weigh(double *u, const double *r, double by, int n) {
    if (HERE < n) u[HERE] = by * r[HERE] * sin(u[HERE]) + u[HERE] / 2;
}
__global__ void add(double *y, const double *u, const float *r, const unsigned *k, int n) {
    if (HERE < n) y[HERE] = u[HERE] * r[HERE] * (k[HERE] % 4 + 1);
}

__global__ void start(curandState *states) { curand_init(5, threadIdx.x, 0, states + threadIdx.x); }

// Makes its generator, and draws in a loop.
GW_GRADIENT("y wrt x, by") GW_DERIVATIVE("y wrt x, by")
int walk(double *y, const double *x, double by, int n, int steps, cudaStream_t stream) {
    curandGenerator_t generator;
    double *r, *u;
    float *f;
    unsigned *k;
    cudaMalloc(&r, n * sizeof(double));
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&f, n * sizeof(float));
    cudaMalloc(&k, n * sizeof(unsigned));
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetStream(generator, stream);
    if (curandSetPseudoRandomGeneratorSeed(generator, 1234ULL) != CURAND_STATUS_SUCCESS) return 1;
    cudaMemcpyAsync(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < steps; t++) {
        curandGenerateUniformDouble(generator, r, n);
        weigh<<<1, 64, 0, stream>>>(u, r, by, n);
        curandGenerateNormalDouble(generator, r, n, 0.75, 0.25);
        weigh<<<1, 64, 0, stream>>>(u, r, 1, n);
    }
    curandGenerateUniform(generator, f, n);
    curandGenerate(generator, k, n);
    add<<<1, 64, 0, stream>>>(y, u, f, k, n);
    curandDestroyGenerator(generator);
    cudaFree(r), cudaFree(u), cudaFree(f), cudaFree(k);
    return cudaGetLastError();
}
// The same in marked loops: a part that ran again would draw other numbers.
GW_GRADIENT("u wrt u, by")
int marked(double *u, double by, int n, int steps, curandGenerator_t generator, cudaStream_t stream) {
    double *r;
    cudaMalloc(&r, n * sizeof(double));
    GW_CHECKPOINT(2) for (int t = 0; t < steps; t++) {
        curandGenerateUniformDouble(generator, r, n);
        GW_CHECKPOINT_BINOMIAL(2) for (int k = 0; k < 3; k++) weigh<<<1, 64, 0, stream>>>(u, r, by, n);
    }
    GW_CHECKPOINT_BINOMIAL(2) for (int t = 0; t < steps; t++) {
        if (curandGenerateLogNormalDouble(generator, r, n, 0, 0.125)) break;
        weigh<<<1, 64, 0, stream>>>(u, r, by, n);
    }
    cudaFree(r);
    return cudaGetLastError();
}
// What is overwritten had a derivative.
GW_GRADIENT("y wrt x")
int overwritten(double *y, const double *x, int n, curandGenerator_t generator, cudaStream_t stream) {
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    weigh<<<1, 64, 0, stream>>>(y, x, 1, n);
    curandGenerateUniformDouble(generator, y, n / 2);
    return 0;
}
GW_GRADIENT("y wrt mean")
int by_mean(double *y, double mean, int n, curandGenerator_t generator) {
    return curandGenerateNormalDouble(generator, y, n, mean, 1);
}
// States that kernels advance: a launch of the reverse sweep meets them as the primal's launch left them.
__device__ double moved(double v, double by, curandState *state) {
    return by * v * curand_uniform(state) + 0.25 * curand_normal(state) * sin(v);
}
GW_SPLIT_GRADIENT("u wrt u, by")
__global__ void jump(double *u, double by, curandState *states, int steps, int n) {
    if (HERE >= n) return;
    curandState state = states[HERE];
    for (int k = 0; k < steps; k++) {
        u[HERE] = moved(u[HERE], by, &state);
        if (curand(states + HERE) % 2) u[HERE] += moved(u[HERE], by, &state) / 4;
    }
    states[HERE] = state;
}
GW_GRADIENT("y wrt x, by") GW_DERIVATIVE("y wrt x, by")
int jumps(double *y, const double *x, double by, curandState *states, int n, int times, cudaStream_t stream) {
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    GW_CHECKPOINT(2) for (int t = 0; t < times; t++) jump<<<1, 64, 0, stream>>>(y, by, states, 3, n);
    jump<<<1, 64, 0, stream>>>(y, by, states, 1, n);
    return cudaGetLastError();
}
// Nothing of a start is part of a derivative.
GW_GRADIENT("y wrt x, by")
int from_start(double *y, const double *x, double by, int n, cudaStream_t stream) {
    curandState *states;
    cudaMalloc(&states, n * sizeof(curandState));
    start<<<1, n, 0, stream>>>(states);
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < 2; t++) jump<<<1, 64, 0, stream>>>(y, by, states, 2, n);
    cudaFree(states);
    return cudaGetLastError();
}
// A state that is only read, and one that the kernel starts itself: one run, behind the primal's.
GW_GRADIENT("y wrt x, by")
__global__ void redrawn(double *y, const double *x, double by, const curandState *states, int n) {
    if (HERE >= n) return;
    curandStatePhilox4_32_10_t own;
    curand_init(77, HERE, 5, &own);
    curandState state = states[HERE];
    double v = x[HERE];
    for (int k = 0; k < 3; k++) v = moved(v, by, &state) * curand_uniform(&own);
    y[HERE] = v;
}
#include "program_curand.grad.cuh"

namespace {

enum { N = 6 };
typedef std::vector<double> numbers;
const numbers seed = {1, -2, 3, 0.5, -1, 2}, at = {1.1, 1.35, 1.5, 1.2, 1.4, 0.9};

struct library {
    cudaStream_t stream = nullptr;
    curandGenerator_t generator = 0;
    library() {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
        curandSetPseudoRandomGeneratorSeed(generator, 7);
        curandSetStream(generator, stream);
    }
    ~library() {
        curandDestroyGenerator(generator);
        cudaStreamDestroy(stream);
    }
};

// <seed, y> of a run, and with `d` its gradient.
template <class Run> double loss(check::trial &trial, Run run, const numbers &point, numbers *d) {
    library l;
    check::array<double> y(at), x(numbers(point.begin(), point.begin() + N)), d_y(seed), d_x(numbers(N, 0.0));
    double d_by = 0, sum = 0;
    EXPECT_STATUS(run(l, y, x, point[N], d != nullptr, d_y, d_x, &d_by), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++)
        sum += seed[i] * y.get()[i];
    if (d) *d = d_x.get(), d->push_back(d_by);
    return sum;
}

template <class Run> void against_differences(check::trial &trial, Run run) {
    numbers point = at, d;
    point.push_back(0.875);
    loss(trial, run, point, &d);
    for (size_t i = 0; i <= N; i++) {
        const double h = 1e-5, middle = point[i];
        point[i] = middle + h;
        const double up = loss(trial, run, point, nullptr);
        point[i] = middle - h;
        const double slope = (up - loss(trial, run, point, nullptr)) / (2 * h);
        point[i] = middle;
        EXPECT(check::near(d[i], slope, 1e-7, 1));
    }
}

TEST(drawn_in_a_program) {
    against_differences(trial, [](library &l, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        if (back) return walk_grad(y, x, by, N, 3, l.stream, d_y, d_x, d_by);
        return (gw_status)walk(y, x, by, N, 3, l.stream);
    });
}

TEST(drawn_in_marked_loops) {
    against_differences(trial, [](library &l, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        y.set(x.get());
        if (!back) return (gw_status)marked(y, by, N, 2, l.generator, l.stream);
        const gw_status status = marked_grad(y, by, N, 2, l.generator, l.stream, d_y, d_by);
        cudaStreamSynchronize(l.stream);
        d_x.set(d_y.get());
        return status;
    });
}

struct started {
    curandState *states = nullptr;
    started() {
        cudaMalloc(&states, N * sizeof(curandState));
        start<<<1, N>>>(states);
        cudaDeviceSynchronize();
    }
    ~started() { cudaFree(states); }
};

TEST(drawn_in_kernels) {
    against_differences(trial, [](library &l, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        started s;
        const gw_status status = back ? jumps_grad(y, x, by, s.states, N, 3, l.stream, d_y, d_x, d_by)
                                      : (gw_status)jumps(y, x, by, s.states, N, 3, l.stream);
        cudaStreamSynchronize(l.stream);
        return status;
    });
}

TEST(drawn_behind_a_start) {
    against_differences(trial, [](library &l, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        if (back) return from_start_grad(y, x, by, N, l.stream, d_y, d_x, d_by);
        return (gw_status)from_start(y, x, by, N, l.stream);
    });
}

TEST(drawn_in_halves) {
    against_differences(trial, [](library &, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        started s;
        check::array<double> d(numbers{*d_by});
        y.set(x.get());
        const size_t bytes = jump_tape_bytes(1, 64, y, by, s.states, 3, N);
        void *tape;
        cudaMalloc(&tape, bytes);
        gw_status status = jump_fwd_launch(1, 64, 0, nullptr, y, by, s.states, 3, N, tape, bytes);
        if (back && !status)
            status = jump_bwd_launch(1, 64, 0, nullptr, y, by, s.states, 3, N, d_y, d, tape, bytes);
        cudaDeviceSynchronize();
        cudaFree(tape);
        d_x.set(d_y.get()), *d_by = d.get()[0];
        return status;
    });
}

TEST(drawn_again_from_the_same_state) {
    against_differences(trial, [](library &, auto &y, auto &x, double by, bool back, auto &d_y, auto &d_x,
                                  double *d_by) {
        started s;
        check::array<double> d(numbers{*d_by});
        gw_status status = GW_OK;
        redrawn<<<1, 64>>>(y, x, by, s.states, N);
        if (back) status = redrawn_grad_alloc(1, 64, 0, nullptr, y, x, by, s.states, N, d_y, d_x, d);
        cudaDeviceSynchronize();
        *d_by = d.get()[0];
        return status;
    });
}

TEST(drawn_in_kernels_along_tangents) {
    library l;
    started s, t, again;
    const double h = 1e-5;
    numbers up = at, down = at;
    for (size_t i = 0; i < N; i++)
        up[i] += h * seed[i], down[i] -= h * seed[i];
    check::array<double> y(at), x(at), t_y(numbers(N, 0.0)), t_x(seed), a(at), b(at), plus(up), minus(down);
    EXPECT_STATUS(jumps_jvp(y, x, 0.875, s.states, N, 2, l.stream, t_y, t_x, 1), GW_OK);
    jumps(a, plus, 0.875 + h, t.states, N, 2, l.stream);
    jumps(b, minus, 0.875 - h, again.states, N, 2, l.stream);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++)
        EXPECT(check::near(t_y.get()[i], (a.get()[i] - b.get()[i]) / (2 * h), 1e-7, 1));
}

TEST(overwritten_by_what_is_drawn) {
    library l;
    check::array<double> y(at), x(at), d_y(seed), d_x(numbers(N, 0.0));
    EXPECT_STATUS(overwritten_grad(y, x, N, l.generator, l.stream, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++)
        EXPECT_NEAR(d_x.get()[i], i < N / 2 ? 0 : seed[i] * (sin(at[i]) + at[i] * cos(at[i]) + 0.5), 1e-12);
}

TEST(along_tangents) {
    library l;
    const double h = 1e-5;
    numbers up = at, down = at;
    for (size_t i = 0; i < N; i++)
        up[i] += h * seed[i], down[i] -= h * seed[i];
    check::array<double> y(at), x(at), t_y(numbers(N, 0.0)), t_x(seed), a(at), b(at), plus(up), minus(down);
    EXPECT_STATUS(walk_jvp(y, x, 0.875, N, 3, l.stream, t_y, t_x, 1), GW_OK);
    walk(a, plus, 0.875 + h, N, 3, l.stream);
    walk(b, minus, 0.875 - h, N, 3, l.stream);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++) {
        const double slope = (a.get()[i] - b.get()[i]) / (2 * h);
        EXPECT(check::near(t_y.get()[i], slope, 1e-7, 1));
    }
}

TEST(no_adjoint_of_a_mean) {
    library l;
    check::array<double> y(at), d_y(seed);
    double d_mean = 0;
    EXPECT(by_mean_grad(y, 1, N, l.generator, d_y, &d_mean) != GW_OK);
    EXPECT(strstr(gw_last_error(), "103") != nullptr);
    curandGenerator_t none = 99;
    EXPECT(curandGenerateUniformDouble(none, y, N) == CURAND_STATUS_NOT_INITIALIZED);
}

} // namespace
TEST_MAIN
