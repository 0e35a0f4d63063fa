// A kernel for each line of docs/internals/ownership.md's table "What each source decides": "//| ROW: ITEM" as the page has it, above the kernel;
// "//! ROW: ITEM: REASON" for what is not owned. Checked by sources_page.py.
#include <gradwright/gradwright.h>

#define GLOBAL_INDEX blockIdx.x *blockDim.x + threadIdx.x

//| normal forms: `x[i]`
GW_GRADIENT("y wrt x")
__global__ void own(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    if (i < n) y[i] = x[i] * x[i];
}

//| normal forms: `x[n - 1 - i]`
GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    if (i < n) y[i] = x[n - 1 - i] * x[n - 1 - i];
}

//| normal forms: `x[row * n + column]`
GW_GRADIENT("y wrt x")
__global__ void matrix(float *y, const float *x, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = GLOBAL_INDEX;
    if (row < n && column < n) y[row * n + column] = x[row * n + column] * x[row * n + column];
}

//| normal forms: `x[i]` in a grid-stride loop
GW_GRADIENT("y wrt x")
__global__ void grid_stride(float *y, const float *x, int n) {
    for (int i = GLOBAL_INDEX; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[i];
}

//| normal forms: `x[blockIdx.x * width + k]` in a block-stride loop
GW_GRADIENT("y wrt x")
__global__ void block_stride(float *y, const float *x, int width) {
    float sum = 0;
    for (int k = threadIdx.x; k < width; k += blockDim.x) sum += x[blockIdx.x * width + k] * x[blockIdx.x * width + k];
    y[GLOBAL_INDEX] = sum;
}

//| normal forms: `x[((b * H + h) * W + w) * C + c]` of the digits of one number
GW_GRADIENT("y wrt x")
__global__ void digits(float *y, const float *x, int B, int H, int W, int C) {
    int i = GLOBAL_INDEX;
    if (i >= B * H * W * C) return;
    int c = i % C, w = i / C % W, h = i / C / W % H, b = i / C / W / H;
    float v = x[((b * H + h) * W + w) * C + c];
    y[i] = v * v;
}

//| normal forms: `x[((b * C + c) * H + h) * W + w]` of the same digits
GW_GRADIENT("y wrt x")
__global__ void digits_turned(float *y, const float *x, int B, int H, int W, int C) {
    int i = GLOBAL_INDEX;
    if (i >= B * H * W * C) return;
    int c = i % C, w = i / C % W, h = i / C / W % H, b = i / C / W / H;
    float v = x[((b * C + c) * H + h) * W + w];
    y[i] = v * v;
}

//| normal forms: `x[3 * i + c]`
GW_GRADIENT("y wrt x")
__global__ void triples(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    if (i >= n) return;
    float sum = 0;
    for (int c = 0; c < 3; c++) sum += x[3 * i + c] * x[3 * i + c];
    y[i] = sum;
}

//| normal forms: `x[k * i + j]` for `0 <= j < k`
GW_GRADIENT("y wrt x")
__global__ void rows(float *y, const float *x, int n, int k) {
    int i = GLOBAL_INDEX;
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < k; j++) sum += x[k * i + j] * x[k * i + j];
    y[i] = sum;
}

//! normal forms: `x[i + 1]` beside `x[i]`: neighbouring threads meet here
GW_GRADIENT("y wrt x")
__global__ void neighbours(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    y[i] = x[i] * x[i + 1];
}

//! normal forms: `x[threadIdx.x]`: threads that differ only in blockIdx.x
GW_GRADIENT("y wrt x")
__global__ void of_thread(float *y, const float *x) { y[GLOBAL_INDEX] = x[threadIdx.x] * x[threadIdx.x]; }

//| types: `x[n - 1 - i]` in unsigned, also without a guard
GW_GRADIENT("y wrt x")
__global__ void unsigned_reversed(float *y, const float *x, unsigned n) {
    unsigned i = GLOBAL_INDEX;
    y[i] = x[n - 1 - i] * x[n - 1 - i];
}

