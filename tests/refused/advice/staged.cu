// The same of cells that are staged in shared memory, and what warnings advise.
// obeys: same-cells index-wraps neighbours-meet lost-derivative missing-syncwarp taped-output
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// All threads of a block add to its copy, and the block to the weights once.
GW_GRADIENT("y wrt w")
__global__ void weighted(double *y, const double *x, const double *w, int n) {
    double sum = 0;
#ifdef OBEYED
    __shared__ double s[64];
    for (int k = threadIdx.x; k < 64; k += blockDim.x) s[k] = w[k];
    __syncthreads();
    for (int k = 0; k < 64; k++) sum += s[k] * x[HERE];
#else
    for (int k = 0; k < 64; k++) sum += w[k] * x[HERE];
#endif
    if (HERE < n) y[HERE] = sum;
}

// The second half reads what the first has left in an output.
#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x with all")
#else
GW_SPLIT_GRADIENT("y wrt x")
#endif
__global__ void shares(double *y, double *all, const double *x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[HERE * n + k] * x[HERE * n + k];
    all[HERE] = sum;
    for (int k = 0; k < n; k++) y[HERE * n + k] = x[HERE * n + k] / sum;
}

GW_GRADIENT("y wrt x")
__global__ void wraps(double *y, const double *x) {
#ifdef OBEYED
    const int at = HERE;
#else
    const unsigned char at = HERE;
#endif
    y[HERE] = x[at] * x[at];
}

// The border by a loop of the block's threads, and by the first and the last one.
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 64")
__global__ void by_loop(double *y, const double *x, int n) {
#ifdef OBEYED
    __shared__ double tile[66];
    for (int k = threadIdx.x; k < 66; k += blockDim.x) tile[k] = x[(int)blockIdx.x * 64 + k];
    __syncthreads();
    if (HERE < n) y[HERE] = tile[threadIdx.x] * tile[threadIdx.x + 2];
#else
    if (HERE < n) y[HERE] = x[HERE] * x[HERE + 2];
#endif
}
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 64")
__global__ void by_ends(double *y, const double *x, int n) {
#ifdef OBEYED
    __shared__ double tile[66];
    tile[threadIdx.x + 1] = x[HERE + 1];
    if (threadIdx.x == 0) tile[0] = x[HERE];
    if (threadIdx.x == 63) tile[65] = x[HERE + 2];
    __syncthreads();
    if (HERE < n) y[HERE] = tile[threadIdx.x] * tile[threadIdx.x + 2];
#else
    if (HERE < n) y[HERE] = x[HERE] * x[HERE + 2];
#endif
}

GW_NONDIFFERENTIABLE __device__ float step_of(float v) { return floorf(v * 4); }
GW_GRADIENT("y wrt x")
__global__ void steps(float *y, const float *x) {
#ifdef OBEYED
    y[HERE] = x[HERE] * step_of(x[HERE]);
#else
    y[HERE] = x[HERE] * floorf(x[HERE] * 4);
#endif
}

GW_GRADIENT("y wrt x")
__global__ void turned(float *y, const float *x) {
    volatile __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
#ifdef OBEYED
    __syncwarp();
#endif
    y[threadIdx.x] = s[31 - threadIdx.x];
}

// A list that the kernel writes. A thread that does the work of two adds half as often.
// stays: index-from-copy, then a thread of the gradient does the work of 2
#ifdef OBEYED
#define FEWER GW_COARSEN(2)
#else
#define FEWER
#endif
GW_GRADIENT("y wrt x") FEWER
__global__ void chosen(double *y, const double *x, const double *z, const int *list) {
    __shared__ int found[64];
    if (threadIdx.x < 64) found[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&found[list[HERE] % 64], 1);
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < 64; k++) sum += x[found[k]] * z[HERE];
    y[HERE] = sum;
}
