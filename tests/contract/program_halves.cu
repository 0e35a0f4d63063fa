// Kernels that overwrite what their reverse needs, in programs: their first half runs forward in their place
// and leaves a tape for the second. In loops, in loops that run again on the way back, by streams, measured, of
// templates, of structs, over a variable of the device, with an atomic's result, beside the user's own halves.
// Against central differences, the primal's outputs, two pools, and a pool that is used again.
#include "../support/expect.cuh"

#include <gradwright/program.h>

// What another thread stored before the barrier.
__global__ void relax(double *u, double by, int n) {
    const int i = threadIdx.x;
    u[i] = sin(u[i]) + by;
    __syncthreads();
    const double next = u[(i + 1) % n];
    __syncthreads();
    u[i] = 0.5 * u[i] * next * by;
}

// How often it goes round stands in memory: the tape is measured.
template <class T> __global__ void wander(T *u, const int *trips, int n) {
    const int i = threadIdx.x;
    for (int k = 0; k < trips[0]; k++) {
        const T near = u[(i + k) % n];
        __syncthreads();
        u[i] = u[i] * near * T(0.5) + T(0.25);
        __syncthreads();
    }
}

// The place of each value is the order's, and the sum is not.
__global__ void gather(double *list, int *count, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n && u[i] > 0) {
        const int at = atomicAdd(count, 1);
        list[at] = u[i] * u[i];
    }
}

struct field {
    double *u;
    double by;
    int n;
};
__global__ void around(field f) {
    const int i = threadIdx.x;
    f.u[i] += f.by * sin(f.u[i]);
    __syncthreads();
    const double last = f.u[(i + f.n - 1) % f.n];
    __syncthreads();
    f.u[i] *= 0.25 * last;
}

__device__ double kept[8];
__global__ void exchange(double *u, int n) {
    const int i = threadIdx.x;
    kept[i] = u[i] * cos(kept[i]);
    __syncthreads();
    u[i] = 0.2 * kept[(i + 1) % n] * kept[i];
}

// The user's own halves have the names.
GW_SPLIT_GRADIENT("u wrt u")
__global__ void both(double *u, int n) {
    const int i = threadIdx.x;
    u[i] = 2 * u[i];
    __syncthreads();
    const double next = u[(i + 1) % n];
    __syncthreads();
    u[i] = cos(u[i]) * sin(next);
}

__global__ void total(double *loss, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, (1 + i) * u[i] * u[i]);
}
__global__ void add(double *loss, const double *list, const int *count) {
    for (int i = threadIdx.x; i < *count; i += blockDim.x)
        atomicAdd(loss, list[i] * list[i]);
}