//! types: `x[(unsigned char)i]`: may wrap around
GW_GRADIENT("y wrt x")
__global__ void narrow(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    y[i] = x[(unsigned char)i] * x[(unsigned char)i];
}

//! types: `x[i * i]` in unsigned: may wrap around
GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) {
    unsigned i = GLOBAL_INDEX;
    y[i] = x[i * i] * x[i * i];
}

//| conditions: `x[i]` beside `x[i + n / 2]` for `i < n / 2`
GW_GRADIENT("y wrt x")
__global__ void halves(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    if (i < n / 2) y[i] = x[i] * x[i + n / 2];
}

//! conditions: `x[i]` beside `x[i + n / 2]` for `i < n`: two threads can meet here
GW_GRADIENT("y wrt x")
__global__ void overlapping(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    if (i < n) y[i] = x[i] * x[i + n / 2];
}

//| cases: `x[flag[i] ? 2 * i : 2 * i + 1]`
GW_GRADIENT("y wrt x")
__global__ void one_of_two(float *y, const float *x, const int *flag) {
    int i = GLOBAL_INDEX;
    float v = x[flag[i] ? 2 * i : 2 * i + 1];
    y[i] = v * v;
}

//| cases: `x[i + s < n ? i + s : i + s - n]`
GW_GRADIENT("y wrt x")
__global__ void rotated(float *y, const float *x, int s, int n) {
    int i = GLOBAL_INDEX;
    if (i >= n) return;
    float v = x[i + s < n ? i + s : i + s - n];
    y[i] = v * v;
}

//| cases: `x[transposed ? c * h + r : r * w + c]` by a parameter
GW_GRADIENT("y wrt x")
__global__ void layouts(float *y, const float *x, int h, int w, int transposed) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = GLOBAL_INDEX;
    if (r >= h || c >= w) return;
    float v = x[transposed ? c * h + r : r * w + c];
    y[r * w + c] = v * v;
}

//! cases: `x[i < n ? i : n - 1]`: not proved
GW_GRADIENT("y wrt x")
__global__ void clamped(float *y, const float *x, int n) {
    int i = GLOBAL_INDEX;
    float v = x[i < n ? i : n - 1];
    y[i] = v * v;
}

//! cases: `x[transposed[i] ? c * h + r : r * w + c]` by thread: not proved
GW_GRADIENT("y wrt x")
__global__ void layouts_of_threads(float *y, const float *x, int h, int w, const int *transposed) {
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = GLOBAL_INDEX;
    if (r >= h || c >= w) return;
    float v = x[transposed[r * w + c] ? c * h + r : r * w + c];
    y[r * w + c] = v * v;
}

//| agree: `x[i ^ 5]`
GW_GRADIENT("y wrt x")
__global__ void flipped(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    y[i] = x[i ^ 5] * x[i ^ 5];
}

//! agree: `x[i & ~1]`: not proved
GW_GRADIENT("y wrt x")
__global__ void masked(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    y[i] = x[i & ~1] * x[i & ~1];
}

//| race-freedom: `e[list[i]]`, if the primal stores to it
GW_GRADIENT("e wrt x, e")
__global__ void stored(float *e, const float *x, const int *list) {
    int i = GLOBAL_INDEX;
    e[list[i]] = e[list[i]] * x[i];
}

//! race-freedom: `e[list[i]]`, if it only loads it: read from memory and may repeat
GW_GRADIENT("y wrt e")
__global__ void loaded(float *y, const float *e, const int *list) {
    int i = GLOBAL_INDEX;
    y[i] = e[list[i]] * e[list[i]];
}

//| lists and promises: `x[list[i]]` beside a store to `e[list[i]]`
GW_GRADIENT("e wrt x")
__global__ void beside_store(float *e, const float *x, const int *list) {
    int i = GLOBAL_INDEX;
    e[list[i]] = x[list[i]] * x[list[i]];
}

