#include <gradwright/gradwright.h>

GW_DERIVATIVE("C wrt A, B")
__global__ void contract(float *C, const float *A, const float *B, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) C[i] += A[i * n + k] * B[k];
}

struct ray {
    float slope, offset;
};

// A local array, a loop with an exit, a struct by value, a function of the device.
GW_DERIVATIVE("wrt r, z")
__device__ float bounce(ray r, float z, int n) {
    float s = 0, path[3];
    for (int i = 0; i < 3; i++) path[i] = r.slope * i + z;
    while (s < n) {
        s += path[0] * r.offset;
        if (s > 100) break;
    }
    return s > 3 ? sqrtf(s) : path[n % 3];
}

// A thread must not write where the source does not: the sum stays in memory, under its condition.
GW_DERIVATIVE("y wrt x")
__global__ void one_updates(float *y, const float *x, int chosen, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++)
        if (i == chosen) y[0] += x[k] * x[k];
}
