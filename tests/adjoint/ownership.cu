// Kernels on which other tools update an adjoint cell from two threads without an atomic, or lose a
// derivative. Most must keep the atomic; the checked form sees two threads in one cell.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x")
__global__ void three_neighbours(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i + 1] + x[i + 2] * x[i + 2];
}

// The index ignores blockIdx.x, the output's does not.
BOTH("y wrt x")
__global__ void wrong_axis(real *y, const real *x) {
    int from = threadIdx.x + blockIdx.y * blockDim.x;
    int to = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    y[to] = x[from] * x[from] * (1 + blockIdx.x);
}

BOTH("y wrt x")
__global__ void all_z(real *y, const real *x, int n) {
    int from = threadIdx.z + blockIdx.z * blockDim.z;
    int i = HERE;
    if (i < n) y[i] = x[from] * x[from] * (i + 1);
}

BOTH("y wrt x")
__global__ void times_zero(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i * 0] * x[i * 0] + i;
}

BOTH("y wrt x")
__global__ void narrow_index(real *y, const real *x, int n) {
    int i = HERE;
    unsigned char c = (unsigned char)i;
    if (i < n) y[i] = x[c] * x[c];
}

BOTH("y wrt x")
__global__ void even_and_next(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[2 * i] * x[2 * i] + x[1 + i] * x[1 + i];
}

BOTH("y wrt x")
__global__ void even_and_odd(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[2 * i] * x[2 * i + 1];
}

BOTH("y wrt x")
__global__ void pairs_overlap(real *y, const real *x, int n) {
    int i = HERE;
    if (i + 1 < n) y[i] = x[i] * x[i + 1];
}

BOTH("y wrt x")
__global__ void squared_cell(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}

BOTH("y wrt x")
__global__ void row_major(real *y, const real *x, int w, int h) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < w && r < h) y[r * w + c] = x[r * w + c] * x[r * w + c];
}

// The row-major index without the bound on the column: rows overlap.
BOTH("y wrt x")
__global__ void row_major_unbounded(real *y, const real *x, int w, int all) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    int to = (r * gridDim.x * blockDim.x) + c;
    if (r * w + c < all) y[to] = x[r * w + c] * x[r * w + c] * (c + 1);
}

BOTH("y wrt x")
__global__ void strided_rows(real *y, const real *x, int n, int k) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < k; j++) sum += x[i * k + j] * x[i * k + j];
    y[i] = sum;
}

// One column more than the row has: neighbouring threads share a cell.
BOTH("y wrt x")
__global__ void overlapping_rows(real *y, const real *x, int n, int k) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j <= k; j++) sum += x[i * k + j] * x[i * k + j];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void grid_stride_shared(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[i] + x[i / 2];
}

// A stride of half the grid: two threads run over one cell.
BOTH("y wrt x")
__global__ void half_stride(real *y, const real *x, int n) {
    real sum = 0;
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x / 2) sum += x[i] * x[i];
    y[HERE] = sum;
}

// The primal writes through a list: that it does not race makes the list injective.
BOTH("e wrt x, e")
__global__ void through_a_list(real *e, const real *x, const int *list, int n) {
    int i = HERE;
    if (i < n) e[list[i]] = e[list[i]] * x[list[i]] + x[i];
}

BOTH("y wrt x")
__global__ void block_index_only(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[blockIdx.x] * x[blockIdx.x] * (threadIdx.x + 1);
}

BOTH("y wrt x")
__global__ void reversed_cells(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[n - 1 - i] * x[n - 1 - i];
}

BOTH("y wrt x")
__global__ void folded(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i % 4] * x[i % 4] + x[i / 4];
}

BOTH("y wrt x")
__global__ void mirrored(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[n - 1 - i];
}

BOTH("y wrt x")
__global__ void one_thread(real *y, const real *x, int n) {
    if (HERE != 0) return;
    real sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    y[0] = sum;
}

// The output's adjoint is read by another thread than the one that writes the cell next to it.
BOTH("y wrt x")
__global__ void shifted_output(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i + 1] = x[i] * x[i];
}

// ---- rows behind a stride: pixels of three numbers. Launches in which rows overlap, or lie one upon another,
// or upside down, are right, too. ----
struct layout {
    int first, stride[2];
};

BOTH("y wrt x")
__global__ void pixels_of_rows(real *y, const real *x, int first, int stride, int w, int h) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    const real *p = x + first + j * stride + 3 * i;
    y[j * w + i] = p[0] * p[1] + p[1] * p[2];
}

BOTH("y wrt x")
__global__ void pixels_of_a_view(real *y, const real *x, layout of, int w, int h) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    const real *p = x + of.first + j * of.stride[0] + of.stride[1] * i;
    real sum = p[2];
    if (i % 2) sum *= p[0];
    y[j * w + i] = sum * p[1];
}

