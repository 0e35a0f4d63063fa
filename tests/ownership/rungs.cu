// A kernel for each line of docs/internals/ownership.md, "One example for each rung", in its order;
// rungs_page.py compares what is emitted for them. FIXED_ORDER: those that the line says --deterministic of.
#include <gradwright/gradwright.h>

#ifndef FIXED_ORDER
GW_GRADIENT("y wrt x")
__global__ void owned(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i];
}

GW_GRADIENT("y wrt x, w, z")
__global__ void posted(float *y, const float *x, const float *w, const float *z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * w[i] * z[i];
}

GW_GRADIENT("y wrt x, z")
__global__ void gathered(float *y, const float *x, const float *z, int n) {
    __shared__ float a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int base = 0; base < n; base += 16) {
        a[ty][tx] = x[row * n + base + tx];
        b[ty][tx] = z[(base + ty) * n + column];
        __syncthreads();
        for (int q = 0; q < 16; q++) sum += a[ty][q] * b[q][tx];
        __syncthreads();
    }
    y[row * n + column] = sum;
}

GW_GRADIENT("y wrt x")
__global__ void phases(float *y, const float *x) {
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncthreads();
    float left = t >= 8 ? s[t - 8] : 0;
    y[i] = s[t] * s[t] + left * left;
}

GW_GRADIENT("y wrt w")
__global__ void warp(float *y, const float *w, const int *list, const int *first, const float *u) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = first[blockIdx.x]; j < first[blockIdx.x + 1]; j++)
        if (u[j] > u[i]) sum += w[list[j]] * u[i];
    y[i] = sum;
}

GW_GRADIENT("y wrt k")
__global__ void grid(float *y, const float *k, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = k[0] * x[i];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, slots) GW_SORTED(ids)
__global__ void sorted_rows(float *y, const float *x, const int *ids) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[ids[i]] * x[ids[i]];
}

GW_GRADIENT("y wrt x, gain") GW_ACCUMULATE(gain, copies)
__global__ void copies(float *y, const float *x, const float *gain, int width) {
    const float *row = x + blockIdx.x * width;
    for (int k = threadIdx.x; k < width; k += blockDim.x) y[blockIdx.x * width + k] = row[k] * gain[k];
}

GW_GRADIENT("y wrt p")
__global__ void vector(float *y, const float2 *p, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = p[list[i]].x * p[list[i]].y;
}

GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, record)
__global__ void record(float *y, const float4 *p, const int *ids) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q = p[ids[i]];
    y[i] = q.x * q.y + q.z * q.w;
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, match)
__global__ void match(float *y, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[list[i]] * x[list[i]];
}

GW_GRADIENT("y wrt surface")
__global__ void cache(float *y, const float *surface, const float *u, int row, int columns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int place = row * columns + (int)u[i];
    y[i] = surface[place] * surface[place];
}

GW_GRADIENT("y wrt w") GW_ACCUMULATE(w, warp-butterfly)
__global__ void butterfly(float *y, const float *w, const int *list, const float *u, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++) sum += w[list[j]] * u[i];
    y[i] = sum;
}

GW_GRADIENT("y wrt w") GW_ACCUMULATE(w, warp-serial)
__global__ void serial(float *y, const float *w, const int *list, const float *u, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; j++) sum += w[list[j]] * u[i];
    y[i] = sum;
}

GW_GRADIENT("y wrt x")
__global__ void atomic(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i / 2] * x[i / 2];
}
#else
GW_GRADIENT("y wrt q")
__global__ void block(float *y, const float *q, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = q[blockIdx.x] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void slots(float *y, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[list[i]] * x[list[i]];
}

GW_GRADIENT("y wrt x")
__global__ void exact(float *y, const float *x, const int *ids, const int *first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = first[i]; k < first[i + 1]; k++) sum += x[ids[k]];
    y[i] = sum;
}
#endif
