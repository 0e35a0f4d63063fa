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