BOTH("y wrt x")
__global__ void unsigned_pixels(real *y, const real *x, unsigned stride, unsigned w, unsigned h) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= w || j >= h) return;
    unsigned at = j * stride + 3 * i;
    y[j * w + i] = x[at] * x[at + 1] + x[at + 2] * x[at + 2];
}

// A thread a row, from whose last pixel the next one takes two numbers.
BOTH("y wrt x")
__global__ void pixels_and_two_more(real *y, const real *x, int stride, int w, int h) {
    int j = HERE;
    if (j >= h) return;
    real sum = 0;
    for (int i = 0; i < w; i++)
        sum += x[j * stride + 3 * i] * x[j * stride + 3 * i + 4];
    y[j] = sum;
}

#include "ownership.grad.cuh"

#define PIXELS(name, cells, ...)                                                                              \
    CHECK_CASE(name, pixels_of_rows, pixels_of_rows, 1e-8, dim3(2, 2), dim3(4, 2), out(20), in(cells),        \
               __VA_ARGS__, 5, 4)
PIXELS(pixels_in_rows, 60, 0, 15)
PIXELS(pixels_far, 80, 0, 20)
PIXELS(pixels_one_less, 60, 0, 14)
PIXELS(pixels_one_row, 15, 0, 0)
PIXELS(pixels_upside_down, 60, 45, -15)
PIXELS(pixels_overlap, 60, 0, 3)
#define LAYOUT(...) (layout{__VA_ARGS__})
CHECK_KERNEL(pixels_of_a_view, dim3(2, 2), dim3(4, 2), out(20), in(60), LAYOUT(0, {15, 3}), 5, 4)
CHECK_CASE(view_by_columns, pixels_of_a_view, pixels_of_a_view, 1e-8, dim3(2, 2), dim3(4, 2), out(20), in(60),
           LAYOUT(0, {3, 12}), 5, 4)
CHECK_CASE(view_overlaps, pixels_of_a_view, pixels_of_a_view, 1e-8, dim3(2, 2), dim3(4, 2), out(20), in(60),
           LAYOUT(1, {5, 2}), 5, 4)
CHECK_CASE(view_upside_down, pixels_of_a_view, pixels_of_a_view, 1e-8, dim3(2, 2), dim3(4, 2), out(20), in(60),
           LAYOUT(57, {-15, -3}), 5, 4)
#define UNSIGNED(name, cells, stride)                                                                         \
    CHECK_CASE(name, unsigned_pixels, unsigned_pixels, 1e-8, dim3(2, 2), dim3(4, 2), out(20), in(cells),      \
               stride, 5u, 4u)
UNSIGNED(unsigned_in_rows, 60, 15u)
UNSIGNED(unsigned_overlap, 60, 2u)
UNSIGNED(unsigned_one_row, 15, 0u)
CHECK_KERNEL(pixels_and_two_more, 1, 8, out(4), in(68), 17, 5, 4)
CHECK_CASE(two_more_overlap, pixels_and_two_more, pixels_and_two_more, 1e-8, 1, 8, out(4), in(62), 15, 5, 4)

CHECK_KERNEL(three_neighbours, 2, 16, out(20), in(22), 20)
CHECK_KERNEL(wrong_axis, dim3(2, 3), 4, out(24), in(12))
CHECK_KERNEL(all_z, 2, 16, out(20), in(2), 20)
CHECK_KERNEL(times_zero, 2, 16, out(20), in(2), 20)
CHECK_KERNEL(narrow_index, 9, 32, out(270), in(256), 270)
CHECK_KERNEL(even_and_next, 2, 16, out(20), in(40), 20)
CHECK_KERNEL(even_and_odd, 2, 16, out(20), in(40), 20)
CHECK_KERNEL(pairs_overlap, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(squared_cell, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(row_major, dim3(2, 2), dim3(4, 3), out(35), in(35), 7, 5)
CHECK_KERNEL(row_major_unbounded, dim3(2, 2), dim3(4, 3), out(48), in(35), 5, 35)
CHECK_KERNEL(strided_rows, 1, 16, out(10), in(40), 10, 4)
CHECK_KERNEL(overlapping_rows, 1, 16, out(10), in(41), 10, 4)
CHECK_KERNEL(grid_stride_shared, 2, 8, out(50), in(50), 50)
CHECK_KERNEL(half_stride, 2, 8, out(16), in(40), 40)
CHECK_KERNEL(through_a_list, 1, 16, inout(10), in(10), list({3, 1, 4, 0, 5, 9, 2, 6, 8, 7}), 10)
CHECK_KERNEL(block_index_only, 3, 8, out(24), in(3), 24)
CHECK_KERNEL(reversed_cells, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(folded, 2, 16, out(20), in(6), 20)
CHECK_KERNEL(mirrored, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(one_thread, 2, 16, out(3), in(20), 20)
CHECK_KERNEL(shifted_output, 2, 16, out(21), in(20), 20)
TEST_MAIN
