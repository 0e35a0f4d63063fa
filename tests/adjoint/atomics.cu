// atomicAdd in the primal, on global and shared memory, in loops and branches; atomic operations on integers.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* double4 is, from CUDA 13 on */
#ifdef __NVCC__
#pragma nv_diag_suppress 1444
#endif
#include "../support/check.cuh"

#include <cuda/atomic>

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

BOTH("sum wrt x")
__global__ void total(real *sum, const real *x, int n) {
    int i = HERE;
    if (i < n) atomicAdd(sum, x[i] * x[i]);
}

// Cells that several threads add to, by index and by member.
struct moments {
    real mean, square;
    int count;
};
CHECK_CELLS(moments, CHECK_CELL(moments, mean), CHECK_CELL(moments, square))
BOTH("bins, all wrt x")
__global__ void gathered(real *bins, moments *all, const real *x, const int *bin, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[bin[i]], x[i] * x[i] * x[i]);
        atomicAdd(&all->mean, x[i]);
        atomicAdd(&all[0].square, x[i] * x[i]);
        atomicAdd(&all->count, 1);
    }
}

BOTH("y wrt x")
__global__ void scopes(float *y, const float *x) {
    atomicAdd_block(&y[blockIdx.x], x[HERE] * x[HERE]);
    atomicAdd_system(y + 4 + threadIdx.x % 4, sinf(x[HERE]));
    (void)atomicAdd(y + 8, x[HERE] > 1 ? x[HERE] * 3 : 0);
}
__global__ void scopes_double(double *y, const double *x) {
    atomicAdd(&y[blockIdx.x], x[HERE] * x[HERE]);
    atomicAdd(y + 4 + threadIdx.x % 4, sin(x[HERE]));
    atomicAdd(y + 8, x[HERE] > 1 ? x[HERE] * 3 : 0);
}

// CUDA's own way to add a double, and a float, before there was an atomicAdd of it.
static __device__ double add_by_swap(double *address, double value) {
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
static __device__ void add_by_swap(float *to, float value) {
    int before, found = *(int *)to;
    do {
        before = found;
        found = atomicCAS((int *)to, before, __float_as_int(__int_as_float(before) + value));
    } while (found != before);
}
BOTH("y wrt x")
__global__ void swapped(float *y, const float *x) {
    add_by_swap(&y[blockIdx.x], x[HERE] * x[HERE]);
    unsigned *cell = (unsigned *)(y + 4 + threadIdx.x % 4), old = *cell, assumed;
    do {
        assumed = old;
        old = atomicCAS(cell, assumed, __float_as_uint(__uint_as_float(assumed) - x[HERE]));
    } while (assumed != old);
}
BOTH("y wrt x")
__global__ void swapped_double(double *y, const double *x) {
    add_by_swap(&y[blockIdx.x], x[HERE] * x[HERE]);
    add_by_swap(y + 4 + threadIdx.x % 4, -x[HERE]);
}

// Two numbers by one call, each by itself.
CHECK_CELLS(float2, CHECK_CELL(float2, x), CHECK_CELL(float2, y))
CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))
BOTH("y wrt x")
__global__ void pairs(float2 *y, const float2 *x) {
    const float2 v = x[HERE];
    atomicAdd(&y[blockIdx.x], make_float2(v.x * v.y, v.y * v.y));
    atomicAdd(y + 2 + threadIdx.x % 2, v);
}
__global__ void pairs_double(double2 *y, const double2 *x) {
    const double2 v = x[HERE];
    double2 *const more = y + 2 + threadIdx.x % 2;
    atomicAdd(&y[blockIdx.x].x, v.x * v.y), atomicAdd(&y[blockIdx.x].y, v.y * v.y);
    atomicAdd(&more->x, v.x), atomicAdd(&more->y, v.y);
}

CHECK_CELLS(float4, CHECK_CELL(float4, x), CHECK_CELL(float4, y), CHECK_CELL(float4, z), CHECK_CELL(float4, w))
CHECK_CELLS(double4, CHECK_CELL(double4, x), CHECK_CELL(double4, y), CHECK_CELL(double4, z),
            CHECK_CELL(double4, w))
