// What nobody asked for is not computed: data, targets, coefficients and numbers that are not inputs of the
// request have no adjoint, in a program whose kernels could have them; against central differences, and by the
// bytes that the runs take. A passive pointer that leads to memory with a derivative is an error.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// y = W x, and once more by way of a square: the same kernel for data and for what was computed.
__global__ void affine(double *y, const double *x, const double *W, int in, int out, int rows) {
    const int at = HERE, row = at / out, k = at % out;
    if (row >= rows) return;
    double s = 0;
    for (int i = 0; i < in; i++)
        s += W[k * in + i] * x[row * in + i];
    y[at] = s + 0.25 * s * s;
}
__global__ void misfit(double *loss, const double *y, const double *target, int n) {
    const int i = HERE;
    if (i < n) atomicAdd(loss, (y[i] - target[i]) * (y[i] - target[i]));
}

GW_GRADIENT("loss wrt W, V")
void train(double *loss, const double *W, const double *V, const double *x, const double *target, int in,
           int mid, int rows) {
    double *h, *y, *data;
    cudaMalloc(&h, rows * mid * sizeof(double));
    cudaMalloc(&y, rows * sizeof(double));
    cudaMalloc(&data, rows * in * sizeof(double));
    cudaMemcpy(data, x, rows * in * sizeof(double), cudaMemcpyDefault);
    cudaMemset(loss, 0, sizeof(double));
    affine<<<rows, mid>>>(h, data, W, in, mid, rows);
    affine<<<rows, 1>>>(y, h, V, mid, 1, rows);
    misfit<<<1, rows>>>(loss, y, target, rows);
    cudaFree(h), cudaFree(y), cudaFree(data);
}

// A leapfrog of two fields: linear in them, so that nothing is saved but for the derivative by coefficients.
__global__ void push(double *e, const double *h, const double *ca, const double *cb, double dt, int n) {
    const int i = HERE;
    if (i < n) e[i] = ca[i] * e[i] + cb[i] * dt * (h[i] - h[(i + n - 1) % n]);
}
__global__ void energy(double *sum, const double *e, double by, int n) {
    const int i = HERE;
    if (i < n) atomicAdd(sum, by * e[i] * e[i]);
}
#define LEAPFROG(name, request)                                                                                \
    GW_GRADIENT(request)                                                                                       \
    void name(double *sum, double *e, double *h, const double *ca, const double *cb, double dt, int n,         \
              int steps) {                                                                                     \
        for (int t = 0; t < steps; t++) {                                                                      \
            push<<<1, 32>>>(e, h, ca, cb, dt, n);                                                              \
            push<<<1, 32>>>(h, e, ca, cb, -dt, n);                                                             \
        }                                                                                                      \
        energy<<<1, 32>>>(sum, e, 0.5, n);                                                                     \
    }
LEAPFROG(fields, "sum wrt e, h")
LEAPFROG(all_of_it, "sum wrt e, h, ca, cb, dt")

// Structs, by value: one pointer and one number of several; an active buffer that constants overwrite; a buffer
// that is data first; values that come by way of the host.
struct material {
    double *u;
    const double *weight;
    double rate, bias;
};
__global__ void drive(material m, const double *x, int n) {
    const int i = HERE;
    if (i < n) m.u[i] = m.rate * m.weight[i] * x[i] + m.bias;
}
__global__ void settle(double *u, double to, int n) {
    const int i = HERE;
    if (i < n && i % 2) u[i] = to;
}
__global__ void mix(double *v, const double *u, const double *x, double by, int n) {
    const int i = HERE;
    if (i < n) v[i] = by * u[i] * x[i] + v[i];
}
GW_GRADIENT("y wrt x, rate")
GW_GRADIENT("by_weight = y wrt weight")
void through(double *y, const double *x, const double *weight, double rate, int n) {
    double *u, *v, first = 0;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpy(v, weight, n * sizeof(double), cudaMemcpyDefault);
    drive<<<1, 32>>>(material{u, weight, rate, 0.5}, x, n);
    settle<<<1, 32>>>(u, 0.75, n);
    cudaMemcpy(&first, u, sizeof first, cudaMemcpyDeviceToHost);
    mix<<<1, 32>>>(v, u, weight, 1.5, n);
    mix<<<1, 32>>>(v, v, x, first * first, n);
    cudaMemcpy(y, v, n * sizeof(double), cudaMemcpyDefault);
    cudaFree(u), cudaFree(v);
}