GW_GRADIENT("loss wrt x, p")
void sweep(double *loss, const double *x, double p, const int *trips, int n, int steps, cudaStream_t stream) {
    const size_t bytes = n * sizeof(double);
    double *u, *list;
    int *count;
    cudaMalloc(&u, bytes);
    cudaMalloc(&list, bytes);
    cudaMalloc(&count, sizeof(int));
    cudaMemcpyAsync(u, x, bytes, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyToSymbolAsync(kept, x, bytes, 0, cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < steps; t++) {
        relax<<<1, n, 0, stream>>>(u, p + 0.1 * t, n);
        if (t % 2) around<<<1, n, 0, stream>>>({u, p, n});
        wander<<<1, n, 0, stream>>>(u, trips, n);
        exchange<<<1, n, 0, stream>>>(u, n);
        both<<<1, n, 0, stream>>>(u, n);
    }
    cudaMemsetAsync(count, 0, sizeof(int), stream);
    gather<<<1, n, 0, stream>>>(list, count, u, n);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, n, 0, stream>>>(loss, u, n);
    add<<<1, 32, 0, stream>>>(loss, list, count);
    cudaFree(u);
    cudaFree(list);
    cudaFree(count);
}

// On two streams, in loops of which the outer one runs again on the way back, in each of two ways.
GW_GRADIENT("loss wrt x")
void again(double *loss, const double *x, int n, int steps) {
    cudaStream_t one, two;
    cudaEvent_t done;
    double *u, *v;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&done);
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpy(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaMemcpy(v, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    GW_CHECKPOINT(2) for (int t = 0; t < steps; t++) {
        relax<<<1, n, 0, one>>>(u, 0.5 + 0.1 * t, n);
        both<<<1, n, 0, two>>>(v, n);
        cudaEventRecord(done, one);
        cudaStreamWaitEvent(two, done, 0);
        relax<<<1, n, 0, two>>>(u, 0.7, n);
        cudaEventRecord(done, two);
        cudaStreamWaitEvent(one, done, 0);
    }
    GW_CHECKPOINT_BINOMIAL(2) for (int t = 0; t < steps; t++)
        relax<<<1, n, 0, two>>>(v, 0.9, n);
    cudaStreamSynchronize(two);
    cudaMemset(loss, 0, sizeof(double));
    total<<<1, n>>>(loss, u, n);
    total<<<1, n>>>(loss, v, n);
    cudaFree(u);
    cudaFree(v);
    cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}
#include "program_halves.grad.cuh"

namespace {

enum { CELLS = 6, STEPS = 3 };

using check::slope;
std::vector<double> numbers() { return check::uniform_numbers(7, CELLS, 0.3, 0.9); }
const std::vector<int> rounds = {2};

double sweep_of(const std::vector<double> &x, double p) {
    check::shared_array<double> loss({0.0}), u(x);
    check::shared_array<int> trips(rounds);
    sweep(loss, u, p, trips, CELLS, STEPS, nullptr);
    cudaDeviceSynchronize();
    return loss.get()[0];
}
double again_of(const std::vector<double> &x) {
    check::shared_array<double> loss({0.0}), u(x);
    again(loss, u, CELLS, 5);
    cudaDeviceSynchronize();
    return loss.get()[0];
}
TEST(sweep) {
    const std::vector<double> x = numbers();
    const double p = 0.8, h = 1e-6;
    gw_pool *pool;
    EXPECT_STATUS(gw_pool_make(&pool), GW_OK);
    std::vector<double> first;
    for (int run = 0; run < 3; run++) {
        check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
        check::shared_array<int> trips(rounds);
        double d_p = 0;
        const size_t held = gw_pool_held(pool);
        EXPECT_STATUS(sweep_grad_in(pool, loss, u, p, trips, CELLS, STEPS, nullptr, d_loss, d_u, &d_p), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(!run || gw_pool_held(pool) == held); // every tape went back
        EXPECT_NEAR(loss.get()[0], sweep_of(x, p), 1e-12);
        if (!run) first = d_u.get();
        EXPECT(run == 0 || check::near(d_u.get()[0], first[0], 1e-13, 1));
        for (size_t i = 0; i < x.size(); i++)
            EXPECT(check::near(d_u.get()[i],
                               slope([&](const std::vector<double> &y) { return sweep_of(y, p); }, x, i), 1e-6,
                               1));
        EXPECT(check::near(d_p, (sweep_of(x, p + h) - sweep_of(x, p - h)) / (2 * h), 1e-6, 1));
        gw_program_figures figures;
        gw_pool_figures(pool, &figures);
        EXPECT(figures.saved > 0);
    }
    gw_pool_free(pool);
}

TEST(again) {
    const std::vector<double> x = numbers();
    check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
    EXPECT_STATUS(again_grad(loss, u, CELLS, 5, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(loss.get()[0], again_of(x), 1e-12);
    for (size_t i = 0; i < x.size(); i++)
        EXPECT(check::near(d_u.get()[i], slope(again_of, x, i), 1e-6, 1));
}

TEST(own_halves) { // the user's, which the program leaves to the user
    EXPECT(both_tape_bytes(1, CELLS, nullptr, CELLS) > 0);
}

} // namespace
TEST_MAIN