BOTH("y, all wrt x")
__global__ void fours(float4 *y, float4 *all, const float4 *x) {
    const float4 v = x[HERE];
    atomicAdd(&y[blockIdx.x], make_float4(v.x * v.y, v.y, v.z * v.w, v.w * v.x));
    atomicAdd(all + threadIdx.x % 2, v);
}
__global__ void fours_double(double4 *y, double4 *all, const double4 *x) {
    const double4 v = x[HERE];
    double4 *const sum = y + blockIdx.x, *const more = all + threadIdx.x % 2;
    atomicAdd(&sum->x, v.x * v.y), atomicAdd(&sum->y, v.y);
    atomicAdd(&sum->z, v.z * v.w), atomicAdd(&sum->w, v.w * v.x);
    atomicAdd(&more->x, v.x), atomicAdd(&more->y, v.y), atomicAdd(&more->z, v.z), atomicAdd(&more->w, v.w);
}
// Numbers of a struct, by a number that a run knows.
BOTH("y wrt x")
__global__ void by_number(double4 *y, const double *x, int n) {
    if (HERE < n) atomicAdd((double *)y + 3 * HERE % 8, x[HERE] * x[HERE]);
}

// One of two arrays.
BOTH("a, b wrt x")
__global__ void chosen(real *a, real *b, const real *x) {
    real *to = HERE % 3 ? a : b;
    atomicAdd(to + HERE % 4, x[HERE] * x[HERE]);
}

// ---- shared memory ----
BOTH("y wrt x")
__global__ void of_block(real *y, const real *x) {
    __shared__ real sum[4];
    int t = threadIdx.x;
    if (t < 4) sum[t] = 0;
    __syncthreads();
    atomicAdd(&sum[t % 4], x[HERE] * x[HERE]);
    __syncthreads();
    y[HERE] = sum[(t + 1) % 4] * sum[t % 4] * x[HERE];
}

BOTH("bins wrt w")
__global__ void histogram(real *bins, const real *w, const int *bin, int n) {
    __shared__ real part[8];
    if (threadIdx.x < 8) part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[bin[i]], w[i] * w[i]);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], part[threadIdx.x] * part[threadIdx.x]);
}

// Filled, used and emptied again in each round.
BOTH("y wrt x")
__global__ void rounds_of_block(real *y, const real *x, int rounds) {
    __shared__ real sum[2];
    real v = x[HERE];
    for (int k = 0; k < rounds; k++) {
        if (threadIdx.x < 2) sum[threadIdx.x] = 0;
        __syncthreads();
        atomicAdd(&sum[threadIdx.x % 2], v * v);
        __syncthreads();
        v = 0.05 * sum[0] * sum[1] + 0.5 * v;
        __syncthreads();
    }
    y[HERE] = v;
}

// It adds up from round to round.
BOTH("y wrt x")
__global__ void adding_up(real *y, const real *x, int rounds) {
    __shared__ real sum;
    real v = 0;
    if (threadIdx.x == 0) sum = x[0];
    __syncthreads();
    for (int k = 0; k < rounds; k++) {
        atomicAdd(&sum, 0.1 * x[HERE] * x[HERE]);
        __syncthreads();
        v += sum * sum * x[HERE];
        __syncthreads();
    }
    y[HERE] = v;
}

// Counts have no derivative, but what is computed with them has.
BOTH("y wrt x")
__global__ void counted(real *y, const real *x, int *hits, unsigned *most) {
    __shared__ int big;
    __shared__ unsigned bits;
    if (threadIdx.x == 0) big = 0, bits = 0;
    __syncthreads();
    if (x[HERE] > 1) atomicAdd(&big, 1);
    atomicOr(&bits, 1u << threadIdx.x % 7);
    atomicAdd(&hits[threadIdx.x % 3], 2);
    atomicMax(most, (unsigned)HERE);
    __syncthreads();
    y[HERE] = x[HERE] * x[HERE] * big + x[HERE] * bits;
}

