// Bits of numbers: integers packed in floats, integers in a view of a float array, numbers that lanes exchange
// as bits or in halves.
#include "../support/check.cuh"

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- packed ----
BOTH("out wrt x, table")
__global__ void packed(double *out, const double *x, const double *table, const int *order, int n) {
    __shared__ double cells[32][2];
    const int i = HERE, t = threadIdx.x;
    if (i < n) {
        cells[t][0] = x[i] * x[i];
        cells[t][1] = __longlong_as_double(order[i] + 7000000000ll);
    }
    __syncthreads();
    if (i >= n) return;
    const int k = (int)(__double_as_longlong(cells[t][1]) - 7000000000ll);
    out[2 * i] = cells[t][0] * table[k] + cells[t][0];
    out[2 * i + 1] = k % 2 ? table[k] : x[i];
}

// Not a number, as which it goes through registers and memory unchanged.
BOTH("y wrt x")
__global__ void flagged(double *y, const double *x, int n) {
    __shared__ double cells[64];
    const int i = HERE, t = threadIdx.x;
    cells[2 * t] = i < n ? x[i] : 0;
    cells[2 * t + 1] = __longlong_as_double(0x7ff0000000000001ll + t % 2);
    __syncthreads();
    const bool flag = __double_as_longlong(cells[2 * (31 - t) + 1]) == 0x7ff0000000000002ll;
    if (i < n) y[i] = flag ? cells[2 * t] * cells[2 * t] : 3 * cells[2 * t];
}

// ---- views ----
BOTH("out wrt x")
__global__ void viewed(double *out, const double *x, int n) {
    __shared__ double room[32 * 3];
    const int i = HERE, t = threadIdx.x;
    char *const bytes = (char *)room;
    room[3 * t] = i < n ? x[i] * x[i] : 0;
    *(long long *)(bytes + 8 * (3 * t + 1)) = 31 - t;
    ((unsigned long long *)room)[3 * t + 2] = t + 1ull;
    __syncthreads();
    const char *const mine = (const char *)&room[3 * t];
    const int other = (int)*(const long long *)(mine + sizeof(double));
    const double *const there = (const double *)(bytes + 24 * other);
    const int count = (int)((const unsigned long long *)there)[2];
    if (i < n) out[i] = there[0] * count + *(const double *)mine;
}

// In the caller's own array; what is stored as bits consumes the cell's adjoint.
BOTH("out wrt x")
__global__ void stored(double *out, const double *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    out[2 * i] = x[i] * x[i];
    ((long long *)out)[2 * i + 1] = 4602678819172646912ll + i;
}

// ---- what lanes exchange ----
BOTH("y wrt x")
__global__ void halves(double *y, const double *x) {
    double v = x[HERE] * x[HERE];
    for (int o = 16; o > 0; o /= 2) {
        int hi = __double2hiint(v), lo = __double2loint(v);
        hi = __shfl_down_sync(0xffffffffu, hi, o);
        lo = __shfl_down_sync(0xffffffffu, lo, o);
        v += __hiloint2double(hi, lo);
    }
    if (threadIdx.x % 32 == 0) y[HERE / 32] = v * v;
}

__device__ inline double shuffled(double x, int lane) {
    return __hiloint2double(__shfl_sync(0xffffffffu, __double2hiint(x), lane),
                            __shfl_sync(0xffffffffu, __double2loint(x), lane));
}
BOTH("y wrt x")
__global__ void by_function(double *y, const double *x) {
    const double v = x[HERE] * x[HERE];
    const double other = shuffled(v, (threadIdx.x + 3) % 32), first = shuffled(v, 0);
    y[HERE] = other * v + first;
}

BOTH("y wrt x")
__global__ void whole(double *y, const double *x) {
    const long long bits = __double_as_longlong(x[HERE]);
    const double v = __longlong_as_double(__shfl_xor_sync(0xffffffffu, bits, 5));
    const double again = __hiloint2double(__double2hiint(v), __double2loint(v));
    y[HERE] = v * x[HERE] + again * again;
}

// The low half first, in a loop that its own values decide.
BOTH("y wrt x")
__global__ void rounds(double *y, const double *x, int n) {
    double v = x[HERE];
    for (int k = 1; k < n; k++) {
        const int lo = __shfl_up_sync(0xffffffffu, __double2loint(v), k, 16);
        const int hi = __shfl_up_sync(0xffffffffu, __double2hiint(v), k, 16);
        v = v * x[HERE] + __hiloint2double(hi, lo);
    }
    y[HERE] = v;
}

BOTH("y wrt x")
__global__ void single(float *y, const float *x) {
    const int bits = __shfl_xor_sync(0xffffffffu, __float_as_int(x[HERE]), 1);
    const unsigned int more = __shfl_sync(0xffffffffu, __float_as_uint(x[HERE]), 7);
    y[HERE] = __int_as_float(bits) * x[HERE] + __uint_as_float(more);
}
__global__ void single_double(double *y, const double *x) {
    y[HERE] = __shfl_xor_sync(0xffffffffu, x[HERE], 1) * x[HERE] + __shfl_sync(0xffffffffu, x[HERE], 7);
}

#include "bits.grad.cuh"

CHECK_KERNEL(packed, 2, 32, out(100), in(50), in(8), fixed(50, 0, 8), 50)
CHECK_KERNEL(flagged, 2, 32, out(60), in(60), 60)
CHECK_KERNEL(viewed, 2, 32, out(60), in(60), 60)
CHECK_KERNEL(stored, 2, 32, out(120), in(60), 60)
CHECK_KERNEL(halves, 2, 64, out(4), in(128))
CHECK_KERNEL(by_function, 2, 64, out(128), in(128))
CHECK_KERNEL(whole, 2, 64, out(128), in(128))
CHECK_KERNEL(rounds, 2, 64, out(128), in(128, 0.5, 0.9), 5)
CHECK_FLOAT(single, single_double, 1e-5, 1, 32, out(32), in(32))
TEST_MAIN
