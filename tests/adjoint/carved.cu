// Dynamic shared memory for cells of several types: carved by casts, by SharedMemory<T>, by several names, used
// again as another type; what is stored as one type is read as it.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- one buffer in pieces of several types ----
BOTH("y wrt x")
__global__ void of_chars(real *y, const real *x, int m, int offset) {
    extern __shared__ char memory[];
    real *s = (real *)memory;
    int *q = (int *)(s + m);
    float *w = (float *)(memory + offset);
    const int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    q[t] = m - 1 - t;
    w[t] = (float)t + 0.5f;
    __syncthreads();
    y[HERE] = s[q[t]] * w[q[t]] * s[t];
}

BOTH("y wrt x")
__global__ void of_bytes(real *y, const real *x, int m) {
    extern __shared__ unsigned char bytes[];
    real *const s = reinterpret_cast<real *>(bytes);
    unsigned char *const flags = bytes + m * sizeof(real);
    const int t = threadIdx.x;
    s[t] = x[HERE];
    flags[t] = (unsigned char)(t % 3 == 0);
    __syncthreads();
    const int other = (t + 5) % m;
    y[HERE] = flags[other] ? s[other] * s[t] : s[other] * s[other];
}

BOTH("y wrt x, k")
__global__ void of_numbers(real *y, const real *x, const real *k, int m) {
    extern __shared__ real numbers[];
    short *const order = (short *)(numbers + 2 * m);
    real *const second = numbers + m;
    const int t = threadIdx.x;
    numbers[t] = x[HERE] * k[t];
    second[t] = x[HERE] * x[HERE];
    order[t] = (short)((t + 3) % m);
    __syncthreads();
    y[HERE] = numbers[order[t]] * second[t] + second[order[t]];
}

// Behind an element, as the samples carve theirs.
BOTH("y wrt x")
__global__ void behind_an_element(real *y, const real *x, int n) {
    extern __shared__ int ids[];
    real *const v = (real *)&ids[n];
    const int t = threadIdx.x;
    ids[t] = n - 1 - t;
    v[t] = x[HERE] * x[HERE];
    __syncthreads();
    y[HERE] = v[ids[t]] * v[t];
}

// Integers of either sign are read as the other; counters are added to.
BOTH("y wrt x")
__global__ void counted(real *y, const real *x, int m) {
    extern __shared__ char memory[];
    unsigned *const counts = (unsigned *)memory;
    real *const sums = (real *)(counts + 4);
    const int t = threadIdx.x;
    if (t < 4) counts[t] = 0, sums[t] = 0;
    __syncthreads();
    atomicAdd(&counts[t % m], 1u);
    atomicAdd(&sums[t % m], x[HERE] * x[HERE]);
    __syncthreads();
    const int *const seen = (const int *)counts;
    y[HERE] = sums[t % m] / seen[t % m] * x[HERE];
}

// ---- structs: of numbers of one type, rows of these; of several, cells of their own ----
struct point {
    real x, y;
};
struct node {
    real weight;
    int next;
};
BOTH("y wrt x")
__global__ void rows_of_structs(real *y, const real *x, int m) {
    extern __shared__ char memory[];
    point *const points = (point *)memory;
    real *const flat = (real *)memory;
    int *const order = (int *)(points + m);
    const int t = threadIdx.x;
    points[t].x = x[HERE];
    points[t].y = x[HERE] * x[HERE];
    order[t] = (t + 1) % m;
    __syncthreads();
    const point other = points[order[t]];
    y[HERE] = other.x * flat[2 * t + 1] + other.y;
}

BOTH("y wrt x")
__global__ void structs(real *y, const real *x, int m) {
    extern __shared__ char memory[];
    node *const nodes = (node *)memory;
    real *const v = (real *)(nodes + m);
    const int t = threadIdx.x;
    nodes[t].weight = x[HERE] * x[HERE];
    nodes[t].next = m - 1 - t;
    v[t] = x[HERE];
    __syncthreads();
    y[HERE] = nodes[nodes[t].next].weight * v[t];
}

