// Additions that threads of a block make to one cell, gathered by one thread (rewriters/gather/gather.c). Below
// each kernel stand the rows of --explain, which tests/ownership compares: first where nothing may be gathered,
// then where it must be.
#include "../support/check.cuh"

typedef double real;
enum { T = 8 };
#define HERE (int)(blockIdx.x * T + threadIdx.x)

// ---- what must stay as it is ----

// Nothing says how long the block is.
BOTH("y wrt x")
__global__ void any_length(real *y, const real *x, int n) {
    extern __shared__ real s[];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < n; q++) sum += s[q] * s[q] * (threadIdx.x + 1);
    y[HERE] = sum;
}
//= d_s[threadIdx.x] =: plain
//= read d_s[threadIdx.x]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: atomic
//= d_s[q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// Only some of the threads store, so the block is not as long as the array.
BOTH("y wrt x")
__global__ void first_threads(real *y, const real *x) {
    __shared__ real s[T];
    int t = threadIdx.x;
    if (t < T) s[t] = x[t];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < T; q++) sum += s[q] * s[q] * t;
    y[blockIdx.x * blockDim.x + t] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[t] +=: atomic
//= d_s[q] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

// What is read to its end says nothing of the block, as each thread stores to two cells.
BOTH("y wrt x")
__global__ void two_cells(real *y, const real *x) {
    __shared__ real s[2 * T];
    int t = threadIdx.x;
    s[2 * t] = x[2 * HERE];
    s[2 * t + 1] = x[2 * HERE + 1];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < 2 * T; q++) sum += s[q] * t;
    y[HERE] = sum;
}
//= d_s[2 * t] =: plain
//= read d_s[2 * t]: plain
//= d_x[2 * (blockIdx.x * 8 + threadIdx.x)] +=: atomic
//= d_s[2 * t + 1] =: plain
//= read d_s[2 * t + 1]: plain
//= d_x[2 * (blockIdx.x * 8 + threadIdx.x) + 1] +=: atomic
//= d_s[q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// Each thread runs over a range of its own.
BOTH("y wrt x")
__global__ void own_range(real *y, const real *x) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    real sum = 0, all = 0;
    for (int q = 0; q < T; q++) all += s[q];
    __syncthreads();
    for (int q = 0; q <= t; q++) sum += s[q] * s[q] * all;
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_s[t] +=: plain
//= d_s[q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// The cell depends on the thread and the loop's index.
BOTH("y wrt x")
__global__ void shifted(real *y, const real *x) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < T; q++) sum += s[q] * s[(q + t) % T];
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_s[t] +=: atomic
//= d_s[(q + t) % 8] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// What is added comes from the tape, or from a loop's chain; it goes to x, of which s holds copies (sources.c).
BOTH("y wrt x, k")
__global__ void chained(real *y, const real *x, const real *k) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    real sum = 0, power = 1;
    for (int q = 0; q < T; q++) {
        power = power * k[HERE] + 0.1;
        sum += s[q] * power;
    }
    y[HERE] = sum;
}
//= d_k[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_x[blockIdx.x * 8 + q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// Some of the threads have left.
BOTH("y wrt x, w")
__global__ void some_left(real *y, const real *x, const real *w, int n) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < T; q++) sum += s[q];
    if (HERE >= n) return;
    for (int q = 0; q < T; q++) sum += s[t] * w[q];
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_s[t] +=: plain
//= d_s[t] +=: plain
//= d_w[q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// ---- what must be gathered ----

