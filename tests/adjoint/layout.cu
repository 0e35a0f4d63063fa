// The layout says which thread of a block runs as which: warps over tiles of 8 x 4 threads where a warp passes
// over what none of its lanes adds to, and nothing depends on which threads are in a warp together. Blocks of
// all shapes, also such as cannot be cut into tiles. Below a kernel stands what is in its text, and what is not
// (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define COLUMN (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ROW (int)(blockIdx.y * blockDim.y + threadIdx.y)
#define FIRST first[(blockIdx.y * gridDim.x + blockIdx.x) % 4]

// Each of a few discs is seen by the pixels around its centre.
BOTH("y wrt at, shade")
__global__ void discs(real *y, const real *at, const real *shade, const int *first, int count, int width) {
    int i = COLUMN, j = ROW;
    real sum = 0;
    for (int n = 0; n < count; n++) {
        int k = (FIRST + n) % count;
        real dx = at[2 * k] * 20 - i, dy = at[2 * k + 1] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += shade[k] * pow(1 - far / 9, 6);
    }
    y[j * width + i] = sum;
}
//= gw_tiled_thread()

// Flat blocks that count their rows themselves.
__device__ real seen(const real *at, const real *shade, int from, int count, int i, int j) {
    real sum = 0;
    for (int n = from; n < from + count; n++) {
        real dx = at[2 * (n % count)] * 20 - i, dy = at[2 * (n % count) + 1] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += shade[n % count] * pow(1 - far / 9, 6);
    }
    return sum;
}

BOTH("y wrt at, shade")
__global__ void flat_discs(real *y, const real *at, const real *shade, const int *first, int count) {
    const int t = threadIdx.x;
    y[blockIdx.x * blockDim.x + t] = seen(at, shade, FIRST, count, t % 16, (int)blockIdx.x * 4 + t / 16);
}
//= gw_tiled_thread(16u)

BOTH("y wrt at, shade")
__global__ void flat_discs_by_bits(real *y, const real *at, const real *shade, const int *first, int count) {
    const int t = threadIdx.x;
    const int i = threadIdx.x & 15u, j = blockIdx.x * 4 + (threadIdx.x >> 4);
    y[blockIdx.x * blockDim.x + t] = seen(at, shade, FIRST, count, i, j);
}
//= gw_tiled_thread(16u)

BOTH("y wrt at, shade")
__global__ void flat_rows_differ(real *y, const real *at, const real *shade, const int *first, int count) {
    const int t = threadIdx.x;
    y[blockIdx.x * blockDim.x + t] = seen(at, shade, FIRST, count, t % 16, (int)blockIdx.x * 4 + t / 8);
}
//! gw_tiled_thread

BOTH("y wrt at, shade")
__global__ void flat_row_alone(real *y, const real *at, const real *shade, const int *first, int count) {
    const int t = threadIdx.x;
    y[blockIdx.x * blockDim.x + t] = seen(at, shade, FIRST, count, t, (int)blockIdx.x * 4);
}
//! gw_tiled_thread

// The same, staged: threads of other rows and columns stage it.
BOTH("y wrt at, shade")
__global__ void staged_discs(real *y, const real *at, const real *shade, const int *first, int count,
                             int width) {
    __shared__ real s_at[64], s_shade[32];
    int i = COLUMN, j = ROW, t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int k = t; k < count; k += threads) {
        s_at[2 * k] = at[2 * k];
        s_at[2 * k + 1] = at[2 * k + 1];
        s_shade[k] = shade[k];
    }
    __syncthreads();
    real sum = 0;
    for (int n = 0; n < count; n++) {
        int k = (FIRST + n) % count;
        real dx = s_at[2 * k] * 20 - i, dy = s_at[2 * k + 1] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += s_shade[k] * pow(1 - far / 9, 6);
    }
    y[j * width + i] = sum;
}

// What all lanes read at one number is in one array of records; what each reads for itself is not.
BOTH("y wrt at, shade")
__global__ void recorded_discs(real *y, const real *at, const real *shade, const int *first, int count,
                               int width) {
    __shared__ real s_x[16], s_y[16], s_shade[16], s_own[128];
    __shared__ int s_number[16];
    int i = COLUMN, j = ROW, t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    s_own[t] = i;
    for (int k = t; k < count; k += threads) {
        s_x[k] = at[2 * k];
        s_y[k] = at[2 * k + 1];
        s_number[k] = (FIRST + k) % count;
        s_shade[k] = 0.25 * k;
    }
    __syncthreads();
    real sum = 0;
    for (int n = 0; n < count; n++) {
        real dx = s_x[n] * 20 - s_own[t], dy = s_y[n] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += (shade[s_number[n]] + s_shade[n]) * pow(1 - far / 9, 6);
    }
    y[j * width + i] = sum;
}
//= } staged[16];
//= staged[n].s_x
//= s_own[t]

// The source's own exchange between lanes depends on who they are.
BOTH("y wrt at, shade")
__global__ void of_neighbour(real *y, const real *at, const real *shade, const int *first, int count,
                             int width) {
    int i = COLUMN, j = ROW;
    real sum = 0;
    for (int n = 0; n < count; n++) {
        int k = (FIRST + n) % count;
        real dx = at[2 * k] * 20 - i, dy = at[2 * k + 1] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += shade[k] * pow(1 - far / 9, 6);
    }
    y[j * width + i] = sum + 0.5 * __shfl_xor_sync(0xffffffffu, sum, 1);
}
//! gw_tiled_thread

