// Lanes of a warp, or threads of a block, that take turns at the cells of a row of the caller's memory
// (ownership/turns.c, device/turns.c). First what must stay atomic.
#include <gradwright/gradwright.h>

#define ROW_OF_WARP                                                                                            \
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;                       \
    if (r >= n) return;                                                                                        \
    float s = 0;

// Two warps have one row.
GW_GRADIENT("y wrt x")
__global__ void rows_of_two_warps(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r / 2 * w + 4 * i + c];
    for (int i = lane; i < w; i += 32) s += x[r / 2 * w + i] * x[r / 2 * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r / 2 * w + 4 * i + c] +=: atomic
//= d_x[r / 2 * w + i] +=: atomic
//= read d_y[r]: plain

// A row's last cell is the next one's first.
GW_GRADIENT("y wrt x")
__global__ void rows_that_overlap(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i <= w; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Threads of 64 have a row: lanes of two warps meet.
GW_GRADIENT("y wrt x")
__global__ void rows_of_64_threads(float *y, const float *x, int n, int w) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 64;
    if (r >= n) return;
    float s = 0;
    for (int i = lane; i < w / 4; i += 64)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i < w; i += 64) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Blocks of 48 threads: row 1 has lanes of two blocks.
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 48")
__global__ void blocks_of_48(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Some lanes are not there.
GW_GRADIENT("y wrt x")
__global__ void under_a_branch(float *y, const float *x, const int *some, int n, int w) {
    ROW_OF_WARP
    if (some[r * 32 + lane]) {
        for (int i = lane; i < w / 4; i += 32)
            for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
        for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    }
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Some have left.
GW_GRADIENT("y wrt x")
__global__ void lanes_that_leave(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    if (lane >= w) return;
    for (int i = lane; i < w / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Lanes go around differently often.
GW_GRADIENT("y wrt x")
__global__ void rounds_of_a_lane(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int round = 0; round < lane; round++) {
        for (int i = lane; i < w / 4; i += 32)
            for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c] * round;
        for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i] * round;
    }
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// What stands between two additions of one round is not between the rounds.
GW_GRADIENT("y wrt x")
__global__ void rounds(float *y, const float *x, int n, int w, int count) {
    ROW_OF_WARP
    for (int round = 0; round < count; round++) {
        for (int i = lane; i < w / 4; i += 32)
            for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c] * round;
        for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i] * round;
    }
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Two lanes have one cell in one turn.
GW_GRADIENT("y wrt x")
__global__ void two_lanes_a_cell(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w; i += 32) s += x[r * w + i / 2];
    for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + i / 2] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// A row of a block along x is a warp's only if it has 32 threads.
GW_GRADIENT("y wrt x")
__global__ void rows_of_y(float *y, const float *x, int n, int w) {
    const int r = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x, lanes = blockDim.x;
    if (r >= n) return;
    float s = 0;
    for (int i = lane; i < w / 4; i += lanes)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i < w; i += lanes) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// Lanes of half a warp meet, so __syncwarp(0xffff) parts some of them, and is no point for all.
GW_GRADIENT("y wrt x")
__global__ void half_of_them(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    if (lane < 16) {
        for (int i = lane; i < w; i += 16) s += x[r * w + i] * x[r * w + i];
        __syncwarp(0xffff);
        for (int i = 15 - lane; i < w; i += 16) s += x[r * w + i];
    }
    atomicAdd(&y[r], s);
}
//= d_x[r * w + i] +=: atomic
//= d_x[r * w + i] +=: atomic
//= read d_y[r]: plain

// A barrier is between the two, but not between two blocks.
GW_GRADIENT("y wrt x")
__global__ void rows_of_two_blocks(float *y, const float *x, int w) {
    __shared__ float part[256];
    const int b = blockIdx.x;
    if (w < 1) return;
    float s = 0;
    for (int i = threadIdx.x; i < w; i += blockDim.x) s += x[b / 2 * w + i] * x[b / 2 * w + i];
    part[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x; k++) s += part[k];
        y[b] = s * x[b / 2 * w + (w - 1)];
    }
}
//= d_part[k] +=: plain
//= d_part[threadIdx.x] =: plain
//= d_x[b / 2 * w + (w - 1)] +=: atomic
//= d_x[b / 2 * w + i] +=: atomic
//= d_y[b] =: plain
//= read d_part[threadIdx.x]: plain
//= read d_y[b]: plain

// Now what takes turns: chunks of four, then one by one.
GW_GRADIENT("y wrt x")
__global__ void by_four_then_one(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: plain
//= d_x[r * w + i] +=: plain
//= read d_y[r]: plain
//> assumes blockDim.x % 32 == 0

// Warps of blocks of any shape, from the last row to the first; a row as long as its number says.
GW_GRADIENT("y wrt x")
__global__ void lower_triangle(float *y, const float *x, int n, int w) {
    const unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z),
                   warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32, lane = number & 31;
    const int r = (gridDim.x - blockIdx.x - 1) * warps + number / 32;
    if (r >= n * w) return;
    const int last = r % w;
    float s = 0;
    for (int i = lane; i < last / 4; i += 32)
        for (int c = 0; c < 4; c++) s += x[r * w + 4 * i + c];
    if (last / 4 * 4 + lane <= last) s += x[r * w + last / 4 * 4 + lane];
    for (int i = lane; i <= last; i += 32) s += x[r * w + i] * x[r * w + i];
    atomicAdd(&y[r], s);
}
//= d_x[r * w + 4 * i + c] +=: plain
//= d_x[r * w + i] +=: plain
//= d_x[r * w + last / 4 * 4 + lane] +=: plain
//= read d_y[r]: plain

// Three turns, the last of them under a condition that a warp has together.
GW_GRADIENT("y wrt x")
__global__ void three_turns(float *y, const float *x, int n, int w) {
    ROW_OF_WARP
    for (int i = lane; i < w; i += 32) s += x[r * w + i] * x[r * w + i];
    for (int i = lane; i < w; i += 32) s += x[r * w + (w - 1 - i)];
    if (n % 2 == r % 2)
        for (int i = (lane + 1) % 32; i < w; i += 32) s += sinf(x[r * w + i]);
    atomicAdd(&y[r], s);
}
//= d_x[r * w + (w - 1 - i)] +=: posted
//= d_x[r * w + i] +=: posted
//= d_x[r * w + i] +=: posted
//= read d_y[r]: plain

// Threads of a block, at the barrier that the primal has.
GW_GRADIENT("y wrt x")
__global__ void rows_of_blocks(float *y, const float *x, int w) {
    __shared__ float part[256];
    const int b = blockIdx.x;
    if (w < 1) return;
    float s = 0;
    for (int i = threadIdx.x; i < w; i += blockDim.x) s += x[b * w + i] * x[b * w + i];
    part[threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < blockDim.x; k++) s += part[k];
        y[b] = s * x[b * w + (w - 1)];
    }
}
//= d_part[k] +=: plain
//= d_part[threadIdx.x] =: plain
//= d_x[b * w + (w - 1)] +=: posted
//= d_x[b * w + i] +=: posted
//= d_y[b] =: plain
//= read d_part[threadIdx.x]: plain
//= read d_y[b]: plain