// ---- with shuffles ----
BOTH("sum wrt x")
__global__ void warp_first(real *sum, const real *x, int n) {
    real v = HERE < n ? x[HERE] * x[HERE] * x[HERE] : 0;
    for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(ALL, v, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, v * v);
}

// The lanes that have something to add find each other, and the first of them adds for all.
BOTH("sum wrt x")
__global__ void those_that_add(real *sum, const real *x) {
    unsigned mask = __ballot_sync(ALL, x[HERE] > 1);
    if (x[HERE] <= 1) return;
    real v = 0;
    for (int lane = 0; lane < 32; lane++)
        if (mask >> lane & 1) v += __shfl_sync(mask, x[HERE] * x[HERE], lane);
    if ((int)(threadIdx.x % 32) == __ffs(mask) - 1) atomicAdd(sum, v);
}

// The same by cuda::atomic_ref, in each scope, and its operations on integers.
BOTH("bins, all wrt x")
__global__ void by_reference(real *bins, moments *all, const real *x, const int *bin, int n) {
    const int i = HERE;
    if (i >= n) return;
    cuda::atomic_ref<real, cuda::thread_scope_device> cell(bins[bin[i]]);
    cell.fetch_add(x[i] * x[i] * x[i], cuda::memory_order_relaxed);
    cuda::atomic_ref<real>(all->mean).fetch_sub(x[i] * x[i], cuda::memory_order_acq_rel);
    cuda::atomic_ref<real, cuda::thread_scope_block> last(bins[7]);
    if (blockIdx.x == 0) last += sin(x[i]);
    cuda::atomic_ref<int, cuda::thread_scope_device>(all->count)++;
    cuda::atomic_ref<int, cuda::thread_scope_system>(all->count).fetch_max(i);
}
#include "atomics.grad.cuh"

#define BINS                                                                                                   \
    list({3, 1, 3, 1, 2, 2, 2, 3, 3, 1, 3, 1, 2, 0, 7, 3, 3, 1, 3, 1,                                          \
          2, 6, 2, 3, 3, 1, 3, 5, 2, 2, 4, 6, 0, 0, 1, 2, 3, 3, 4, 7})
CHECK_KERNEL(total, 2, 32, out(1), in(50), 50)
CHECK_KERNEL(gathered, 2, 8, out(8), out(1), in(40), BINS, 40)
CHECK_KERNEL(by_reference, 2, 32, out(8), out(1), in(40), BINS, 40)
CHECK_FLOAT(scopes, scopes_double, 1e-5, 2, 16, out(9), in(32))
CHECK_FLOAT(swapped, swapped_double, 1e-5, 2, 16, out(8), in(32))
CHECK_KERNEL(swapped_double, 2, 16, out(8), in(32))
CHECK_FLOAT(pairs, pairs_double, 1e-5, 2, 16, out(4), in(32))
CHECK_FLOAT(fours, fours_double, 1e-4, 2, 16, out(2), out(2), in(32))
CHECK_KERNEL(by_number, 2, 16, out(2), in(30), 30)
CHECK_KERNEL(chosen, 2, 16, out(4), out(4), in(32))
CHECK_KERNEL(of_block, 2, 16, out(32), in(32))
CHECK_KERNEL(histogram, 2, 8, out(8), in(40), BINS, 40)
CHECK_KERNEL(rounds_of_block, 2, 8, out(16), in(16, 0.2, 1), 3)
CHECK_KERNEL(adding_up, 2, 8, out(16), in(16), 3)
CHECK_KERNEL(counted, 2, 16, out(32), in(32), list({1, 2, 3}), list({0}))
CHECK_KERNEL(warp_first, 2, 64, out(1), in(100, 0.2, 1), 100)
CHECK_KERNEL(those_that_add, 2, 32, out(1), in(64, 0.2, 1.8))
TEST_MAIN
