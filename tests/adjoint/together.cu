// Constructs of the device that meet in one kernel, two and two: docs/internals/pairs.md says which, and what
// other files cover.
#include "../support/check.cuh"

#include <cuda_fp16.h>

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define LANE (int)(threadIdx.x % 32)
#define ALL 0xffffffffu

// pair: shuffle x early exit. The lanes that go on are asked for each time.
BOTH("y wrt x")
__global__ void shuffle_after_exit(real *y, const real *x, const int *rounds) {
    real v = x[HERE];
    unsigned here = ALL;
    for (int k = 0; k < 5; k++) {
        bool goes_on = k < rounds[HERE];
        here = __ballot_sync(here, goes_on);
        if (!goes_on) break;
        v = 0.4 * v * __shfl_sync(here, v, 31 - __clz(here)) + x[HERE];
    }
    y[HERE] = v;
}

// pair: shuffle x shared. What the warps found goes through shared memory, and is used by all.
BOTH("y wrt x")
__global__ void shuffle_and_shared(real *y, const real *x) {
    __shared__ real most[2];
    real v = x[HERE] * x[HERE], high = v;
    for (int o = 16; o > 0; o /= 2) high = fmax(high, __shfl_xor_sync(ALL, high, o));
    if (LANE == 0) most[threadIdx.x / 32] = high;
    __syncthreads();
    y[HERE] = v / fmax(most[0], most[1]) + __shfl_up_sync(ALL, most[LANE % 2], 1) * v;
}

// pair: shuffle x staging. Each batch is loaded by the block and rotated by the warps.
BOTH("y wrt x, w")
__global__ void shuffle_of_stages(real *y, const real *x, const real *w, int n) {
    __shared__ real tile[32];
    real sum = 0, v = x[HERE];
    for (int base = 0; base < n; base += 32) {
        tile[LANE] = w[base + LANE] * w[base + LANE];
        __syncthreads();
        real turned = tile[LANE];
        for (int k = 0; k < 3; k++) {
            sum += turned * v;
            turned = __shfl_sync(ALL, turned, (LANE + 1) % 32);
        }
        __syncthreads();
    }
    y[HERE] = sum * sum;
}

// pair: atomic x early exit
BOTH("sum wrt x")
__global__ void atomic_until(real *sum, const real *x, int n) {
    real v = x[HERE];
    for (int k = 0; k < n; k++) {
        if (v > 3) break;
        v += 0.3 * v * v;
        atomicAdd(&sum[k], v * x[HERE]);
    }
}

// pair: atomic x branch
BOTH("sum wrt x")
__global__ void atomic_of_one(real *sum, const real *x, const int *kind) {
    real v = x[HERE] * x[HERE];
    if (kind[HERE] == 1) {
        if (v > 1) atomicAdd(&sum[0], v * v);
        else atomicAdd(&sum[1], sin(v));
    } else if (kind[HERE] == 2) {
        atomicAdd(&sum[kind[HERE]], 1 / v);
    }
}

// pair: atomic x staging. The block adds up what each batch gives, and uses the sum before the next.
BOTH("y wrt x, w")
__global__ void atomic_of_stages(real *y, const real *x, const real *w, int n) {
    __shared__ real tile[8], sum;
    int t = threadIdx.x;
    real v = x[HERE];
    for (int base = 0; base < n; base += 8) {
        tile[t] = w[base + t];
        if (t == 0) sum = 0;
        __syncthreads();
        atomicAdd(&sum, tile[7 - t] * v);
        __syncthreads();
        v = 0.5 * v + 0.01 * sum * tile[t];
        __syncthreads();
    }
    y[HERE] = v;
}

// pair: checkpoint x barrier, checkpoint x shared. All threads of the block step together.
BOTH("y wrt x")
__global__ void checkpoint_of_block(real *y, const real *x, int steps) {
    __shared__ real now[16];
    int t = threadIdx.x;
    real v = x[HERE];
    GW_CHECKPOINT(4) for (int k = 0; k < steps; k++) {
        now[t] = v;
        __syncthreads();
        v = 0.5 * sin(now[(t + 1) % 16]) + 0.4 * v * now[t];
        __syncthreads();
    }
    y[HERE] = v;
}

