// Shared memory, and global memory between barriers: which threads are at work at the same time. The table of
// decisions is checked by decisions.py.
#include <gradwright/gradwright.h>

// ---- shared memory: threads of one block, between two barriers ----

// The leading zeros of x as an int and as a long long differ by 32, or not at all.
GW_GRADIENT("y wrt a")
__global__ void zeros_of_two_types(float *y, const float *a, const int *data) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = data[i];
    y[i] = a[i + __clzll((long long)x) - __clz(x)];
}
//= d_a[i + clz(x) - clz(x)] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void neighbours_in_shared(float *y, const float *x) {
    __shared__ float s[33];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t] * s[t + 1];
}
//= d_s[t + 1] +=: atomic
//= d_s[t] +=: atomic
//= d_s[t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[t]: plain
//= read d_y[t]: plain

// The store stands between other barriers than the load of the same cell: it keeps nobody away there.
GW_GRADIENT("y wrt x")
__global__ void own_cell_in_another_interval(float *y, const float *x, const int *at) {
    __shared__ float s[32];
    int t = threadIdx.x, k = at[t];
    s[k] = x[t];
    __syncthreads();
    y[t] = s[k] * s[31 - t];
}
//= d_s[31 - t] +=: atomic
//= d_s[k] +=: atomic
//= d_s[k] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[k]: plain
//= read d_y[t]: plain

// The same two accesses, with a barrier between them.
GW_GRADIENT("y wrt x")
__global__ void neighbours_apart(float *y, const float *x) {
    __shared__ float s[33];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    float a = s[t];
    __syncthreads();
    y[t] = a * s[t + 1];
}
//= d_s[t + 1] +=: plain
//= d_s[t] +=: plain
//= d_s[t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[t]: plain
//= read d_y[t]: plain

// A loop without a barrier at its end: its iterations would meet, and the reverse loop has one.
GW_GRADIENT("y wrt x")
__global__ void around_the_back_edge(float *y, const float *x, int n) {
    __shared__ float s[2][33];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        s[k % 2][t] = x[t];
        __syncthreads();
        sum += s[k % 2][t + 1];
    }
    y[t] = sum;
}
//= d_s[k % 2][t + 1] +=: plain
//= d_s[k % 2][t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[k % 2][t]: plain
//= read d_y[t]: plain

// Barriers do not order threads of different blocks.
GW_GRADIENT("y wrt x")
__global__ void one_cell_for_a_thread_of_each_block(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[threadIdx.x];
    __syncthreads();
    y[i] = a * a;
}
//= d_x[threadIdx.x] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// An index from a list, unique in each interval only: threads take turns at a cell.
GW_GRADIENT("y wrt x")
__global__ void turns_at_a_list(float *y, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        y[list[i]] = x[list[i]] * x[list[i]];
        __syncthreads();
    }
}
//= d_x[list[i]] +=: atomic
//= d_y[list[i]] =: plain
//= read d_y[list[i]]: plain

// A thread's coordinate that is an index of an array is within it, where the array is reached.
GW_GRADIENT("y wrt x")
__global__ void as_long_as_the_tile(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0] * s[t];
}
//= d_s[0] +=: atomic
//= d_s[t] +=: atomic
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: plain
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

// Elsewhere it may be greater: beside a guard, behind a loop that may not run, in the row of an array of two
// dimensions.
GW_GRADIENT("y wrt x")
__global__ void longer_than_the_tile(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    if (t < 8) s[t] = 1;
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0] * x[blockIdx.x * 8 + t];
}
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

GW_GRADIENT("y wrt x")
__global__ void tile_that_may_be_unused(float *y, const float *x, int n) {
    __shared__ float s[8];
    int t = threadIdx.x;
    float sum = x[blockIdx.x * 8 + t];
    for (int k = 0; k < n; k++) {
        s[t] = x[k];
        __syncthreads();
        sum += s[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + t] = sum;
}
//= d_s[k] +=: atomic
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_x[k] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

GW_GRADIENT("y wrt x")
__global__ void beyond_the_row(float *y, const float *x) {
    __shared__ float s[2][8];
    int t = threadIdx.x;
    s[0][t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0][t];
}
//= d_s[t / 8][t % 8] +=: plain
//= d_s[t / 8][t % 8] =: plain
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t / 8][t % 8]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

