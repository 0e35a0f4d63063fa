/*
 * launch_time.cu - host time that the gradient of a program adds to a launch: a loop of launches with a swap, a
 * branch and a number that is computed (all on the tape), beside the same kernels, gradients and copies
 * launched by hand. Both queue without waiting; the device is idle before each.
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

GW_GRADIENT("v wrt u, k, dt")
__global__ void step(float *v, const float *u, const float *k, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = u[i] + dt * k[i] * u[i];
}

GW_GRADIENT("u wrt u, dt")
__global__ void decay(float *u, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) u[i] *= dt;
}

GW_GRADIENT("u0 wrt u0, k")
void march(float *u0, const float *k, float dt, int n, int steps, cudaStream_t stream) {
    float *u, *v;
    cudaMalloc(&u, n * sizeof(float));
    cudaMalloc(&v, n * sizeof(float));
    cudaMemcpyAsync(u, u0, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < steps; t++) {
        step<<<(n + 31) / 32, 32, 0, stream>>>(v, u, k, dt / (t + 1), n);
        if (t % 4 == 3) decay<<<(n + 31) / 32, 32, 0, stream>>>(v, dt, n);
        std::swap(u, v);
    }
    cudaMemcpyAsync(u0, u, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    cudaFree(u);
    cudaFree(v);
}
#include "launch_time.grad.cuh"

namespace {

enum { CELLS = 32, BYTES = 4096, NUMBERS = 256, STEPS = 200, REPEATS = 200, LAUNCHES = STEPS + STEPS / 4 };

struct memory {
    float *u, *v, *k, *d_u, *d_v, *d_k, *space;
};

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void forward(const memory &m) {
    for (int t = 0; t < STEPS; t++) {
        if (t) cudaMemcpyAsync(m.space, m.v, CELLS * sizeof(float), cudaMemcpyDefault, nullptr);
        step<<<1, 32>>>(m.v, m.u, m.k, 0.5f, CELLS);
        (void)cudaGetLastError();
        if (t % 4 != 3) continue;
        cudaMemcpyAsync(m.space, m.v, CELLS * sizeof(float), cudaMemcpyDefault, nullptr);
        decay<<<1, 32>>>(m.v, 0.5f, CELLS);
        (void)cudaGetLastError();
    }
}

bool backward(const memory &m) {
    bool good = true;
    for (int t = STEPS; t-- > 0;) {
        float *const rest = m.space + NUMBERS / sizeof(float);
        if (t % 4 == 3) {
            cudaMemsetAsync(m.space, 0, NUMBERS, nullptr);
            good &=
                decay_grad_launch(1, 32, 0, nullptr, m.v, 0.5f, CELLS, m.d_u, m.space, rest, NUMBERS) == GW_OK;
        }
        cudaMemsetAsync(m.space, 0, NUMBERS, nullptr);
        good &= step_grad_launch(1, 32, 0, nullptr, m.v, m.u, m.k, 0.5f, CELLS, m.d_v, m.d_u, m.d_k, m.space,
                                 rest, NUMBERS) == GW_OK;
    }
    return good;
}

} // namespace

int main() {
    memory m = {};
    for (float **p : {&m.u, &m.v, &m.k, &m.d_u, &m.d_v, &m.d_k, &m.space})
        if (cudaMalloc((void **)p, BYTES) != cudaSuccess || cudaMemset(*p, 0, BYTES) != cudaSuccess) return 1;
    gw_pool *pool;
    if (gw_pool_make(&pool) != GW_OK) return 1;
    double by_program = 1, by_hand = 1;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        cudaDeviceSynchronize();
        double start = now();
        if (march_grad_in(pool, m.u, m.k, 0.5f, CELLS, STEPS, nullptr, m.d_u, m.d_k) != GW_OK) return 1;
        by_program = std::min(by_program, now() - start);
        cudaDeviceSynchronize();
        start = now();
        forward(m);
        if (!backward(m)) return 1;
        by_hand = std::min(by_hand, now() - start);
    }
    gw_pool_free(pool);
    printf("a launch, forward and backward: %.2f us in a program, %.2f us by hand, %.2f us added\n",
           1e6 * by_program / LAUNCHES, 1e6 * by_hand / LAUNCHES, 1e6 * (by_program - by_hand) / LAUNCHES);
}
