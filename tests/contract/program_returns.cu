// Programs that return a number: the gradient is that of it, with the status in its place; from copies to the
// host, from cells that the host reads, behind loops with marks, of early returns; against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void step(double *v, const double *u, double by, int n) {
    const int i = HERE;
    if (i < n) v[i] = u[i] + by * sin(u[(i + 1) % n]);
}
__global__ void total(double *sum, const double *u, const double *weight, int n) {
    const int i = HERE;
    if (i < n) atomicAdd(sum, weight[i] * u[i] * u[i]);
}

GW_GRADIENT("wrt x, by")
double loss(const double *x, const double *weight, double by, int n, int steps) {
    double *u, *v, *sum, host = 0;
    if (n < 1) return by * by;
    if (cudaMalloc(&u, n * sizeof(double)) != cudaSuccess) return -1;
    cudaMalloc(&v, n * sizeof(double));
    cudaMalloc(&sum, sizeof(double));
    cudaMemcpy(u, x, n * sizeof(double), cudaMemcpyDefault);
    cudaMemset(sum, 0, sizeof(double));
    GW_CHECKPOINT(2) for (int t = 0; t < steps; t++) {
        step<<<1, 32>>>(v, u, by, n);
        std::swap(u, v);
    }
    total<<<1, 32>>>(sum, u, weight, n);
    cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(u), cudaFree(v), cudaFree(sum);
    return by * host + 0.5 * host * host;
}

// Single precision; some cells of an array, one of them twice; what the program writes beside that.
GW_GRADIENT("wrt u") GW_GRADIENT("out_of = out wrt u") float some(float *out, const float *u, int k) {
    float host[4];
    cudaMemcpy(host, u, sizeof host, cudaMemcpyDefault);
    cudaMemcpy(out, u + 1, 2 * sizeof(float), cudaMemcpyDefault);
    return k < 0 ? host[1] : host[0] * host[k] * host[k];
}

// The host reads memory itself, and what the caller gives by value.
struct pair_of {
    double a, *at;
};
GW_GRADIENT("wrt p, q") double direct(pair_of p, double q, int n) {
    step<<<1, 32>>>(p.at, p.at + n, q, n);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += p.at[i];
    return p.a * sum;
}
#include "program_returns.grad.cuh"

namespace {

typedef std::vector<double> numbers;

template <class F> void expect_derivative(check::trial &trial, const numbers &d, const numbers &at, F value) {
    const double h = 1e-5;
    for (size_t i = 0; i < at.size(); i++) {
        numbers more = at, less = at;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d[i], (value(more) - value(less)) / (2 * h), 1e-6, 1));
    }
}

numbers random(uint64_t seed, size_t count) {
    check::generator from = {seed};
    numbers made;
    while (made.size() < count)
        made.push_back(from.uniform(-1, 1));
    return made;
}

TEST(loss) {
    enum { N = 9, STEPS = 5 };
    const numbers x0 = random(1, N), w0 = random(2, N), old = random(3, N);
    const double by = 0.4, h = 1e-5;
    const auto loss_of = [&](const numbers &at, double rate) {
        check::array<double> x(at), w(w0);
        return loss(x, w, rate, N, STEPS);
    };
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 3; run++) {
        check::array<double> x(x0), w(w0), d_x(old);
        double d_by = 0.5;
        EXPECT_STATUS(loss_grad_in(run ? pool : nullptr, x, w, by, N, STEPS, d_x, &d_by), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(x.get() == x0 && w.get() == w0);
        numbers d = d_x.get();
        for (size_t i = 0; i < N; i++)
            d[i] -= old[i]; /* which it adds to */
        expect_derivative(trial, d, x0, [&](const numbers &at) { return loss_of(at, by); });
        EXPECT(check::near(d_by - 0.5, (loss_of(x0, by + h) - loss_of(x0, by - h)) / (2 * h), 1e-6, 1));
    }
    gw_pool_free(pool);
}

TEST(early) {
    check::array<double> x({1.0}), w({1.0}), d_x({7.0});
    double d_by = 0;
    EXPECT_STATUS(loss_grad(x, w, 3, 0, 4, d_x, &d_by), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_by == 6 && d_x.get()[0] == 7);
}

TEST(some) {
    const std::vector<float> at = {2, 3, 5, 7}, none(4), seed = {1, 10, 0, 0};
    check::array<float> u(at), out(none), d_u(none), d_out(seed);
    EXPECT_STATUS(some_grad(out, u, 2, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_u.get() == (std::vector<float>{25, 0, 20, 0}));
    EXPECT(out.get()[0] == 3 && out.get()[1] == 5);
    EXPECT_STATUS(some_grad(out, u, -1, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_u.get() == (std::vector<float>{25, 1, 20, 0}));
    d_u.set(none);
    EXPECT_STATUS(out_of(out, u, 2, d_out, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_u.get() == (std::vector<float>{0, 1, 10, 0}) && d_out.get() == none);
}

TEST(direct) {
    enum { N = 4 };
    numbers x0 = random(5, N), all(2 * N);
    std::copy(x0.begin(), x0.end(), all.begin() + N);
    check::shared_array<double> at(all), d_at(numbers(2 * N));
    pair_of p = {1.5, at}, d_p = {0, d_at};
    double d_q = 0, sum = 0, sines = 0;
    EXPECT_STATUS(direct_grad(p, 0.3, N, &d_p, &d_q), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < N; i++) {
        sum += x0[i] + 0.3 * std::sin(x0[i]), sines += std::sin(x0[i]);
        EXPECT_NEAR(d_at.get()[N + i], 1.5 * (1 + 0.3 * std::cos(x0[i])), 1e-12);
        EXPECT(d_at.get()[i] == 0);
    }
    EXPECT_NEAR(d_p.a, sum, 1e-12);
    EXPECT_NEAR(d_q, 1.5 * sines, 1e-12);
}

} // namespace
TEST_MAIN