// Variables of the device: of one that holds data, one that is computed.
__device__ double gain[4], shift[4];
__global__ void by_symbols(double *y, const double *x, int n) {
    const int i = HERE;
    if (i < n) y[i] = gain[i % 4] * x[i] * x[i] + shift[i % 4];
}
GW_GRADIENT("y wrt g")
void symbols(double *y, const double *x, const double *g, const double *s, int n) {
    cudaMemcpyToSymbol(gain, g, 4 * sizeof(double), 0, cudaMemcpyDefault);
    cudaMemcpyToSymbol(shift, s, 4 * sizeof(double), 0, cudaMemcpyDefault);
    by_symbols<<<1, 32>>>(y, x, n);
}

// Memory of the host without a size: an output that nobody asks for, and what stages between two buffers.
__global__ void both(double *c, double *p, const double *s, int n) {
    const int i = HERE;
    if (i < n) c[i] = s[i] * s[i], p[i] = 3 * s[i];
}
GW_GRADIENT("call wrt s")
void staged(double *call, double *put, double *between, const double *s, int n, int steps) {
    double *c, *p, *u;
    cudaMalloc(&c, n * sizeof(double)), cudaMalloc(&p, n * sizeof(double)), cudaMalloc(&u, n * sizeof(double));
    cudaMemcpy(u, s, n * sizeof(double), cudaMemcpyHostToDevice);
    for (int t = 0; t < steps; t++) {
        both<<<1, 32>>>(c, p, u, n);
        cudaMemcpy(put, p, n * sizeof(double), cudaMemcpyDeviceToHost);
        cudaMemcpy(between + 1, c, n * sizeof(double), cudaMemcpyDeviceToHost);
        between[n] *= 0.5;
        cudaMemcpy2D(u, 8, between + 1, 8, 8, n, cudaMemcpyHostToDevice);
    }
    cudaMemcpy(call, u, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(c), cudaFree(p), cudaFree(u);
}

// What a pointer is compared with is not looked at.
GW_GRADIENT("y wrt x")
void between(double *y, const double *x, const double *end, const double *by) {
    const int n = (int)(end - x);
    cudaMemset(y, 0, n * sizeof(double));
    mix<<<1, 32>>>(y, x, by, 2, n);
}
// What is written to one, and what is read of the other, have no derivative each; as one memory they would.
__global__ void squared(double *to, const double *from, int n) {
    const int i = threadIdx.x;
    if (i < n) to[i] = from[i] * from[i];
}
GW_GRADIENT("y wrt x")
void in_two_parts(double *y, const double *x, double *left, double *right, int n) {
    squared<<<1, 32>>>(left, x, n);
    squared<<<1, 32>>>(y, right, n);
}
#include "program_activity.grad.cuh"

namespace {

typedef std::vector<double> numbers;

numbers random(uint64_t seed, size_t count) {
    check::generator from = {seed};
    numbers made;
    while (made.size() < count)
        made.push_back(from.uniform(-1, 1));
    return made;
}

numbers zeros(size_t count) { return numbers(count); }

/* d, beside what it was, is the derivative of value by each of `at`. */
template <class F> void expect_derivative(check::trial &trial, const numbers &d, const numbers &at, F value) {
    const double h = 1e-5;
    for (size_t i = 0; i < at.size(); i++) {
        numbers more = at, less = at;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d[i], (value(more) - value(less)) / (2 * h), 1e-6, 1));
    }
}