// ---- several names: the samples' SharedMemory<T> ----
template <class T> struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *() {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};
BOTH("y wrt x")
__global__ void by_sample(real *y, const real *x, int m) {
    real *s = SharedMemory<real>();
    int *q = (int *)SharedMemory<int>() + m * (int)(sizeof(real) / sizeof(int));
    const int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    q[t] = (t + 7) % m;
    __syncthreads();
    y[HERE] = s[q[t]] * s[t];
}

BOTH("y wrt x")
__global__ void two_names(real *y, const real *x) {
    extern __shared__ real numbers[];
    extern __shared__ int places[];
    numbers[threadIdx.x] = x[HERE] * x[HERE];
    places[threadIdx.x + 2 * blockDim.x] = blockDim.x - 1 - threadIdx.x;
    __syncthreads();
    y[HERE] = numbers[places[threadIdx.x + 2 * blockDim.x]] * numbers[threadIdx.x];
}

// ---- the same bytes as one type and then as another ----
BOTH("y wrt x")
__global__ void used_again(real *y, const real *x, int m) {
    extern __shared__ char memory[];
    real *const s = (real *)memory;
    int *const q = (int *)memory;
    const int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncthreads();
    const real left = s[(t + 1) % m] * s[t];
    __syncthreads();
    q[t] = (t + 3) % m;
    __syncthreads();
    const int other = q[m - 1 - t];
    __syncthreads();
    s[t] = left * x[HERE];
    __syncthreads();
    y[HERE] = s[other] * s[t];
}

// In rounds: what the reverse sweep stages again the other type has overwritten meanwhile.
BOTH("y wrt x")
__global__ void rounds(real *y, const real *x, int m, int n) {
    extern __shared__ char memory[];
    real *const s = (real *)memory;
    int *const q = (int *)memory;
    const int t = threadIdx.x;
    real v = x[HERE];
    for (int k = 0; k < n; k++) {
        q[t] = (t + k) % m;
        __syncthreads();
        const int from = q[m - 1 - t];
        __syncthreads();
        s[t] = v * x[HERE];
        __syncthreads();
        v = s[from] * s[t];
        __syncthreads();
    }
    y[HERE] = v;
}

// ---- blocks of 32 threads at most: static arrays, where all numbers of cells are bounded ----
struct row {
    real a, b, c;
};
#define BOUNDED(NAME) BOTH("y wrt x") __global__ void __launch_bounds__(32) NAME(real *y, const real *x, int m)

