// Calls in programs of functions that work on memory of the device and have no derivative: what they overwrite
// is there again on the way back; numbers of the program that they are given or write.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// y[i] = k where x[i] is at least `least` times `by`; *calls counts. Fails at call `fail`.
static int calls_left;
enum status_t { STATUS_SUCCESS, STATUS_FAILED = 7 };
GW_NONDIFFERENTIABLE status_t choose(int *y, const double *x, double least, const double *by, int k, int n,
                                     unsigned *calls, cudaStream_t stream);
// Says something, and writes nothing of the device.
GW_NONDIFFERENTIABLE int look(const double *x, unsigned *calls, cudaStream_t stream);

__global__ void choose_kernel(int *y, const double *x, double least, int k, int n) {
    if (HERE < n) y[HERE] = x[HERE] >= least ? k : 1;
}
__global__ void weigh(double *u, const int *k, double by, int n) {
    if (HERE < n) u[HERE] = by * k[HERE] * u[HERE] * u[HERE];
}

// The choice is overwritten each time, and the threshold changes.
GW_GRADIENT("y wrt x, by")
status_t run(double *y, const double *x, double least, double by, int n, int steps, cudaStream_t stream) {
    int *k;
    double *u;
    unsigned calls = 0;
    cudaMalloc(&k, n * sizeof(int));
    cudaMalloc(&u, n * sizeof(double));
    cudaMemcpyAsync(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < steps; t++) {
        const double twice = 2;
        if (choose(k, u, least, &twice, t + 2, n, &calls, stream) != STATUS_SUCCESS) return STATUS_FAILED;
        look(u, &calls, stream);
        weigh<<<1, 64, 0, stream>>>(u, k, by * calls, n);
    }
    cudaMemcpyAsync(y, u, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaFree(u);
    cudaFree(k);
    return STATUS_SUCCESS;
}
#include "program_passive.grad.cuh"

status_t choose(int *y, const double *x, double least, const double *by, int k, int n, unsigned *calls,
                cudaStream_t stream) {
    if (calls_left-- == 0) return STATUS_FAILED;
    *calls += 1;
    choose_kernel<<<1, 64, 0, stream>>>(y, x, least * *by, k, n);
    return STATUS_SUCCESS;
}
int look(const double *, unsigned *calls, cudaStream_t) {
    *calls += 1;
    return 0;
}

namespace {

enum { N = 5, STEPS = 3 };

/* The same by hand: u is by c k u^2 each time, c = 2 for the first, then 4, 6; its derivatives go along. */
struct number {
    double u, d_x, d_by;
};
number known(double x, double least, double by) {
    number s = {x, 1, 0};
    for (int t = 0; t < STEPS; t++) {
        const double k = s.u >= 2 * least ? t + 2 : 1, c = 2 * (t + 1) * k;
        s = {c * by * s.u * s.u, 2 * c * by * s.u * s.d_x, c * s.u * s.u + 2 * c * by * s.u * s.d_by};
    }
    return s;
}

TEST(both_ways) {
    const std::vector<double> x = {0.1, 0.35, 0.5, 0.2, 0.4}, seed = {1, -2, 3, 0.5, -1};
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int run = 0; run < 2; run++) {
        check::array<double> y(std::vector<double>(N, 0.0)), in(x), d_y(seed), d_x(std::vector<double>(N, 0.0));
        double d_by = 0, want = 0;
        calls_left = -1;
        EXPECT_STATUS(run_grad_in(pool, y, in, 0.15, 0.7, N, STEPS, stream, d_y, d_x, &d_by), GW_OK);
        EXPECT_DEVICE_OK();
        for (int i = 0; i < N; i++) {
            const number is = known(x[i], 0.15, 0.7);
            EXPECT(check::near(y.get()[i], is.u, 1e-12, 1) &&
                   check::near(d_x.get()[i], seed[i] * is.d_x, 1e-12, 1));
            want += seed[i] * is.d_by;
        }
        EXPECT(check::near(d_by, want, 1e-12, 1));
    }
    gw_pool_free(pool);
    cudaStreamDestroy(stream);
}

TEST(failure) {
    check::array<double> y(std::vector<double>(N, 0.0)), x(std::vector<double>(N, 0.5)), d_y(x.get()),
        d_x(x.get());
    double d_by = 0;
    calls_left = 1;
    EXPECT_STATUS(run_grad(y, x, 0.15, 0.7, N, STEPS, nullptr, d_y, d_x, &d_by), GW_ERROR_CUDA);
    EXPECT(strstr(gw_last_error(), "choose") && strstr(gw_last_error(), "7"));
}

} // namespace
TEST_MAIN
