// std::vector in programs, between the host and the device: indices, weights that the host computes from
// inputs, results that it works on; sizes that are known when the program runs. Against closed forms.
#include "../support/expect.cuh"

#include <gradwright/program.h>

__global__ void gather(double *v, const double *u, const int *ids, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[ids[i]] * u[ids[i]];
}
__global__ void weigh(double *v, const double *weight, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] *= weight[i];
}

// v[i] = u[n - 1 - i]^2 (1 + i p) ; loss = sum of (i + 1) v[i]^2
GW_GRADIENT("loss wrt u, p")
cudaError_t staged(double *loss, const double *u, double p, int n) {
    std::vector<int> order(n);
    std::vector<double> weight(n, 1.0), got(n);
    for (int i = 0; i < n; i++) {
        order[i] = n - 1 - i;
        weight[i] += i * p;
    }
    int *ids;
    double *v, *w;
    cudaMalloc(&ids, n * sizeof(int));
    cudaMalloc(&v, n * sizeof(double));
    cudaMalloc(&w, weight.size() * sizeof(double));
    cudaMemcpy(ids, order.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(w, &weight[0], weight.size() * sizeof(double), cudaMemcpyHostToDevice);
    gather<<<1, 32>>>(v, u, ids, n);
    weigh<<<1, 32>>>(v, w, n);
    cudaMemcpy(got.data(), v, n * sizeof(double), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (size_t i = 0; i < got.size(); i++)
        sum += (i + 1.0) * got[i] * got[i];
    cudaMemcpy(loss, &sum, sizeof sum, cudaMemcpyHostToDevice);
    cudaFree(ids);
    cudaFree(v);
    cudaFree(w);
    return cudaGetLastError();
}
#include "program_vectors.grad.cuh"

namespace {

TEST(staged) {
    const double p = 0.25;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (const int n : {7, 1, 12, 12}) {
        std::vector<double> numbers;
        check::generator random = {(uint64_t)n};
        for (int i = 0; i < n; i++)
            numbers.push_back(random.uniform(0.5, 1));
        double want = 0, want_p = 0;
        std::vector<double> want_u((size_t)n);
        for (int i = 0; i < n; i++) {
            const double x = numbers[(size_t)(n - 1 - i)], k = i + 1.0, by = 1 + i * p;
            want += k * x * x * x * x * by * by;
            want_u[(size_t)(n - 1 - i)] += 4 * k * x * x * x * by * by;
            want_p += 2 * k * x * x * x * x * by * i;
        }
        check::array<double> loss({0.0}), u(numbers), d_loss({1.0}), d_u(std::vector<double>((size_t)n));
        double d_p = 0;
        EXPECT_STATUS(staged_grad_in(pool, loss, u, p, n, d_loss, d_u, &d_p), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT_NEAR(loss.get()[0], want, 1e-12);
        EXPECT_NEAR(d_p, want_p, 1e-12);
        for (size_t i = 0; i < (size_t)n; i++)
            EXPECT_NEAR(d_u.get()[i], want_u[i], 1e-12);
    }
    gw_pool_free(pool);
}

} // namespace
TEST_MAIN
