// Seeds behind members that --keep-seed leaves: a zeroing goes that no load of its cell stands behind, in
// whatever thread. First those that stay.
#include <gradwright/gradwright.h>

struct image {
    float *val;
    int stride;
};
struct images {
    image a, out;
};

// The cell is another thread's before a barrier.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void exchanged(images p) {
    const int i = threadIdx.x;
    p.out.val[i * p.out.stride] = p.a.val[i];
    __syncthreads();
    p.out.val[(i ^ 1) * p.out.stride] = 2 * p.a.val[i];
}
//= ] = 0.0f;

// And before a warp's lanes meet.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void exchanged_in_warp(images p) {
    const int i = threadIdx.x;
    p.out.val[i * p.out.stride] = p.a.val[i];
    __syncwarp();
    p.out.val[(i ^ 1) * p.out.stride] = 2 * p.a.val[i];
}
//= ] = 0.0f;

// Both are in one interval, of each of several rounds.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void rounds(images p, int n) {
    for (int k = 0; k < n; k++) {
        __syncthreads();
        p.out.val[(threadIdx.x ^ k) * p.out.stride] = k * p.a.val[threadIdx.x];
    }
}
//= ] = 0.0f;

// A later round stores to the cell again.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void often(images p, int n) {
    for (int k = 0; k < n; k++) p.out.val[(n * threadIdx.x + k / 2) * p.out.stride] = p.a.val[threadIdx.x] * k;
}
//= ] = 0.0f;

// Threads may wait for each other by a number.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void counted(images p, int *count) {
    p.out.val[threadIdx.x * p.out.stride] = p.a.val[threadIdx.x];
    atomicAdd(count, 1);
}
//= ] = 0.0f;

// What was there before has an adjoint, in the same cell.
GW_GRADIENT("p.a.val wrt p.a.val")
__global__ void in_place(images p) {
    p.a.val[threadIdx.x * p.a.stride] *= p.a.val[threadIdx.x * p.a.stride];
}
//= d_p.a.val[

// ---- kept ----
// The three may be one cell, of which the last store has the seed.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void three(images p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int at = 3 * i * p.out.stride;
    p.out.val[at] = p.a.val[i];
    p.out.val[at + p.out.stride] = 2 * p.a.val[i];
    p.out.val[at + 2 * p.out.stride] = 3 * p.a.val[i];
}
//! ] = 0.0f;

// A barrier in front of all of them; sides of a branch.
GW_GRADIENT("p.out.val wrt p.a.val")
__global__ void sides(images p, int n) {
    __shared__ float s[64];
    s[threadIdx.x] = p.a.val[threadIdx.x];
    __syncthreads();
    if (n > 3) p.out.val[threadIdx.x * p.out.stride] = s[threadIdx.x ^ 1];
    else p.out.val[threadIdx.x * p.out.stride] = 2 * s[threadIdx.x ^ 1];
}
//! d_p.out.val[threadIdx.x * p.out.stride] = 0.0f;

#include "kept.grad.cuh"

#include <cstdio>
#include <vector>

// Prints the adjoints of x, and whether all seeds are as they were (tests/ownership/kept.py).
template <class Launch> static void print(const char *name, int stride, Launch launch) {
    std::vector<float> x(64), y(256), d_x(64), d_y(256);
    for (int i = 0; i < 64; i++) x[i] = 1.5f + i % 7;
    for (int i = 0; i < 256; i++) d_y[i] = 1 + i % 11;
    const std::vector<float> seeds = d_y;
    const images p{{x.data(), 1}, {y.data(), stride}}, d{{d_x.data(), 1}, {d_y.data(), stride}};
    const gw_status status = launch(p, d);
    cudaDeviceSynchronize();
    printf("%s %d: %d", name, stride, (int)status);
    for (const float v : d_x) printf(" %g", v);
    printf("; seeds %s\n", d_y == seeds ? "kept" : "used");
}

int main() {
#define PRINT(name, stride, grid, block, ...)                                                                  \
    print(#name, stride, [](images p, images d) {                                                              \
        return name##_grad_launch(grid, block, 0, 0, p, __VA_ARGS__ d, nullptr, 0);                            \
    })
    PRINT(exchanged, 1, 1, 64, );
    PRINT(exchanged_in_warp, 1, 1, 64, );
    PRINT(rounds, 1, 1, 64, 3, );
    PRINT(often, 1, 1, 16, 6, );
    PRINT(three, 0, 1, 1, 5, );
    PRINT(three, 1, 2, 32, 60, );
    PRINT(sides, 1, 1, 64, 2, );
    PRINT(sides, 1, 1, 64, 4, );
}