// pair: checkpoint x shuffle
BOTH("y wrt x")
__global__ void checkpoint_of_warp(real *y, const real *x, int steps) {
    real v = x[HERE];
    GW_CHECKPOINT(4) for (int k = 0; k < steps; k++) v = 0.5 * sin(__shfl_up_sync(ALL, v, 1)) + 0.4 * v * v;
    y[HERE] = v;
}

// pair: checkpoint x branch, checkpoint x atomic
BOTH("y, sum wrt x")
__global__ void checkpoint_and_atomic(real *y, real *sum, const real *x, int steps) {
    real v = x[HERE];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        if (v > 1) v = 0.3 * v * v;
        else v += 0.4 * v;
        atomicAdd(&sum[k % 4], v * v);
    }
    y[HERE] = v;
}

// pair: early exit x staging. Threads finish inside of a batch and stay for the barriers of the others.
BOTH("y wrt x, w")
__global__ void exit_from_stages(real *y, const real *x, const real *w, int n) {
    __shared__ real tile[16];
    int t = threadIdx.x;
    real v = x[HERE];
    bool done = false;
    for (int base = 0; base < n; base += 16) {
        tile[t] = w[base + t];
        __syncthreads();
        for (int k = 0; !done && k < 16; k++) {
            v += 0.2 * v * tile[k];
            done = v > 3.7;
        }
        __syncthreads();
    }
    y[HERE] = v * v;
}

// pair: early return x atomic, early return x shared
BOTH("y, sum wrt x")
__global__ void return_before_atomic(real *y, real *sum, const real *x, int n) {
    __shared__ real part;
    if (threadIdx.x == 0) part = 0;
    __syncthreads();
    if (HERE < n) atomicAdd(&part, x[HERE] * x[HERE]);
    __syncthreads();
    if (HERE >= n) return;
    y[HERE] = part * x[HERE];
    if (threadIdx.x == 0) atomicAdd(sum, part * part);
}

// pair: vote x shared, vote x early exit: the block stops when all have.
BOTH("y wrt x")
__global__ void vote_of_block(real *y, const real *x, int most) {
    __shared__ real s[32];
    int t = threadIdx.x;
    real v = x[HERE];
    for (int k = 0; k < most; k++) {
        s[t] = v;
        if (__syncthreads_and(v > 2)) break;
        v += 0.2 * s[31 - t] * x[HERE];
        __syncthreads();
    }
    y[HERE] = v;
}

// pair: match x atomic: one lane adds for all that have its key.
BOTH("bins wrt x")
__global__ void match_then_add(real *bins, const real *x, const int *key) {
    unsigned same = __match_any_sync(ALL, key[HERE]);
    real v = x[HERE] * x[HERE], sum = 0;
    for (int lane = 0; lane < 32; lane++) {
        real other = __shfl_sync(ALL, v, lane);
        if (same >> lane & 1) sum += other;
    }
    if (LANE == __ffs(same) - 1) atomicAdd(&bins[key[HERE]], sum);
}

// ---- memory as large as the launch says ----
// pair: dynamic shared memory x shuffle, x vote
BOTH("y wrt x")
__global__ void dynamic_warps(real *y, const real *x) {
    extern __shared__ real room[];
    int warps = blockDim.x / 32;
    real v = x[HERE] * x[HERE];
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(ALL, v, o);
    if (LANE == 0) room[threadIdx.x / 32] = __any_sync(1u, v > 30) ? v * v : v;
    __syncthreads();
    real sum = 0;
    for (int k = 0; k < warps; k++) sum += room[k];
    y[HERE] = sum * x[HERE];
}