// Rounds of a block are written out.
GW_GRADIENT("y wrt x")
__global__ void rounds(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    for (int o = 4; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
//= d_s[0] +=: plain
//= d_s[t + 1] +=: plain
//= d_s[t + 2] +=: plain
//= d_s[t + 4] +=: plain
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: plain
//= d_y[blockIdx.x] =: plain
//= read d_s[t]: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x]: plain

// ---- one iteration for all threads: between barriers of a loop ----
GW_GRADIENT("e wrt x")
__global__ void in_step(float *e, const float *x, int n) {
    __shared__ float s[96];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        s[t] = x[k * 32 + t];
        if (t < 64) s[t + 32] = 0;
        __syncthreads();
        for (int m = 0; m < 3; m++) {
            sum += s[t + 2 * m] * s[t + 2 * m];
            __syncthreads();
        }
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[k * 32 + t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + 2 * m] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The barrier stands between the two: in the reverse, s[t + 8k] of an iteration meets s[(t ^ 1) + 8(k + 1)] of
// the one before.
GW_GRADIENT("e wrt x")
__global__ void out_of_step(float *e, const float *x, int n, float w) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int k = t; k < 256; k += blockDim.x) s[k] = x[k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[t + 8 * k] * w;
        __syncthreads();
        sum += s[(t ^ 1) + 8 * (k + 1)];
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[k] =: plain
//= read d_s[k]: plain
//= d_x[k] +=: atomic
//= d_s[t + 8 * k] +=: plain
//= d_s[(t ^ 1) + 8 * (k + 1)] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// An inner loop without a barrier is run by each thread at its own pace.
GW_GRADIENT("e wrt x")
__global__ void inner_pace(float *e, const float *x, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < 4; m++) sum += s[t + m] * s[t + m];
        __syncthreads();
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + m] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A barrier under a condition, even the same for all, is not passed in each iteration.
GW_GRADIENT("e wrt x")
__global__ void some_barriers(float *e, const float *x, int n, int often) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[t + k] * s[t + k];
        if (often) __syncthreads();
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + k] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A row in steps of 8 from its end: the first quotient is at least 1 where the loop runs, so the row is not
// left.
GW_GRADIENT("e wrt x")
__global__ void down_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t + 7) / 8 - 1; k >= 0; k--)
        sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// One step too far, into the next row; and where the loop runs for a quotient of 0, which a division of -7 .. 7
// gives.
GW_GRADIENT("e wrt x")
__global__ void past_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t + 7) / 8; k >= 0; k--)
        sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain
GW_GRADIENT("e wrt x")
__global__ void before_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t) / 8; k >= 0; k--) sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Rounds of a product are recorded: of t + o and t < o the tape has o, which is the same in the block.
GW_GRADIENT("e wrt x")
__global__ void tree_of_products(float *e, const float *x) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (t < o) part[t] *= part[t + o];
        __syncthreads();
    }
    if (t == 0) e[blockIdx.x] = part[0];
}
//= d_part[t] =: plain
//= read d_part[t]: plain
//= d_x[blockIdx.x * blockDim.x + t] +=: plain
//= d_part[t] =: plain
//= read d_part[t]: plain
//= d_part[t + o] +=: plain
//= d_part[0] +=: plain
//= d_e[blockIdx.x] =: plain
//= read d_e[blockIdx.x]: plain

// One thread sums what warps have left. The reverse of that adds nothing in other threads, so that it is in the
// branch, where no sum of a warp is made.
GW_GRADIENT("y wrt x")
__global__ void one_sums_all(float *y, const float *x) {
    __shared__ float part[32];
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x[blockIdx.x * 32 + threadIdx.x / 32];
    __syncthreads();
    float sum = 0;
    for (int w = 0; w < (int)blockDim.x / 32; w++) sum += part[w] * part[w];
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
//= d_part[threadIdx.x / 32] =: plain
//= read d_part[threadIdx.x / 32]: plain
//= d_x[blockIdx.x * 32 + threadIdx.x / 32] +=: plain
//= d_part[w] +=: atomic
//= d_y[blockIdx.x] =: plain
//= read d_y[blockIdx.x]: plain
