// seeds: 1 2 3
// Shared variables, static and dynamic, of every form: one of each for a block, kept across barriers.
#include "check.h"

struct alignas(32) cell {
    double value;
    int tag;
};
extern __shared__ float everywhere[];
namespace inner {
extern __shared__ double numbers[];
}

__global__ void statics(int *out) {
    __shared__ int scalar;
    static __shared__ int grid[3][8];
    __shared__ cell cells[8];
    const unsigned t = threadIdx.x;
    if (t == 0) scalar = (int)blockIdx.x + 10;
    for (int row = 0; row < 3; ++row)
        grid[row][t] = row * 100 + (int)t;
    cells[t] = {0.5 * t, (int)t};
    __syncthreads();
    const unsigned other = 7 - t;
    out[blockIdx.x * 8 + t] = scalar * 1000 + grid[2][other] + (int)(2 * cells[other].value) + cells[other].tag;
    __syncthreads();
    if (t == 7) scalar = 5;
    __syncthreads();
    out[blockIdx.x * 8 + t] += scalar;
}

__global__ void dynamic(float *out, unsigned n) {
    everywhere[threadIdx.x] = 2.0f * threadIdx.x;
    __syncthreads();
    extern __shared__ float everywhere[];
    out[threadIdx.x] = everywhere[(threadIdx.x + 1) % n];
    __syncthreads();
    inner::numbers[threadIdx.x] = 0.25 + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] += (float)inner::numbers[n - 1 - threadIdx.x];
}

template <class T, int N> __device__ T swapped(T v) {
    __shared__ T pair[N];
    pair[threadIdx.x] = v;
    __syncthreads();
    const T result = pair[N - 1 - threadIdx.x];
    __syncthreads();
    return result;
}
template <class T> __global__ void templates(T *p) {
    p[threadIdx.x] = swapped<T, 16>(p[threadIdx.x]) + (T)swapped<int, 16>((int)threadIdx.x);
}

__device__ int *chosen(int *a, int *b, bool first) { return first ? a : b; }
__global__ void pointers(int *out) {
    __shared__ int a[4], b[4];
    *chosen(a + threadIdx.x, b + threadIdx.x, threadIdx.x % 2) = (int)threadIdx.x;
    __syncthreads();
    const auto read = [&](int i) { return i % 2 ? a[i] : b[i]; };
    out[threadIdx.x] = read(3 - (int)threadIdx.x);
}

int main() {
    int *ints;
    float *floats;
    double *doubles;
    OK(cudaMallocManaged(&ints, 64 * sizeof(int)));
    OK(cudaMallocManaged(&floats, 64 * sizeof(float)));
    OK(cudaMallocManaged(&doubles, 64 * sizeof(double)));
    statics<<<5, 8>>>(ints);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 40; ++i)
        CHECK(ints[i] == (i / 8 + 10) * 1000 + 200 + 3 * (7 - i % 8) + 5);
    dynamic<<<3, 64, 64 * sizeof(double)>>>(floats, 64);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i)
        CHECK(floats[i] == 2.0f * (float)((i + 1) % 64) + 0.25f + (float)(63 - i));
    for (int i = 0; i < 16; ++i)
        floats[i] = 0.5f * (float)i, doubles[i] = 0.25 * i;
    templates<<<1, 16>>>(floats);
    templates<<<1, 16>>>(doubles);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 16; ++i)
        CHECK(floats[i] == 1.5f * (float)(15 - i) && doubles[i] == 1.25 * (15 - i));
    pointers<<<1, 4>>>(ints);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 4; ++i)
        CHECK(ints[i] == 3 - i);
}