BOUNDED(in_parts) {
    extern __shared__ int ids[];
    row *const rows = reinterpret_cast<row *>(&ids[32]);
    row *const more = &rows[32];
    const int t = threadIdx.x;
    if (t < m) {
        ids[t] = m - 1 - t;
        rows[t] = {x[HERE], x[HERE] * x[HERE], 2.0};
        more[t] = {x[HERE] + 1, real(t), x[HERE] * t};
    }
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < min(32, m); j++) sum += rows[j].b * more[ids[t % m]].c * more[j].a + rows[j].a;
    y[HERE] = sum * more[t % m].b;
}
// The same of a block that is stated; below, of one of which nothing is known.
BOTH("y wrt x") GW_LAUNCH("blockDim.x <= 32")
__global__ void in_known_parts(real *y, const real *x, int m) {
    extern __shared__ int ids[];
    row *const rows = reinterpret_cast<row *>(&ids[32]);
    row *const more = &rows[32];
    const int t = threadIdx.x;
    if (t < m) {
        ids[t] = m - 1 - t;
        rows[t] = {x[HERE], x[HERE] * x[HERE], 2.0};
        more[t] = {x[HERE] + 1, real(t), x[HERE] * t};
    }
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < min(32, m); j++) sum += rows[j].b * more[t].c * more[j].a + rows[j].a * ids[j];
    y[HERE] = sum * more[t].b;
}
//! extern __shared__
BOUNDED(with_neighbours) {
    extern __shared__ real s[];
    const int t = threadIdx.x;
    s[t + 1] = x[HERE] * x[HERE];
    if (t == 0) s[0] = 1;
    if (t == 31) s[33] = x[HERE] * m;
    __syncthreads();
    y[HERE] = s[t] * s[t + 1] + s[t + 2];
}
BOUNDED(interleaved) {
    extern __shared__ real s[];
    const int t = threadIdx.x;
    s[2 * t] = x[HERE] * x[HERE];
    s[2 * t + 1] = x[HERE] * m;
    __syncthreads();
    y[HERE] = s[2 * (31 - t)] * s[2 * t + 1];
}
// Two steps that meet.
BOUNDED(of_two_steps) {
    extern __shared__ real s[];
    const int t = threadIdx.x;
    s[2 * t] = x[HERE] * x[HERE];
    s[2 * t + 1] = x[HERE] * m;
    __syncthreads();
    y[HERE] = s[t] * s[2 * t + 1];
}
// A number without a bound.
BOUNDED(up_to_any) {
    extern __shared__ real s[];
    s[threadIdx.x] = x[HERE] * x[HERE];
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < m; j++) sum += s[j];
    y[HERE] = sum * x[HERE];
}

#include "carved.grad.cuh"

CHECK_SHARED(of_chars, 2, 32, 32 * (8 + 4 + 4), out(64), in(64), 32, 32 * (8 + 4))
CHECK_SHARED(of_bytes, 2, 32, 32 * (8 + 1), out(64), in(64), 32)
CHECK_SHARED(of_numbers, 2, 32, 32 * (16 + 2), out(64), in(64), in(32), 32)
CHECK_SHARED(behind_an_element, 2, 32, 32 * (4 + 8), out(64), in(64), 32)
CHECK_SHARED(counted, 2, 32, 4 * (4 + 8), out(64), in(64), 4)
CHECK_SHARED(rows_of_structs, 2, 32, 32 * (16 + 4), out(64), in(64), 32)
CHECK_SHARED(structs, 2, 32, 32 * (16 + 8), out(64), in(64), 32)
CHECK_SHARED(by_sample, 2, 32, 32 * (8 + 4), out(64), in(64), 32)
CHECK_SHARED(two_names, 2, 32, 32 * (8 + 4), out(64), in(64))
CHECK_SHARED(used_again, 2, 32, 32 * 8, out(64), in(64), 32)
CHECK_SHARED(rounds, 2, 32, 32 * 8, out(64), in(64), 32, 3)
CHECK_SHARED(in_parts, 2, 32, 32 * (4 + 48), out(64), in(64), 32)
CHECK_SHARED(in_known_parts, 2, 32, 32 * (4 + 48), out(64), in(64), 32)
CHECK_SHARED(with_neighbours, 2, 32, 34 * 8, out(64), in(64), 3)
CHECK_SHARED(interleaved, 2, 32, 64 * 8, out(64), in(64), 3)
CHECK_SHARED(of_two_steps, 2, 32, 64 * 8, out(64), in(64), 3)
CHECK_SHARED(up_to_any, 2, 32, 32 * 8, out(64), in(64), 32)

#ifndef GW_TEST_WITHOUT
TEST(what_asks_the_launch_for_memory) {
    EXPECT(in_parts_shared_bytes(32, 1000) >= 2000);
    EXPECT(in_known_parts_shared_bytes(32, 1000) == 0);
    EXPECT(with_neighbours_shared_bytes(32, 1000) == 0);
    EXPECT(interleaved_shared_bytes(32, 1000) == 0);
    EXPECT(of_two_steps_shared_bytes(32, 1000) >= 2000);
    EXPECT(up_to_any_shared_bytes(32, 1000) >= 2000);
}
#endif
TEST_MAIN