//| lists and promises: `x[list[i]]` under `GW_INJECTIVE(list)`
GW_GRADIENT("y wrt x") GW_INJECTIVE(list)
__global__ void injective(float *y, const float *x, const int *list) {
    int i = GLOBAL_INDEX;
    y[i] = x[list[i]] * x[list[i]];
}

//| lists and promises: `x[j]` of rows under `GW_SORTED(row)`
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void sorted(float *y, const float *x, const int *row) {
    int i = GLOBAL_INDEX;
    float sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += x[j] * x[j];
    y[i] = sum;
}

//! lists and promises: `x[list[i]]` beside an `atomicAdd` to `e[list[i]]`: read from memory and may repeat
GW_GRADIENT("e wrt x")
__global__ void beside_atomic(float *e, const float *x, const int *list) {
    int i = GLOBAL_INDEX;
    atomicAdd(&e[list[i]], x[list[i]] * x[list[i]]);
}

//! lists and promises: `x[list[i / 2]]` under `GW_INJECTIVE(list)`: not proved
GW_GRADIENT("y wrt x") GW_INJECTIVE(list)
__global__ void injective_of_halves(float *y, const float *x, const int *list) {
    int i = GLOBAL_INDEX;
    y[i] = x[list[i / 2]] * x[list[i / 2]];
}

//! lists and promises: `x[j]` in unsigned steps under `GW_DISJOINT_RANGES(range)`: may wrap around
GW_GRADIENT("y wrt x") GW_DISJOINT_RANGES(range)
__global__ void unsigned_steps(float *y, const float *x, const int2 *range) {
    float sum = 0;
    for (int j = range[blockIdx.x].x + threadIdx.x; j < range[blockIdx.x].y; j += blockDim.x) sum += x[j] * x[j];
    y[GLOBAL_INDEX] = sum;
}

//| solver: `x[i]` beside `x[i + 1]` of even threads
GW_GRADIENT("y wrt x")
__global__ void even(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    if (i % 2 == 0) y[i] = x[i] * x[i + 1];
}

//! solver: `x[i / 2]`, with a witness: for example
GW_GRADIENT("y wrt x")
__global__ void pairs(float *y, const float *x) {
    int i = GLOBAL_INDEX;
    y[i] = x[i / 2] * x[i / 2];
}

//| widths: `x[row * n + k]` of a warp a row, where the launch is asked for `blockDim.x % 32 == 0` since nothing else proves it
GW_GRADIENT("y wrt x")
__global__ void warp_a_row(float *y, const float *x, int rows, int n) {
    int row = GLOBAL_INDEX / 32;
    if (row >= rows) return;
    for (int k = threadIdx.x % 32; k < n; k += 32) y[row * n + k] = x[row * n + k] * x[row * n + k];
}

//! widths: `x[row * n + lane]` of two warps a row: not proved
GW_GRADIENT("y wrt x")
__global__ void two_warps_a_row(float *y, const float *x, int rows, int n) {
    int row = GLOBAL_INDEX / 64, lane = threadIdx.x % 32;
    if (row < rows && lane < n) y[GLOBAL_INDEX] = x[row * n + lane] * x[row * n + lane];
}

//! levels: `x[blockIdx.x]`: no other block comes there
GW_GRADIENT("y wrt x")
__global__ void of_block(float *y, const float *x) { y[GLOBAL_INDEX] = x[blockIdx.x] * x[blockIdx.x]; }

//! levels: `x[blockIdx.x * 32 + t / 32]`: no other warp comes there
GW_GRADIENT("y wrt x")
__global__ void of_warp(float *y, const float *x) {
    int t = threadIdx.x;
    y[GLOBAL_INDEX] = x[blockIdx.x * 32 + t / 32] * x[blockIdx.x * 32 + t / 32];
}

//! levels: `x[blockIdx.x / 2]`, of which neither is so: threads that differ only in threadIdx.x
GW_GRADIENT("y wrt x")
__global__ void of_two_blocks(float *y, const float *x) { y[GLOBAL_INDEX] = x[blockIdx.x / 2] * x[blockIdx.x / 2]; }
