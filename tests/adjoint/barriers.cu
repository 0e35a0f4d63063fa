// Barriers: in loops and branches that all threads of a block take, after an early return, and what they
// return.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- sums and scans over a block ----
BOTH("y wrt x")
__global__ void tree_sum(real *y, const real *x, int n) {
    __shared__ real part[32];
    int i = HERE, t = threadIdx.x;
    part[t] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0] * part[0];
}

// A product: the reverse sweep needs what each round read.
BOTH("y wrt x")
__global__ void tree_product(real *y, const real *x) {
    __shared__ real part[16];
    int t = threadIdx.x;
    part[t] = x[HERE];
    __syncthreads();
    for (int o = 8; o > 0; o /= 2) {
        if (t < o) part[t] *= part[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}

BOTH("y wrt x")
__global__ void interleaved_sum(real *y, const real *x) {
    extern __shared__ real part[];
    unsigned t = threadIdx.x;
    part[t] = x[HERE] * x[HERE];
    __syncthreads();
    for (unsigned o = 1; o < blockDim.x; o *= 2) {
        unsigned at = 2 * o * t;
        if (at + o < blockDim.x) part[at] += part[at + o] * part[at];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}

// Hillis and Steele: two halves in turn.
BOTH("y wrt x")
__global__ void scan(real *y, const real *x, int n) {
    extern __shared__ real both[];
    int t = threadIdx.x, from = 0, to = 1;
    both[t] = x[HERE] * x[HERE];
    __syncthreads();
    for (int o = 1; o < n; o *= 2) {
        if (t >= o) both[to * n + t] = both[from * n + t] + both[from * n + t - o];
        else both[to * n + t] = both[from * n + t];
        from = 1 - from;
        to = 1 - to;
        __syncthreads();
    }
    y[HERE] = both[from * n + t];
}

// In place, with two barriers a round.
BOTH("y wrt x")
__global__ void scan_in_place(real *y, const real *x, int n) {
    __shared__ real s[16];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    for (int o = 1; o < n; o *= 2) {
        real left = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += left * s[t];
        __syncthreads();
    }
    y[HERE] = s[t];
}

// ---- threads that have returned ----
BOTH("y wrt x")
__global__ void early(real *y, const real *x, int n) {
    __shared__ real s[32];
    int i = HERE, t = threadIdx.x;
    if (i >= n) return;
    s[t] = x[i] * x[i];
    __syncthreads();
    int last = min(n - 1 - (int)(blockIdx.x * blockDim.x), (int)blockDim.x - 1);
    y[i] = s[last - t] * s[t];
}

BOTH("y wrt x")
__global__ void early_twice(real *y, const real *x, int n) {
    __shared__ real s[32];
    int i = HERE, t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (i >= n) return;
    s[t] = x[i] * x[i];
    __syncthreads();
    if (x[i] < 0.7) {
        y[i] = s[t] * 3;
        return;
    }
    real a = s[(t + 1) % 32];
    __syncthreads();
    s[t] = a * a;
    __syncthreads();
    y[i] = a + s[t] * s[t];
}

// The others go on around a loop with barriers.
BOTH("y wrt x")
__global__ void early_and_loop(real *y, const real *x, int n, int rounds) {
    __shared__ real s[16];
    int i = HERE, t = threadIdx.x;
    if (i >= n) return;
    real sum = x[i];
    for (int k = 0; k < rounds; k++) {
        s[t] = sum * x[i];
        __syncthreads();
        sum = sum * 0.5 + s[0] * s[t];
        __syncthreads();
    }
    y[i] = sum;
}

// A local array that is written on one side of a barrier and read on the other.
BOTH("y wrt x")
__global__ void early_array(real *y, const real *x, int n, int m) {
    __shared__ real s[16];
    int i = HERE, t = threadIdx.x;
    if (i >= n) return;
    real a[3] = {x[i], x[i] * x[i], 2 * x[i]};
    s[t] = x[i];
    __syncthreads();
    a[m] *= s[0];
    y[i] = a[m - 1] + 0.5 * s[t];
    __syncthreads();
    s[t] *= a[m];
    __syncthreads();
    y[i] += a[m] * a[1] * s[0];
}

BOTH("y wrt x")
__global__ void early_and_count(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    int above = __syncthreads_count(x[i] > 1);
    int all = __syncthreads_and(x[i] > 0.1), any = __syncthreads_or(x[i] > 5);
    y[i] = x[i] * x[i] * above + (all ? 2 * x[i] : 0) + (any ? 100 * x[i] : 0);
}

// What they vote is known before they return.
BOTH("y wrt x")
__global__ void early_and_votes_before(real *y, const real *x, int n) {
    int i = HERE, t = threadIdx.x, odd = t & 1, high = t > 14;
    if (i >= n) return;
    int count = __syncthreads_count(odd), any = __syncthreads_or(high);
    if (t > 10) return;
    int second = __syncthreads_count(odd);
    y[i] = x[i] * x[i] * count + (any ? 100 * x[i] : 0) + second * x[i];
}

// One thread adds, in a loop that all run: nobody else may put the cell back.
BOTH("y wrt x")
__global__ void one_adds(real *y, const real *x, int n) {
    __shared__ real s[2];
    int t = threadIdx.x;
    if (t < 2) s[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++)
        if (t == 3) s[1] += x[k] * x[k];
    __syncthreads();
    y[HERE] = s[1] * s[1] * x[t];
}

template <int N, class T> BOTH("y wrt x")
__global__ void instance(T *y, const T *x) {
    extern __shared__ real rows[];
    __shared__ T pad[N];
    if (threadIdx.x < N) pad[threadIdx.x] = N;
    rows[threadIdx.x] = x[HERE] * x[HERE];
    __syncthreads();
    y[HERE] = rows[(threadIdx.x + N) % blockDim.x] * rows[threadIdx.x] + pad[0];
}

// ---- uniform control ----
BOTH("y wrt x")
__global__ void uniform_branch(real *y, const real *x, int mode) {
    __shared__ real s[16];
    int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncthreads();
    if (blockIdx.x % 2 == 0 && mode > 0) {
        real a = s[15 - t];
        __syncthreads();
        s[t] = a * s[t];
        __syncthreads();
    }
    y[HERE] = s[t] * s[(t + 2) % 16];
}

// The whole block leaves the loop when all its threads are done.
BOTH("y wrt x")
__global__ void leave_together(real *y, const real *x, const int *from, int n, int rounds) {
    __shared__ real s[8];
    int begin = from[blockIdx.x], end = from[blockIdx.x + 1];
    real rest = 1, sum = 0;
    bool done = false;
    for (int round = 0; round < rounds; round++) {
        int base = begin + 8 * round;
        if (base >= end) break;
        if (__syncthreads_count(done) == 8) break;
        int k = base + threadIdx.x;
        s[threadIdx.x] = k < end ? x[k] : 0;
        __syncthreads();
        for (int j = 0; j < 8 && base + j < end && !done; j++) {
            real a = s[j] * (1 + 0.1 * threadIdx.x) * 0.5;
            sum += rest * a;
            rest *= 1 - a;
            if (rest < 0.05) done = true;
        }
    }
    if (HERE < n) y[HERE] = sum;
}

// do-while: how often depends on the block.
BOTH("y wrt x")
__global__ void at_least_once(real *y, const real *x) {
    __shared__ real s[8];
    int left = blockIdx.x + 1;
    real v = x[HERE];
    do {
        s[threadIdx.x] = v * v;
        __syncthreads();
        v = 0.5 * s[(threadIdx.x + 1) % 8] + v;
        __syncthreads();
    } while (--left > 0);
    y[HERE] = v;
}

// Threads of a block hand values on in the caller's memory.
BOTH("y, tmp wrt x")
__global__ void through_global(real *y, const real *x, real *tmp) {
    tmp[HERE] = 3 * x[HERE];
    __syncthreads();
    y[HERE] = tmp[blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x];
}

inline void use() { instance<3, real><<<1, 16, 16 * sizeof(real)>>>(nullptr, nullptr); }

#include "barriers.grad.cuh"

CHECK_KERNEL(tree_sum, 2, 32, out(2), in(50), 50)
CHECK_KERNEL(tree_product, 2, 16, out(2), in(32))
CHECK_SHARED(interleaved_sum, 2, 16, 16 * sizeof(real), out(2), in(32))
CHECK_SHARED(scan, 2, 16, 32 * sizeof(real), out(32), in(32), 16)
CHECK_KERNEL(scan_in_place, 2, 16, out(32), in(32), 16)
CHECK_KERNEL(early, 2, 32, out(50), in(50), 50)
CHECK_KERNEL(early_twice, 2, 32, out(50), in(50), 50)
CHECK_KERNEL(early_and_loop, 2, 16, out(27), in(27), 27, 3)
CHECK_KERNEL(early_array, 2, 16, out(27), in(27), 27, 1)
CHECK_KERNEL(early_and_count, 2, 16, out(27), in(27), 27)
CHECK_KERNEL(early_and_votes_before, 2, 16, out(27), in(27), 24)
CHECK_KERNEL(one_adds, 2, 16, out(32), in(20), 20)
CHECK_INSTANCE_JOINED(instance, instance, (3, real), 2, 16, 16 * sizeof(real), out(32), in(32))
CHECK_KERNEL(uniform_branch, 3, 16, out(48), in(48), 1)
CHECK_KERNEL(leave_together, 2, 8, out(16), in(40), list({0, 19, 40}), 16, 4)
CHECK_KERNEL(at_least_once, 3, 8, out(24), in(24))
CHECK_KERNEL(through_global, 2, 16, out(32), in(32), out(32))
TEST_MAIN