// The loop's value is read from a cell that each thread stored to without a barrier: it was loaded, and is
// staged.
BOTH("y wrt x, k")
__global__ void own_cell(real *y, const real *x, const real *k) {
    __shared__ real s[T], own[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    own[t] = k[HERE] * k[HERE];
    real sum = 0;
    for (int q = 0; q < T; q++) sum += s[q] * own[t];
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_k[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_s[t] +=: plain
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// Tiles that are not square, and matrices that they do not divide: blocks of 8 x 4, tiles of 4 x 8 and 8 x 8.
enum { HIGH = 4 };
BOTH("C wrt A, B")
__global__ void rectangles(real *C, const real *A, const real *B, int m, int n, int k) {
    __shared__ real As[HIGH][T], Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * HIGH + ty, col = blockIdx.x * T + tx;
    real sum = 0;
    for (int base = 0; base < k; base += T) {
        As[ty][tx] = row < m && base + tx < k ? A[row * k + base + tx] : 0;
        for (int h = 0; h < T; h += HIGH)
            Bs[ty + h][tx] = base + ty + h < k && col < n ? B[(base + ty + h) * n + col] : 0;
        __syncthreads();
        for (int q = 0; q < T; q++) sum += As[ty][q] * Bs[q][tx];
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = sum;
}
//= d_As[ty][tx] =: plain
//= read d_As[ty][tx]: plain
//= d_A[row * k + base + tx] +=: atomic
//= d_Bs[ty + h][tx] =: plain
//= read d_Bs[ty + h][tx]: plain
//= d_B[(base + ty + h) * n + col] +=: atomic
//= d_As[ty][tx] +=: plain
//= d_Bs[q][tx] +=: plain
//= d_C[row * n + col] =: plain
//= read d_C[row * n + col]: plain

// All pairs, with what is left of the last tile, and a condition on the pair.
BOTH("y wrt x")
__global__ void near_pairs(real *y, const real *x, int n, real reach) {
    __shared__ real s[T];
    int t = threadIdx.x, i = HERE;
    real own = i < n ? x[i] : 0, sum = 0;
    for (int base = 0; base < n; base += T) {
        if (base + t < n) s[t] = x[base + t];
        __syncthreads();
        int count = min((int)T, n - base);
        for (int q = 0; q < count; q++) {
            real d = s[q] - own;
            if (d * d < reach) sum += exp(-d * d) * s[q];
        }
        __syncthreads();
    }
    if (i < n) y[i] = sum;
}
//= d_x[i] +=: atomic
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[base + t] +=: atomic
//= d_s[t] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// A loop that is longer than the block, into the caller's memory, downward and in steps of two.
BOTH("y wrt x, w")
__global__ void weights(real *y, const real *x, const real *w, int n) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncthreads();
    real sum = 0, all = 0;
    for (int q = 0; q < T; q++) all += s[q];
    for (int q = 0; q < n; q++) sum += w[q] * s[t] * all;
    for (int q = n - 1; q > 0; q -= 2) sum += w[q] * w[q] * (t + 1);
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_s[t] +=: plain
//= d_w[q] +=: atomic
//= d_s[t] +=: plain
//= d_w[q] +=: atomic
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// What is staged changes with the loop outside, which has no barrier of its own after it.
BOTH("y wrt x, k")
__global__ void changing(real *y, const real *x, const real *k, int rounds) {
    __shared__ real s[T];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    real sum = 0;
    for (int r = 0; r < rounds; r++) {
        real own = sin(k[HERE * rounds + r]);
        for (int q = 0; q < T; q++) sum += s[q] * s[q] * own;
    }
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_k[(blockIdx.x * 8 + threadIdx.x) * rounds + r] +=: plain
//= d_s[t] +=: plain
//= d_y[blockIdx.x * 8 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 8 + threadIdx.x]: plain

// Three axes.
BOTH("y wrt a, b")
__global__ void boxes(real *y, const real *a, const real *b) {
    __shared__ real as[2][3][4], bs[4][2];
    int x = threadIdx.x, yy = threadIdx.y, z = threadIdx.z, i = ((blockIdx.x * 2 + z) * 3 + yy) * 4 + x;
    as[z][yy][x] = a[i];
    if (yy == 0) bs[x][z] = b[x * 2 + z];
    __syncthreads();
    real sum = 0;
    for (int q = 0; q < 4; q++) sum += as[z][yy][q] * bs[q][z] * (x + 1);
    for (int q = 0; q < 3; q++) sum += as[z][q][x] * yy;
    for (int q = 0; q < 2; q++) sum += as[q][yy][x] * as[q][yy][x] * z;
    y[i] = sum;
}
//= d_as[z][yy][x] =: plain
//= read d_as[z][yy][x]: plain
//= d_a[i] +=: plain
//= d_bs[x][z] =: plain
//= read d_bs[x][z]: plain
//= d_b[x * 2 + z] +=: atomic
//= d_as[z][yy][x] +=: plain
//= d_bs[x][z] +=: atomic
//= d_as[z][yy][x] +=: plain
//= d_as[z][yy][x] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// Single precision: products of tiles, of which the sums read columns.
template <class number>
__device__ void multiply_tiles(number *C, const number *A, const number *B, int m, int n, int k,
                               number (*As)[T], number (*Bs)[T]) {
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    number sum = 0;
    for (int base = 0; base < k; base += T) {
        As[ty][tx] = row < m && base + tx < k ? A[row * k + base + tx] : 0;
        Bs[ty][tx] = base + ty < k && col < n ? B[(base + ty) * n + col] : 0;
        __syncthreads();
        for (int q = 0; q < T; q++) sum += As[ty][q] * Bs[q][tx];
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = sum;
}
BOTH("C wrt A, B")
__global__ void tiles(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ float As[T][T], Bs[T][T];
    multiply_tiles(C, A, B, m, n, k, As, Bs);
}
//= d_As[ty][tx] =: plain
//= read d_As[ty][tx]: plain
//= d_A[row * k + base + tx] +=: atomic
//= d_Bs[ty][tx] =: plain
//= read d_Bs[ty][tx]: plain
//= d_B[(base + ty) * n + col] +=: atomic
//= d_As[ty][tx] +=: plain
//= d_Bs[ty][tx] +=: plain
//= d_C[row * n + col] =: plain
//= read d_C[row * n + col]: plain
BOTH("C wrt A, B")
__global__ void tiles_reference(real *C, const real *A, const real *B, int m, int n, int k) {
    __shared__ real As[T][T], Bs[T][T];
    multiply_tiles(C, A, B, m, n, k, As, Bs);
}
//= d_As[ty][tx] =: plain
//= read d_As[ty][tx]: plain
//= d_A[row * k + base + tx] +=: atomic
//= d_Bs[ty][tx] =: plain
//= read d_Bs[ty][tx]: plain
//= d_B[(base + ty) * n + col] +=: atomic
//= d_As[ty][tx] +=: plain
//= d_Bs[ty][tx] +=: plain
//= d_C[row * n + col] =: plain
//= read d_C[row * n + col]: plain

#include "gather.grad.cuh"

CHECK_SHARED(any_length, 2, 8, 8 * sizeof(real), out(16), in(16), 8)
CHECK_KERNEL(first_threads, 2, 24, out(48), in(8))
CHECK_KERNEL(two_cells, 2, 8, out(16), in(32))
CHECK_KERNEL(own_range, 2, 8, out(16), in(16))
CHECK_KERNEL(shifted, 2, 8, out(16), in(16))
CHECK_KERNEL(chained, 2, 8, out(16), in(16), in(16))
CHECK_KERNEL(some_left, 2, 8, out(11), in(16), in(8), 11)
CHECK_KERNEL(own_cell, 2, 8, out(16), in(16), in(16))
CHECK_KERNEL(rectangles, dim3(3, 2), dim3(8, 4), out(7 * 19), in(7 * 21), in(21 * 19), 7, 19, 21)
CHECK_CASE(rectangles_within, rectangles, rectangles, 1e-8, 1, dim3(8, 4), out(3 * 5), in(3 * 2), in(2 * 5), 3,
           5, 2)
CHECK_KERNEL(near_pairs, 3, 8, out(21), in(21, -2, 2), 21, 1.5)
CHECK_KERNEL(weights, 2, 8, out(16), in(16), in(29), 29)
CHECK_CASE(weights_few, weights, weights, 1e-8, 2, 8, out(16), in(16), in(5), 5)
CHECK_KERNEL(changing, 2, 8, out(16), in(16), in(48), 3)
CHECK_KERNEL(boxes, 2, dim3(4, 3, 2), out(48), in(48), in(8))
CHECK_FLOAT(tiles, tiles_reference, 1e-4, dim3(2, 3), dim3(8, 8), out(19 * 11), in(19 * 13), in(13 * 11), 19,
            11, 13)
CHECK_CASE(tiles_within, tiles_reference, tiles_reference, 1e-8, 1, dim3(8, 8), out(3 * 5), in(3 * 2),
           in(2 * 5), 3, 5, 2)
CHECK_CASE(tiles_exact, tiles_reference, tiles_reference, 1e-8, dim3(2, 2), dim3(8, 8), out(256), in(256),
           in(256), 16, 16, 16)
TEST_MAIN
