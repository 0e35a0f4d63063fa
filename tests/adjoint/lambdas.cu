// Kernels and functions over a lambda: the text has a struct of what the lambda holds copies of, called after
// the variable that the lambda initializes, which the source builds by name; its adjoint is another of them.
#include "../support/check.cuh"

typedef double real;

template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) f(i);
}
template <class F> GW_GRADIENT("f.y wrt f.x") __global__ void over(int n, F f) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) f((long)i);
}
template <class F> GW_GRADIENT("wrt x, f") GW_DERIVATIVE("wrt x") real twice(real x, F f) { return f(f(x)); }
// What the lambda's body calls has another lambda as its argument.
template <class F> __host__ __device__ real apply(F f, real v) { return f(v) + v; }

#include "lambdas.grad.cuh"

static const int N = 40;
static std::vector<real> cells() {
    std::vector<real> v(N);
    for (int i = 0; i < N; i++) v[i] = 0.5 + 0.01 * i;
    return v;
}
static real worst(const std::vector<real> &got, real (*slope)(real)) {
    real most = 0;
    const std::vector<real> x = cells();
    for (int i = 0; i < N; i++) most = std::max(most, std::fabs(got[i] - slope(x[i])));
    return most;
}

// Two of one kernel; the first has a scalar with a derivative.
static void in_variables(check::trial &trial) {
    const real scale = 1.5, weights[2] = {2, 3};
    const int n = N;
    check::array<real> y{std::vector<real>(N)}, x{cells()}, d_y{std::vector<real>(N, 1)};
    check::array<real> d_x{std::vector<real>(N)};
    real *const out = y;
    const real *in = x;
    auto squares = [=] __device__(int i) { out[i] = scale * in[i] * in[i]; };
    forall<<<2, 32>>>(n, squares);
    std::vector<real> value = y.get();
    EXPECT_NEAR(value[3], 1.5 * 0.53 * 0.53, 1e-12);
    squares_captures given{};
    given.out = y, given.scale = scale, given.in = x;
    squares_captures shadow{};
    shadow.out = d_y, shadow.in = d_x;
    check::array<squares_captures> d_given{shadow};
    EXPECT_STATUS(forall_grad_launch(2, 32, 0, 0, n, given, d_given.data(), nullptr, 0), GW_OK);
    EXPECT(worst(d_x.get(), [](real v) { return 2 * 1.5 * v; }) < 1e-12);
    real sum = 0;
    for (real v : cells()) sum += v * v;
    EXPECT_NEAR(d_given.get()[0].scale, sum, 1e-10);

    auto cubes = [=] __device__(int i) {
        auto power = [=](real v) { return weights[0] * v * v; };
        out[i] = apply(power, in[i]) * weights[1];
    };
    d_y.set(std::vector<real>(N, 1)), d_x.set(std::vector<real>(N));
    forall<<<2, 32>>>(n, cubes);
    cubes_captures second{}, second_shadow{};
    second.out = y, second.in = x, second.weights[0] = 2, second.weights[1] = 3;
    second_shadow.out = d_y, second_shadow.in = d_x;
    check::array<cubes_captures> d_second{second_shadow};
    EXPECT_STATUS(forall_grad_launch(2, 32, 0, 0, n, second, d_second.data(), nullptr, 0), GW_OK);
    EXPECT(worst(d_x.get(), [](real v) { return 3 * (4 * v + 1); }) < 1e-12);
}

// As an argument.
static void in_place(check::trial &trial) {
    check::array<real> out{std::vector<real>(N)}, in{cells()}, d_y{std::vector<real>(N, 1)};
    check::array<real> d_x{std::vector<real>(N)};
    real *y = out;
    const real *x = in;
    over<<<2, 32>>>(N, [y, x] __device__(long i) { y[i] = x[i] * x[i] * x[i]; });
    const over_captures given{y, x}, shadow{d_y, d_x};
    EXPECT_STATUS(over_grad_launch(2, 32, 0, 0, N, given, shadow, nullptr, 0), GW_OK);
    EXPECT(worst(d_x.get(), [](real v) { return 3 * v * v; }) < 1e-12);
}

TEST(kernels) {
    in_variables(trial);
    in_place(trial);
}

// On the host: one that takes any type, and one that changes its own state as it goes.
TEST(functions) {
    const real k = 3, x = 0.7;
    auto line = [k](auto v) { return k * v + v * v; };
    auto rising = [r = k](real v) mutable { return (r += 1) * v; };
    const real f = line(line(x)), inner = line(x);
    EXPECT_NEAR(twice(x, line), f, 1e-14);
    EXPECT_NEAR(twice(x, rising), 20 * x, 1e-14);
    real d_x = 0;
    line_captures given{k}, d_line{};
    twice_grad(x, given, &d_x, &d_line);
    EXPECT_NEAR(d_x, (k + 2 * inner) * (k + 2 * x), 1e-12);
    EXPECT_NEAR(d_line.k, inner + (k + 2 * inner) * x, 1e-12);
    real t = 0;
    EXPECT_NEAR(twice_jvp(x, given, 1, &t), f, 1e-14);
    EXPECT_NEAR(t, (k + 2 * inner) * (k + 2 * x), 1e-12);
    rising_captures state{k}, d_rising{};
    d_x = 0;
    twice_grad(x, state, &d_x, &d_rising);
    EXPECT_NEAR(d_x, 20, 1e-12);
    EXPECT_NEAR(d_rising.r, 9 * x, 1e-12);
}
TEST_MAIN