// pair: dynamic shared memory x staging, x atomic, x early exit
BOTH("y wrt x, w")
__global__ void dynamic_stages(real *y, const real *x, const real *w, int n) {
    extern __shared__ real tile[];
    __shared__ real sum;
    int t = threadIdx.x;
    real v = x[HERE];
    for (int base = 0; base < n; base += blockDim.x) {
        tile[t] = w[base + t];
        if (t == 0) sum = 0;
        __syncthreads();
        atomicAdd(&sum, tile[blockDim.x - 1 - t] * v);
        __syncthreads();
        real all = sum;
        if (__syncthreads_or(all > 1e6)) break;
        v = 0.5 * v + 0.02 * all * tile[t];
        __syncthreads();
    }
    y[HERE] = v;
}

// pair: dynamic shared memory x early return
BOTH("y wrt x")
__global__ void dynamic_return(real *y, const real *x, int n) {
    extern __shared__ real room[];
    int t = threadIdx.x;
    room[t] = HERE < n ? x[HERE] * x[HERE] : 1;
    if (HERE >= n) return;
    __syncthreads();
    y[HERE] = room[t] * room[t > 0 ? t - 1 : 0];
}

// pair: dynamic shared memory x checkpoint, vote x checkpoint
BOTH("y wrt x")
__global__ void dynamic_steps(real *y, const real *x, int steps) {
    extern __shared__ real room[];
    int t = threadIdx.x;
    real v = x[HERE];
    GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {
        room[t] = v;
        int high = __syncthreads_count(v > 1);
        v = 0.5 * sin(room[(t + 1) % blockDim.x]) + 0.05 * high * v;
        __syncthreads();
    }
    y[HERE] = v;
}

#include "together.grad.cuh"

#define KEYS                                                                                                   \
    list({0, 1, 2, 1, 1, 0, 2, 2, 1, 0, 0, 1, 2, 0, 1, 2, 2, 1, 0, 0, 1, 1, 2, 0, 1, 2, 0, 2, 1, 1, 0, 2})
CHECK_KERNEL(shuffle_after_exit, 1, 32, out(32), in(32), list({3, 1, 4, 0, 5, 2, 3, 3, 1, 0, 0, 1, 2, 5, 1, 2,
                                                               2, 1, 4, 0, 1, 1, 2, 3, 1, 2, 0, 2, 5, 1, 4, 2}))
CHECK_KERNEL(shuffle_and_shared, 2, 64, out(128), in(128))
CHECK_KERNEL(shuffle_of_stages, 2, 32, out(64), in(64), in(96), 96)
CHECK_KERNEL(atomic_until, 2, 16, out(6), in(32, 0.5, 2), 6)
CHECK_KERNEL(atomic_of_one, 1, 32, out(3), in(32, 0.5, 1.5), KEYS)
CHECK_KERNEL(atomic_of_stages, 2, 8, out(16), in(16), in(24), 24)
CHECK_KERNEL(checkpoint_of_block, 2, 16, out(32), in(32), 11)
CHECK_KERNEL(checkpoint_of_warp, 2, 32, out(64), in(64), 11)
CHECK_KERNEL(checkpoint_and_atomic, 2, 8, out(16), out(4), in(16), 10)
CHECK_KERNEL(exit_from_stages, 2, 16, out(32), in(32, 0.5, 1.5), in(48), 48)
CHECK_KERNEL(return_before_atomic, 2, 16, out(24), out(1), in(24), 24)
CHECK_KERNEL(vote_of_block, 2, 32, out(64), in(64, 0.5, 1.5), 8)
CHECK_KERNEL(match_then_add, 1, 32, out(3), in(32), KEYS)
CHECK_SHARED(dynamic_warps, 2, 64, 2 * sizeof(real), out(128), in(128))
CHECK_SHARED(dynamic_stages, 2, 8, 8 * sizeof(real), out(16), in(16), in(24), 24)
CHECK_SHARED(dynamic_return, 2, 16, 16 * sizeof(real), out(32), in(32), 27)
CHECK_SHARED(dynamic_steps, 2, 16, 16 * sizeof(real), out(32), in(32), 10)
TEST_MAIN
