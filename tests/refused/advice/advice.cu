// What --explain advises where threads meet, and kernels that do it.
// obeys: index-from-memory range-from-memory forced-atomic unknown-caller missing-coordinate not-proved
#include <gradwright/gradwright.h>

#ifdef OBEYED
#define ADVISED(...) __VA_ARGS__
#else
#define ADVISED(...)
#endif
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x") ADVISED(GW_INJECTIVE(list))
__global__ void listed(double *y, const double *x, const int *list, int n) {
    if (HERE < n) y[HERE] = x[list[HERE]] * x[list[HERE]];
}

// A row for each warp: where it begins is a list of offsets, of which no two may be said to differ.
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x % 32 == 0") ADVISED(GW_SORTED(row))
__global__ void rows(double *y, const double *x, const int *row, int n) {
    const int warp = HERE / 32, lane = threadIdx.x % 32;
    if (warp >= n) return;
    double sum = 0;
    for (int k = row[warp] + lane; k < row[warp + 1]; k += 32) sum += x[k] * x[k];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0) y[warp] = sum;
}

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, atomic)
#endif
__global__ void forced(double *y, const double *x) { y[HERE] = x[HERE] * x[HERE]; }

#ifndef OBEYED
GW_GRADIENT("wrt x")
#endif
__device__ double called(const double *x, int i) { return x[i] * x[i]; }
GW_GRADIENT("y wrt x")
__global__ void calls(double *y, const double *x) { y[HERE] = called(x, HERE); }

GW_GRADIENT("y wrt x")
__global__ void planes(double *y, const double *x, int n) {
#ifdef OBEYED
    if (HERE < n) y[blockIdx.y * n + HERE] = x[blockIdx.y * n + HERE];
#else
    if (HERE < n) y[blockIdx.y * n + HERE] = x[HERE];
#endif
}

GW_GRADIENT("y wrt x")
__global__ void squares(double *y, const double *x, int n) {
#ifdef OBEYED
    if (HERE < n) y[HERE] = x[HERE];
#else
    if (HERE < n) y[HERE] = x[HERE * HERE % n];
#endif
}
