// What --explain must say of kernels whose launch is stated (GW_LAUNCH), or supposed where nothing else proves
// an addition owned. Above each right one stand those in which one condition alone is missing.
#include <gradwright/gradwright.h>

#define HERE   (blockIdx.x * blockDim.x + threadIdx.x)
#define DOWN   (blockIdx.y * blockDim.y + threadIdx.y)

// ---- stated: lengths ----
GW_GRADIENT("y wrt x")
__global__ void no_fact(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x <= 129")
__global__ void one_too_long(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x >= 128")
__global__ void at_least(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x % 128 == 0")
__global__ void a_multiple(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x <= 128, blockDim.z == 1")
__global__ void of_the_grid(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x <= 128")
__global__ void at_most(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x < 129")
__global__ void below(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x > 32, blockDim.x % 64 == 0, blockDim.x < 192")
__global__ void several(float *y, const float *x) { y[HERE] = x[blockIdx.x * 128 + threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: plain

// Two ways to say one index are one where the length is known, not where it is bounded.
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x <= 128")
__global__ void two_ways_bounded(float *y, const float *x) {
    y[HERE] = x[HERE] * x[blockIdx.x * 128 + threadIdx.x];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: atomic
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
__global__ void two_ways(float *y, const float *x) {
    y[HERE] = x[HERE] * x[blockIdx.x * 128 + threadIdx.x];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: plain
//= d_x[blockIdx.x * 128 + threadIdx.x] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x <= 2")
__global__ void two_blocks(float *y, const float *x) { y[HERE] = x[threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x == 1")
__global__ void one_block(float *y, const float *x) { y[HERE] = x[threadIdx.x]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[threadIdx.x] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.y == 1, blockDim.y == 2")
__global__ void two_rows(float *y, const float *x, int n) { y[DOWN * n + HERE] = x[HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.y == 1, blockDim.y == 1")
__global__ void one_row(float *y, const float *x, int n) { y[DOWN * n + HERE] = x[HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x == 5, blockDim.x == 64")
__global__ void more_than_a_byte(float *y, const float *x) { y[HERE] = x[(unsigned char)HERE]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[(unsigned char)(blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x == 4, blockDim.x == 64")
__global__ void a_byte(float *y, const float *x) { y[HERE] = x[(unsigned char)HERE]; }
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[(unsigned char)(blockIdx.x * blockDim.x + threadIdx.x)] +=: plain

// ---- stated: multiples ----
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.y % 2 == 0, gridDim.x == 1, blockDim.x == 1")
__global__ void even_rows(float *y, const float *x) {
    y[DOWN] = x[4 * (blockIdx.y * (blockDim.y / 4) + threadIdx.y / 4) + threadIdx.y % 4];
}
//= d_y[blockIdx.y * blockDim.y + threadIdx.y] =: plain
//= read d_y[blockIdx.y * blockDim.y + threadIdx.y]: plain
//= d_x[4 * (blockIdx.y * (blockDim.y / 4) + threadIdx.y / 4) + threadIdx.y % 4] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.y % 12 == 0, gridDim.x == 1, blockDim.x == 1")
__global__ void rows_of_four(float *y, const float *x) {
    y[DOWN] = x[4 * (blockIdx.y * (blockDim.y / 4) + threadIdx.y / 4) + threadIdx.y % 4];
}
//= d_y[blockIdx.y * blockDim.y + threadIdx.y] =: plain
//= read d_y[blockIdx.y * blockDim.y + threadIdx.y]: plain
//= d_x[4 * (blockIdx.y * (blockDim.y / 4) + threadIdx.y / 4) + threadIdx.y % 4] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 8 == 0")
__global__ void a_row_not_in_steps(float *y, const float *x, int n) {
    int row = HERE;
    float sum = 0;
    for (int a = 0; a < n; a += 16)
        for (int k = 0; k < 16; k++) sum += x[row * n + a + k];
    y[row] = sum;
}
//= d_x[row * n + a + k] +=: atomic
//= d_y[row] =: plain
//= read d_y[row]: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 16 == 0")
__global__ void a_row_in_steps(float *y, const float *x, int n) {
    int row = HERE;
    float sum = 0;
    for (int a = 0; a < n; a += 16)
        for (int k = 0; k < 16; k++) sum += x[row * n + a + k];
    y[row] = sum;
}
//= d_x[row * n + a + k] +=: plain
//= d_y[row] =: plain
//= read d_y[row]: plain

// ---- stated: parameters ----
GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 99, blockDim.x == 100, gridDim.x == 1")
__global__ void a_column_short(float *y, const float *x, int n) { y[DOWN * 100 + HERE] = x[DOWN * n + HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("n <= 100, blockDim.x == 100, gridDim.x == 1")
__global__ void columns_at_most(float *y, const float *x, int n) { y[DOWN * 100 + HERE] = x[DOWN * n + HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("m == 100, blockDim.x == 100, gridDim.x == 1")
__global__ void another_parameter(float *y, const float *x, int n, int m) {
    y[DOWN * m + HERE] = x[DOWN * n + HERE];
}
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * m + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * m + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

// The fact is about what the launch gives it.
GW_GRADIENT("y wrt x") GW_LAUNCH("n == 100, blockDim.x == 100, gridDim.x == 1")
__global__ void changed_before(float *y, const float *x, int n) {
    n = n / 2;
    y[DOWN * 100 + HERE] = x[DOWN * n + HERE];
}
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 127 == 0, n > 0, blockDim.x <= 128, gridDim.x == 1")
__global__ void multiples_too_short(float *y, const float *x, int n) {
    y[DOWN * 128 + HERE] = x[DOWN * n + HERE];
}
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 128 == 0, blockDim.x <= 128, gridDim.x == 1")
__global__ void multiples_from_zero(float *y, const float *x, int n) {
    y[DOWN * 128 + HERE] = x[DOWN * n + HERE];
}
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: atomic

GW_GRADIENT("y wrt x") GW_LAUNCH("n == 100, blockDim.x == 100, gridDim.x == 1")
__global__ void columns(float *y, const float *x, int n) { y[DOWN * 100 + HERE] = x[DOWN * n + HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 100, blockDim.x <= 100, gridDim.x == 1")
__global__ void columns_at_least(float *y, const float *x, int n) { y[DOWN * 100 + HERE] = x[DOWN * n + HERE]; }
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 100 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 128 == 0, n > 0, blockDim.x <= 128, gridDim.x == 1")
__global__ void multiples(float *y, const float *x, int n) {
    y[DOWN * 128 + HERE] = x[DOWN * n + HERE];
}
//= d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[(blockIdx.y * blockDim.y + threadIdx.y) * 128 + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_x[(blockIdx.y * blockDim.y + threadIdx.y) * n + (blockIdx.x * blockDim.x + threadIdx.x)] +=: plain

// A transpose: the tile says how long blocks are, the launch how wide the matrix is.
GW_GRADIENT("y wrt x") GW_LAUNCH("w == 1024, gridDim.x <= 65")
__global__ void wider_than_its_rows(float *y, const float *x, int w, int h) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x;
    r = blockIdx.x * 16 + threadIdx.y;
    y[r * h + c] = tile[threadIdx.x][threadIdx.y];
}
//= d_tile[threadIdx.y][threadIdx.x] =: plain
//= read d_tile[threadIdx.y][threadIdx.x]: plain
//= d_x[r * w + c] +=: atomic
//= d_y[r * h + c] =: plain
//= read d_y[r * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y] +=: plain

GW_GRADIENT("y wrt x") GW_LAUNCH("w == 1024, gridDim.x <= 64")
__global__ void as_wide_as_its_rows(float *y, const float *x, int w, int h) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x;
    r = blockIdx.x * 16 + threadIdx.y;
    y[r * h + c] = tile[threadIdx.x][threadIdx.y];
}
//= d_tile[threadIdx.y][threadIdx.x] =: plain
//= read d_tile[threadIdx.y][threadIdx.x]: plain
//= d_x[r * w + c] +=: plain
//= d_y[r * h + c] =: plain
//= read d_y[r * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y] +=: plain

// ---- supposed ----
// A row of 17 cells has room for blocks that are one too long.
GW_GRADIENT("y wrt x")
__global__ void a_padded_row(float *y, const float *x) {
    __shared__ float row[17];
    row[threadIdx.x] = x[blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    y[HERE] = row[threadIdx.x] * row[threadIdx.x];
}
//= d_row[threadIdx.x] =: plain
//= read d_row[threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_row[threadIdx.x] +=: plain

// Not all threads index the array.
GW_GRADIENT("y wrt x")
__global__ void some_threads(float *y, const float *x) {
    __shared__ float row[16];
    if (threadIdx.x < 16) row[threadIdx.x] = 1;
    __syncthreads();
    y[HERE] = x[blockIdx.x * 16 + threadIdx.x] * row[3];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void fewer_in_each_round(float *y, const float *x) {
    __shared__ float row[16];
    for (int s = 8; s > 0; s /= 2) {
        if ((int)threadIdx.x < s) row[threadIdx.x] = s;
        __syncthreads();
    }
    y[HERE] = x[blockIdx.x * 16 + threadIdx.x] * row[0];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void in_turns(float *y, const float *x) {
    __shared__ float row[16];
    for (int k = threadIdx.x; k < 16; k += blockDim.x) row[k] = k;
    __syncthreads();
    y[HERE] = x[blockIdx.x * 16 + threadIdx.x] * row[3];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void one_of_two_sides(float *y, const float *x) {
    __shared__ float low[16], high[16];
    if (threadIdx.x < 16) low[threadIdx.x] = 1;
    else high[threadIdx.x - 16] = 2;
    __syncthreads();
    y[HERE] = x[blockIdx.x * 16 + threadIdx.x] * low[3] * high[3];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void a_row(float *y, const float *x, int n) {
    __shared__ float row[16];
    row[threadIdx.x] = 1;
    __syncthreads();
    if (HERE < n) y[HERE] = x[blockIdx.x * 16 + threadIdx.x] * row[3];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * 16 + threadIdx.x] +=: plain
//> assumes blockDim.x <= 16 (the kernel's shared arrays have room for that): checked at the launch

// Threads of the block that the last row of the matrix ends in index it too.
GW_GRADIENT("y wrt x")
__global__ void a_tile(float *y, const float *x, int w, int h) {
    __shared__ float tile[16][17];
    int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
    if (c < w && r < h) tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    c = blockIdx.y * 16 + threadIdx.x;
    r = blockIdx.x * 16 + threadIdx.y;
    if (c < h && r < w) y[r * h + c] = tile[threadIdx.x][threadIdx.y];
}
//= d_tile[threadIdx.y][threadIdx.x] =: plain
//= read d_tile[threadIdx.y][threadIdx.x]: plain
//= d_x[r * w + c] +=: plain
//= d_y[r * h + c] =: plain
//= read d_y[r * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y] +=: plain

// By what a loop adds, blocks are 8 long in y.
GW_GRADIENT("y wrt x")
__global__ void a_tile_in_steps(float *y, const float *x, int w, int h) {
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < w && r + j < h) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < h && r + j < w) y[(r + j) * h + c] = tile[threadIdx.x][threadIdx.y + j];
}
//= d_tile[threadIdx.y + j][threadIdx.x] =: plain
//= read d_tile[threadIdx.y + j][threadIdx.x]: plain
//= d_x[(r + j) * w + c] +=: plain
//= d_y[(r + j) * h + c] =: plain
//= read d_y[(r + j) * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y + j] +=: plain

// A loop reads what threads of a whole row have stored, or of less than that.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, atomic)
__global__ void some_of_a_row(float *y, const float *x, int n) {
    __shared__ float s[4][16];
    int r = blockIdx.y * 4 + threadIdx.y, c = HERE, d = blockIdx.x * 16 + threadIdx.x;
    s[threadIdx.y][threadIdx.x] = c < n ? x[r * n + c] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 15; k++) sum += s[threadIdx.y][k];
    if (d < n) y[r * n + d] = sum * x[r * n + d];
}
//= d_s[threadIdx.y][threadIdx.x] =: plain
//= read d_s[threadIdx.y][threadIdx.x]: plain
//= d_x[r * n + c] +=: atomic
//= d_s[threadIdx.y][k] +=: atomic
//= d_y[r * n + d] =: plain
//= read d_y[r * n + d]: plain
//= d_x[r * n + d] +=: atomic

GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, atomic)
__global__ void all_of_a_row(float *y, const float *x, int n) {
    __shared__ float s[4][16];
    int r = blockIdx.y * 4 + threadIdx.y, c = HERE, d = blockIdx.x * 16 + threadIdx.x;
    s[threadIdx.y][threadIdx.x] = c < n ? x[r * n + c] : 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += s[threadIdx.y][k];
    if (d < n) y[r * n + d] = sum * x[r * n + d];
}
//= d_s[threadIdx.y][threadIdx.x] =: plain
//= read d_s[threadIdx.y][threadIdx.x]: plain
//= d_x[r * n + c] +=: plain
//= d_s[threadIdx.y][k] +=: atomic
//= d_y[r * n + d] =: plain
//= read d_y[r * n + d]: plain
//= d_x[r * n + d] +=: plain

// Blocks of several rows are what these two are made for: a kernel that looks at y, and one that numbers all.
GW_GRADIENT("y wrt x")
__global__ void looks_at_y(float *y, const float *x) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    y[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = rank < 32 ? x[HERE] : 0;
}
//= d_y[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =: plain
//= read d_y[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void by_number(float *y, const float *x, int n) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    y[(blockIdx.x * 1024) + rank] = x[blockIdx.x * blockDim.x + rank];
}
//= d_y[blockIdx.x * 1024 + rank] =: plain
//= read d_y[blockIdx.x * 1024 + rank]: plain
//= d_x[blockIdx.x * blockDim.x + rank] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void one_dimensional(float *y, const float *x) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    if (rank == 0) y[blockIdx.x] = s[0] + s[1];
}
//= d_s[threadIdx.x] =: plain
//= read d_s[threadIdx.x]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: plain
//= d_y[blockIdx.x] =: plain
//= read d_y[blockIdx.x]: plain
//= d_s[0] +=: plain
//= d_s[1] +=: plain

GW_GRADIENT("y wrt x")
__global__ void less_than_a_row(float *y, const float *x, int n, int g) {
    int i = HERE, j = DOWN;
    if (i < n) y[j * n + i] = x[j * (n - g) + i];
}
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain
//= d_x[j * (n - g) + i] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void a_row_and_more(float *y, const float *x, int n, int g) {
    int i = HERE, j = DOWN;
    if (i < n) y[j * n + i] = x[j * (n + g) + i];
}
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain
//= d_x[j * (n + g) + i] +=: plain

// Never what contradicts what is stated.
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.y == 2")
__global__ void not_one_dimensional(float *y, const float *x) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __shared__ float s[1024];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    if (rank == 0) y[blockIdx.x] = s[0] + s[1];
}
//= d_s[threadIdx.x] =: plain
//= read d_s[threadIdx.x]: plain
//= d_x[blockIdx.x * blockDim.x + threadIdx.x] +=: atomic
//= d_y[blockIdx.x] =: plain
//= read d_y[blockIdx.x]: plain
//= d_s[0] +=: plain
//= d_s[1] +=: plain

GW_GRADIENT("y wrt z")
__global__ void whole_warps(float *y, const float *z, int w, int h) {
    int row = HERE / 32, lane = threadIdx.x % 32;
    if (blockIdx.y == 0 && threadIdx.y == 0) y[w * h + HERE] = z[row * 32 + lane];
}
//= d_y[w * h + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[w * h + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_z[row * 32 + lane] +=: plain

// Nor what was supposed before: there are no blocks of whole warps in rows of 24.
GW_GRADIENT("y wrt x, z")
__global__ void one_of_both(float *y, const float *x, const float *z, int w, int h) {
    __shared__ float tile[8][24];
    int c = blockIdx.x * 24 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (c < w && r < h) tile[threadIdx.y][threadIdx.x] = x[r * w + c];
    __syncthreads();
    if (c < w && r < h) y[r * w + c] = tile[threadIdx.y][threadIdx.x];
    int row = HERE / 32, lane = threadIdx.x % 32;
    if (blockIdx.y == 0 && threadIdx.y == 0) y[w * h + HERE] = z[row * 32 + lane];
}
//= d_tile[threadIdx.y][threadIdx.x] =: plain
//= read d_tile[threadIdx.y][threadIdx.x]: plain
//= d_x[r * w + c] +=: plain
//= d_y[r * w + c] =: plain
//= read d_y[r * w + c]: plain
//= d_tile[threadIdx.y][threadIdx.x] +=: plain
//= d_y[w * h + (blockIdx.x * blockDim.x + threadIdx.x)] =: plain
//= read d_y[w * h + (blockIdx.x * blockDim.x + threadIdx.x)]: plain
//= d_z[row * 32 + lane] +=: atomic

//> assumes blockDim.x <= 128 (GW_LAUNCH): checked at the launch
//> assumes n % 16 == 0 (GW_LAUNCH): checked at the launch
//> assumes blockDim.y <= 8 (the kernel's shared arrays have room for that): checked at the launch
//> assumes blockDim.y == 1 (the kernel asks for it only to number the threads of a block)
//> assumes blockDim.x == 16 (the kernel reads what so many threads store to its shared arrays): checked
//> assumes g >= 0 (a size of the kernel): checked at the launch