// Rows are in no plane.
BOTH("y wrt at, shade")
__global__ void marks(real *y, const real *at, const real *shade, const int *first, int count) {
    int i = COLUMN;
    real sum = 0;
    for (int n = 0; n < count; n++) {
        int k = (FIRST + n) % count;
        real dx = at[2 * k] * 20 - i;
        if (dx * dx < 9) sum += shade[k] * pow(1 - dx * dx / 9, 6);
    }
    y[i] = sum;
}
//! gw_tiled_thread

// A coarsened thread's instances are in tiles one below the other, where the block's rows can be cut so.
JOINED_COARSE("y wrt at, shade", 2)
__global__ void by_two(real *y, const real *at, const real *shade, const int *first, int count, int width) {
    y[ROW * width + COLUMN] = seen(at, shade, FIRST, count, COLUMN, ROW);
}
//= gw_tiled_thread()
//= gw_tile_rows<whole_tiles>()

JOINED_COARSE("y wrt at, shade", 4)
__global__ void by_four(real *y, const real *at, const real *shade, const int *first, int count, int width) {
    y[ROW * width + COLUMN] = seen(at, shade, FIRST, count, COLUMN, ROW);
}
//= gw_tiled_thread()
//= gw_tile_rows<whole_tiles>()

// A record of each thread: the joined form reads what the same thread wrote, whichever it runs as; so do
// halves, which are laid out alike.
BOTH("y wrt at, shade")
__global__ void growing(real *y, const real *at, const real *shade, const int *first, int count, int width) {
    int i = COLUMN, j = ROW;
    real sum = 0.5;
    for (int n = 0; n < count; n++) {
        int k = (FIRST + n) % count;
        real dx = at[2 * k] * 20 - i, dy = at[2 * k + 1] * 12 - j, far = dx * dx + dy * dy;
        if (far < 9) sum += sin(sum) * shade[k] * pow(1 - far / 9, 6);
    }
    y[j * width + i] = sum;
}

#include "layout.grad.cuh"

CHECK_KERNEL(discs, dim3(2, 2), dim3(16, 8), out(32 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
CHECK_CASE(discs_8_by_4, discs, discs, 1e-8, dim3(3, 4), dim3(8, 4), out(24 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 24)
CHECK_CASE(discs_24_by_4, discs, discs, 1e-8, dim3(1, 4), dim3(24, 4), out(24 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 24)
CHECK_CASE(discs_8_by_16, discs, discs, 1e-8, dim3(3, 1), dim3(8, 16), out(24 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 24)
CHECK_CASE(discs_12_by_4, discs, discs, 1e-8, dim3(2, 4), dim3(12, 4), out(24 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 24)
CHECK_CASE(discs_16_by_3, discs, discs, 1e-8, dim3(2, 5), dim3(16, 3), out(32 * 15), in(24), in(12),
           list({0, 3, 1, 5}), 12, 32)
CHECK_CASE(discs_32_by_8, discs, discs, 1e-8, dim3(1, 2), dim3(32, 8), out(32 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 32)
CHECK_KERNEL(flat_discs, 3, 64, out(192), in(24), in(12), list({0, 3, 1, 5}), 12)
CHECK_CASE(flat_discs_of_48, flat_discs, flat_discs, 1e-8, 3, 48, out(144), in(24), in(12),
           list({0, 3, 1, 5}), 12)
CHECK_KERNEL(flat_discs_by_bits, 3, 64, out(192), in(24), in(12), list({0, 3, 1, 5}), 12)
CHECK_KERNEL(flat_rows_differ, 3, 64, out(192), in(24), in(12), list({0, 3, 1, 5}), 12)
CHECK_KERNEL(flat_row_alone, 3, 64, out(192), in(24), in(12), list({0, 3, 1, 5}), 12)
CHECK_KERNEL(staged_discs, dim3(2, 2), dim3(16, 8), out(32 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
CHECK_CASE(staged_discs_12_by_4, staged_discs, staged_discs, 1e-8, dim3(2, 4), dim3(12, 4), out(24 * 16),
           in(24), in(12), list({0, 3, 1, 5}), 12, 24)
CHECK_KERNEL(recorded_discs, dim3(2, 2), dim3(16, 8), out(32 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
CHECK_KERNEL(by_two, dim3(2, 1), dim3(16, 8), out(32 * 8), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
CHECK_CASE(by_two_12_by_8, by_two, by_two, 1e-8, dim3(1, 2), dim3(12, 8), out(12 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 12)
CHECK_CASE(by_two_16_by_6, by_two, by_two, 1e-8, dim3(1, 2), dim3(16, 6), out(16 * 12), in(24), in(12),
           list({0, 3, 1, 5}), 12, 16)
CHECK_CASE(by_two_32_by_2, by_two, by_two, 1e-8, dim3(1, 3), dim3(32, 2), out(32 * 6), in(24), in(12),
           list({0, 3, 1, 5}), 12, 32)
CHECK_KERNEL(by_four, dim3(1, 1), dim3(16, 16), out(16 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 16)
CHECK_CASE(by_four_4_by_16, by_four, by_four, 1e-8, dim3(3, 1), dim3(4, 16), out(12 * 16), in(24), in(12),
           list({0, 3, 1, 5}), 12, 12)
CHECK_CASE(by_four_8_by_12, by_four, by_four, 1e-8, dim3(2, 1), dim3(8, 12), out(16 * 12), in(24), in(12),
           list({0, 3, 1, 5}), 12, 16)
CHECK_KERNEL(of_neighbour, dim3(2, 2), dim3(16, 8), out(32 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
CHECK_KERNEL(marks, 2, 32, out(64), in(24), in(12), list({0, 3, 1, 5}), 12)
CHECK_KERNEL(growing, dim3(2, 2), dim3(16, 8), out(32 * 16), in(24), in(12), list({0, 3, 1, 5}), 12, 32)
TEST_MAIN