TEST(training) {
    enum { IN = 6, MID = 4, ROWS = 5 };
    const numbers w = random(1, IN * MID), v = random(2, MID), x = random(3, IN * ROWS), t = random(4, ROWS);
    const auto loss_of = [&](const numbers &W, const numbers &V) {
        check::array<double> loss({0.0}), a(W), b(V), data(x), target(t);
        train(loss, a, b, data, target, IN, MID, ROWS);
        return loss.get()[0];
    };
    check::array<double> loss({0.0}), a(w), b(v), data(x), target(t), d_loss({1.0}), d_a(zeros(w.size())),
        d_b(zeros(v.size()));
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    EXPECT_STATUS(train_grad_in(pool, loss, a, b, data, target, IN, MID, ROWS, d_loss, d_a, d_b), GW_OK);
    EXPECT_DEVICE_OK();
    expect_derivative(trial, d_a.get(), w, [&](const numbers &W) { return loss_of(W, v); });
    expect_derivative(trial, d_b.get(), v, [&](const numbers &V) { return loss_of(w, V); });
    EXPECT(data.get() == x && target.get() == t && d_loss.get()[0] == 0);
    gw_program_figures f;
    gw_pool_figures(pool, &f);
    EXPECT(f.shadows == 2 * 256 && f.saves == 0); /* of h and y: blocks of the least size */
    gw_pool_free(pool);
}

TEST(coefficients) {
    enum { N = 24, STEPS = 6 };
    const numbers e0 = random(5, N), h0 = random(6, N), ca = random(7, N), cb = random(8, N);
    const double dt = 0.3;
    const auto sum_of = [&](const numbers &e, const numbers &h, const numbers &a, const numbers &b) {
        check::array<double> sum({0.0}), u(e), w(h), c(a), k(b);
        fields(sum, u, w, c, k, dt, N, STEPS);
        return sum.get()[0];
    };
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    gw_program_figures few, many;
    for (int all = 0; all < 2; all++) {
        check::array<double> sum({0.0}), e(e0), h(h0), a(ca), b(cb), d_sum({1.0}), d_e(zeros(N)), d_h(zeros(N)),
            d_a(zeros(N)), d_b(zeros(N));
        double d_dt = 0;
        if (all) {
            EXPECT_STATUS(
                all_of_it_grad_in(pool, sum, e, h, a, b, dt, N, STEPS, d_sum, d_e, d_h, d_a, d_b, &d_dt),
                GW_OK);
        } else {
            EXPECT_STATUS(fields_grad_in(pool, sum, e, h, a, b, dt, N, STEPS, d_sum, d_e, d_h), GW_OK);
        }
        EXPECT_DEVICE_OK();
        gw_pool_figures(pool, all ? &many : &few);
        expect_derivative(trial, d_e.get(), e0, [&](const numbers &x) { return sum_of(x, h0, ca, cb); });
        expect_derivative(trial, d_h.get(), h0, [&](const numbers &x) { return sum_of(e0, x, ca, cb); });
        EXPECT(d_sum.get()[0] == 1); /* which the program adds to, and nothing else */
        if (!all) continue;
        expect_derivative(trial, d_a.get(), ca, [&](const numbers &x) { return sum_of(e0, h0, x, cb); });
        expect_derivative(trial, d_b.get(), cb, [&](const numbers &x) { return sum_of(e0, h0, ca, x); });
    }
    EXPECT(few.shadows <= many.shadows && few.waits == 0 && many.waits > 0);
    EXPECT(few.saved_bytes <= 2 * N * sizeof(double) && many.saved_bytes >= STEPS * N * sizeof(double));
    gw_pool_free(pool);
}

TEST(through) {
    enum { N = 7 };
    const numbers x0 = random(9, N), w0 = random(10, N), seed = random(11, N);
    const double rate = 0.7, h = 1e-5;
    const auto sum_of = [&](const numbers &x, const numbers &w, double by) {
        check::array<double> y(zeros(N)), a(x), b(w);
        through(y, a, b, by, N);
        double sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += seed[i] * y.get()[i];
        return sum;
    };
    check::array<double> y(zeros(N)), x(x0), w(w0), d_y(seed), d_x(zeros(N)), d_w(zeros(N));
    double d_rate = 0;
    EXPECT_STATUS(through_grad(y, x, w, rate, N, d_y, d_x, &d_rate), GW_OK);
    EXPECT_DEVICE_OK();
    expect_derivative(trial, d_x.get(), x0, [&](const numbers &at) { return sum_of(at, w0, rate); });
    EXPECT_NEAR(d_rate, (sum_of(x0, w0, rate + h) - sum_of(x0, w0, rate - h)) / (2 * h), 1e-6);
    EXPECT(d_y.get() == zeros(N) && x.get() == x0 && w.get() == w0);
    d_y.set(seed);
    EXPECT_STATUS(by_weight(y, x, w, rate, N, d_y, d_w), GW_OK);
    EXPECT_DEVICE_OK();
    expect_derivative(trial, d_w.get(), w0, [&](const numbers &at) { return sum_of(x0, at, rate); });
}

TEST(staged) {
    enum { N = 5, STEPS = 2 };
    const numbers s0 = random(18, N), seed = random(19, N);
    const auto sum_of = [&](const numbers &s) {
        numbers call(N), put(N), between(N + 1);
        staged(call.data(), put.data(), between.data(), s.data(), N, STEPS);
        double sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += seed[i] * call[i];
        return sum;
    };
    numbers call(N), put(N), between(N + 1), want(N), d_call = seed, d_s(N);
    staged(want.data(), put.data(), between.data(), s0.data(), N, STEPS);
    const numbers wanted_put = put, wanted_between = between;
    put.assign(N, 0), between.assign(N + 1, 0);
    EXPECT_STATUS(
        staged_grad(call.data(), put.data(), between.data(), s0.data(), N, STEPS, d_call.data(), d_s.data()),
        GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(call == want && put == wanted_put && between == wanted_between && d_call == zeros(N));
    expect_derivative(trial, d_s, s0, sum_of);
    /* the one begins inside of the other: whose adjoint is whose, is not known */
    numbers room(2 * N + 1);
    EXPECT_STATUS(
        staged_grad(call.data(), room.data() + 3, room.data(), s0.data(), N, STEPS, d_call.data(), d_s.data()),
        GW_ERROR_ARGUMENT);
}

TEST(symbols) {
    enum { N = 6 };
    const numbers x0 = random(12, N), g0 = random(13, 4), s0 = random(14, 4), seed = random(15, N);
    check::array<double> y(zeros(N)), x(x0), g(g0), s(s0), d_y(seed), d_g(zeros(4));
    EXPECT_STATUS(symbols_grad(y, x, g, s, N, d_y, d_g), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t k = 0; k < 4; k++)
        EXPECT_NEAR(d_g.get()[k], seed[k] * x0[k] * x0[k] + (k < 2 ? seed[k + 4] * x0[k + 4] * x0[k + 4] : 0),
                    1e-12);
}

/* Two that have no derivative may be one; one that has none and one that has may not, in either order. */
TEST(apart) {
    enum { N = 4 };
    const numbers x0 = random(16, N), w0 = random(17, N);
    check::array<double> y(zeros(N)), x(x0), w(w0), d_y(numbers(N, 1)), d_x(zeros(N));
    EXPECT_STATUS(between_grad(y, x, x.data() + N, w, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++)
        EXPECT_NEAR(d_x.get()[i], 2 * w0[i], 1e-12);
    EXPECT_STATUS(between_grad(y, x, x.data() + N, x, d_y, d_x), GW_ERROR_ARGUMENT);
    EXPECT(std::string(gw_last_error()).find("by and x are the same memory") == 0);
    EXPECT_STATUS(between_grad(y, x, x.data() + N, y, d_y, d_x), GW_ERROR_ARGUMENT);
    check::array<double> sum({0.0}), e(x0), h(w0), c(x0), d_sum({1.0}), d_e(zeros(N)), d_h(zeros(N));
    EXPECT_STATUS(fields_grad(sum, e, h, c, c, 0.5, N, 1, d_sum, d_e, d_h), GW_OK);
    EXPECT_STATUS(fields_grad(sum, e, h, c, h, 0.5, N, 1, d_sum, d_e, d_h), GW_ERROR_ARGUMENT);
    check::array<double> left(zeros(N)), right(w0);
    EXPECT_STATUS(in_two_parts_grad(y, x, left, right, N, d_y, d_x), GW_OK);
    EXPECT_STATUS(in_two_parts_grad(y, x, left, left, N, d_y, d_x), GW_ERROR_ARGUMENT);
}

} // namespace
TEST_MAIN
