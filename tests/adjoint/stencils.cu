// Additions of neighbouring threads to one cell, gathered over the grid by the thread whose cell it is
// (rewriters/gather/shift.c). Below each kernel stand the rows of --explain, which tests/ownership compares.
// First what must stay as it is.
#include "../support/check.cuh"

typedef double real;
#define AT(axis) (int)(blockIdx.axis * blockDim.axis + threadIdx.axis)

// ---- what must stay as it is ----

// In place: the adjoint of the neighbours is read and zeroed, too.
BOTH("x wrt x")
__global__ void red_and_black(real *x, int n) {
    int i = AT(x);
    if (i % 2 == 1 && i < n - 1) x[i] = 0.5 * x[i] + 0.2 * x[i - 1] * x[i + 1] + 0.1 * x[i - 1];
}
//= read d_x[i]: plain
//= d_x[i] =: plain
//= d_x[i - 1] +=: atomic
//= d_x[i + 1] +=: atomic

// Neighbours share cells at one shift already.
BOTH("y wrt x")
__global__ void halves(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n) y[i] = x[i / 2] * x[i / 2 + 1] + x[i / 2 + 2];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i / 2] +=: atomic
//= d_x[i / 2 + 1] +=: atomic
//= d_x[i / 2 + 2] +=: atomic

// Round the end.
BOTH("y wrt x")
__global__ void periodic(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n) y[i] = x[(i + 1) % n] + x[i] * x[(i + n - 1) % n];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[(i + 1) % n] +=: atomic
//= d_x[i] +=: atomic
//= d_x[(i + n - 1) % n] +=: atomic

// The border's cell stands for its neighbours.
BOTH("y wrt x")
__global__ void clamped(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n) y[i] = x[max(i - 1, 0)] + 2 * x[i] + 3 * x[min(i + 1, n - 1)];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[max(i - 1, 0)] +=: atomic
//= d_x[i] +=: atomic
//= d_x[min(i + 1, n - 1)] +=: atomic

// A number that wraps around.
BOTH("y wrt x")
__global__ void narrow(real *y, const real *x, int n) {
    unsigned char i = AT(x);
    if (AT(x) < n) y[AT(x)] = x[i] + 2 * x[i + 1] + 3 * x[i + 2];
}
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic
//= d_x[i + 2] +=: atomic

// Through a list.
BOTH("y wrt x")
__global__ void listed(real *y, const real *x, const int *list, int n) {
    int i = AT(x);
    if (i < n) y[i] = x[list[i]] * x[list[i] + 1] * x[list[i] + 2];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[list[i]] +=: atomic
//= d_x[list[i] + 1] +=: atomic
//= d_x[list[i] + 2] +=: atomic

// Two distances from thread to thread.
BOTH("y wrt x")
__global__ void two_scales(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n) y[i] = x[2 * i] + x[i] * x[2 * i + 1];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[2 * i] +=: atomic
//= d_x[i] +=: atomic
//= d_x[2 * i + 1] +=: atomic

// A shift that only the launch knows.
BOTH("y wrt x")
__global__ void far(real *y, const real *x, int n, int k) {
    int i = AT(x);
    if (i >= k && i < n - k) y[i] = x[i - k] + x[i] * x[i] + x[i + k];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i - k] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + k] +=: atomic

// Threads that differ in y have one cell.
BOTH("y wrt x")
__global__ void columns(real *y, const real *x, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i > 0 && i < w - 1 && j < h) y[j * w + i] = x[i - 1] + x[i] * j + x[i + 1];
}
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic

// Nothing keeps a thread in its row.
BOTH("y wrt x")
__global__ void rows_that_overlap(real *y, const real *x, int w) {
    int i = AT(x), j = AT(y);
    y[j * gridDim.x * blockDim.x + i] = x[j * w + i] + 2 * x[j * w + i + 1] + 3 * x[j * w + i + 2];
}
//= d_y[j * gridDim.x * blockDim.x + i] =: plain
//= read d_y[j * gridDim.x * blockDim.x + i]: plain
//= d_x[j * w + i] +=: atomic
//= d_x[j * w + i + 1] +=: atomic
//= d_x[j * w + i + 2] +=: atomic

// What a thread adds depends on its place in the block.
BOTH("y wrt x")
__global__ void place_in_block(real *y, const real *x, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = (threadIdx.x + 1) * (x[i - 1] + x[i] + x[i + 1]);
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic

// The seed comes through another lane.
BOTH("y wrt x")
__global__ void by_shuffle(real *y, const real *x, int n) {
    int i = AT(x);
    real v = i > 0 && i < n - 1 ? x[i - 1] + x[i] * x[i + 1] : 0;
    real w = v + __shfl_xor_sync(~0u, v, 1);
    if (i < n) y[i] = w;
}
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// How often it adds, only the launch knows.
BOTH("y wrt x")
__global__ void again_and_again(real *y, const real *x, int n, int times) {
    int i = AT(x);
    if (i > 0 && i < n - 1)
        for (int k = 0; k < times; k++) y[i * times + k] = x[i - 1] + x[i] * x[i + 1];
}
//= d_y[i * times + k] =: plain
//= read d_y[i * times + k]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic

// Two terms: that costs less than a kernel of its own.
BOTH("y wrt x")
__global__ void two_terms(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n - 1) y[i] = x[i + 1] - x[i];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i + 1] +=: atomic
//= d_x[i] +=: atomic

// Computing each term again costs more than adding it up in the L2.
BOTH("y wrt x")
__global__ void expensive(real *y, const real *x, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = sin(exp(cos(x[i - 1]) * sin(x[i + 1])) * cos(sin(x[i] * x[i - 1])));
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i + 1] +=: atomic
//= d_x[i] +=: atomic

// Asked for otherwise.
BOTH("y wrt x")
GW_ACCUMULATE(x, atomic)
__global__ void left_atomic(real *y, const real *x, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic

// Few additions a cell: atomics, which the L2 makes by itself, take less than a kernel of their own.
BOTH("y wrt x")
__global__ void few(real *y, const real *x, real a, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = x[i - 1] + a * x[i] + x[i + 1];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i - 1] +=: atomic
//= d_x[i] +=: atomic
//= d_x[i + 1] +=: atomic

// ---- what is gathered where it is asked for ----

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void three_points(real *y, const real *x, real a, real b, real c, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = a * x[i - 1] + b * x[i] + c * x[i + 1];
}
//= d_y[i] =: plain
//= d_x[i_at] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void two_terms_asked_for(real *y, const real *x, int n) {
    int i = AT(x);
    if (i < n - 1) y[i] = x[i + 1] - x[i];
}
//= d_y[i] =: plain
//= d_x[i_at] +=: gathered

// Each term has a condition of its own; what the slope needs is read again.
BOTH("y wrt x, k")
GW_ACCUMULATE(x, gather)
__global__ void own_conditions(real *y, const real *x, const real *k, int n) {
    int i = AT(x);
    if (i >= n) return;
    real sum = k[i] * x[i] * x[i];
    if (i > 0) sum += x[i - 1] * x[i];
    if (i < n - 1 && k[i] > 0.2) sum += k[i] * x[i + 1];
    y[i] = sum;
}
//= d_k[i] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i_at] +=: gathered

// No condition keeps cells from being before the first thread's, or behind the last one's.
BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void halo(real *y, const real *x) {
    int i = AT(x);
    const real *inner = x + 3;
    y[i] = inner[i - 3] * inner[i + 1] + 2 * inner[i - 1] + 3 * inner[i + 2];
}
//= d_y[i] =: plain
//= d_x[3 + (i_at - 3)] +=: gathered

// Cells behind the thread's own only; unsigned numbers; 64-bit indices.
BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void behind(real *y, const real *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = i;
    if (i < n) y[at] = x[at + 1] * x[at + 2] + x[at + 4];
}
//= d_y[at] =: plain
//= d_x[i_at + 4] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void from_the_end(real *y, const real *x, int n) {
    int i = AT(x);
    if (i > 0 && i < n - 1) y[i] = x[n - i] + 2 * x[n - 1 - i] * x[n - 2 - i];
}
//= d_y[i] =: plain
//= d_x[n - i_at] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void five_points(real *y, const real *x, real k, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i < 1 || j < 1 || i >= w - 1 || j >= h - 1) return;
    int at = j * w + i;
    y[at] = x[at] + k * (x[at - 1] * x[at + 1] + x[at - w] + x[at + w] - 4 * x[at]);
}
//= d_y[at] =: plain
//= d_x[j_at * w + i_at] +=: gathered

// Transposed, fields of a struct, and two objects.
struct grain {
    real value, weight;
};
BOTH("y wrt p, q")
GW_ACCUMULATE(p, gather)
GW_ACCUMULATE(q, gather)
__global__ void fields(real *y, const grain *p, const real *q, int w, int h) {
    int i = AT(y), j = AT(x);
    if (i < 1 || j < 1 || i >= w - 1 || j >= h - 1) return;
    int at = j + i * h;
    y[at] = p[at - 1].value * q[at + 1] + p[at + 1].value * q[at - h] + p[at + h].value * q[at];
}
//= d_y[at] =: plain
//= d_p[j_at + thread_y * h + h].value +=: gathered
//= d_q[j_at + thread_y * h] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void constant_pitch(real *y, const real *x) {
    int i = AT(x), j = AT(y);
    if (i < 1 || j < 1 || i >= 15 || j >= 7) return;
    int at = j * 16 + i;
    y[at] = x[at + 17] * x[at - 17] + x[at + 15] * x[at - 15] + x[at];
}
//= d_y[at] =: plain
//= d_x[j_at * 16 + i_at] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void seven_points(real *y, const real *x, real a, real b, int nx, int ny, int nz) {
    int i = AT(x), j = AT(y), k = AT(z);
    if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
    int at = (k * ny + j) * nx + i;
    y[at] =
        a * (x[at - 1] + x[at + 1] + x[at - nx] + x[at + nx] + x[at - nx * ny] + x[at + nx * ny]) - b * x[at];
}
//= d_y[at] =: plain
//= d_x[(k_at * ny + j_at) * nx + i_at] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void strides(real *y, const real *x, real a, int n) {
    for (int i = AT(x); i < n; i += gridDim.x * blockDim.x) {
        real sum = x[i] * x[i];
        if (i > 0) sum += a * x[i - 1];
        if (i < n - 1) sum += a * x[i + 1] * x[i];
        y[i] = sum;
    }
}
//= d_y[i] =: plain
//= d_x[i_at] +=: gathered

// Weights in loops, which have their own adjoints.
BOTH("y wrt x, weights")
GW_ACCUMULATE(x, gather)
__global__ void weighted(real *y, const real *x, const real *weights, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i >= w || j >= h) return;
    real sum = 0;
    for (int v = 0; v < 3; v++)
        for (int u = -1; u <= 1; u++) sum += weights[v * 3 + u + 1] * x[(j + v) * (w + 2) + i + 1 + u];
    y[j * w + i] = sum;
}
//= d_weights[0] +=: grid
//= d_weights[1] +=: grid
//= d_weights[2] +=: grid
//= d_weights[3] +=: grid
//= d_weights[4] +=: grid
//= d_weights[5] +=: grid
//= d_weights[6] +=: grid
//= d_weights[7] +=: grid
//= d_weights[8] +=: grid
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain
//= d_x[j_at * (w + 2) + (i_at - (-1 + 1)) + 1 + -1] +=: gathered

// The slope of each of nine terms needs the sum of all nine.
BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void squared(real *y, const real *x, const real *weights, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i >= w || j >= h) return;
    real sum = 0;
    for (int v = 0; v < 3; v++)
        for (int u = -1; u <= 1; u++) sum += weights[v * 3 + u + 1] * x[(j + v) * (w + 2) + i + 1 + u];
    y[j * w + i] = sum * sum;
}
//= d_y[j * w + i] =: plain
//= d_x[j_at * (w + 2) + (i_at - (-1 + 1)) + 1 + -1] +=: gathered

// A sum within what is computed again.
BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void sums_inside(real *y, const real *x, const real *k, int n, int terms) {
    int i = AT(x);
    if (i < 1 || i >= n - 1) return;
    real scale = 0;
    for (int t = 0; t < terms; t++) scale += k[i * terms + t];
    y[i] = scale * (x[i - 1] + x[i] + x[i + 1]);
}
//= d_y[i] =: plain
//= d_x[i_at] +=: gathered

BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void single(float *y, const float *x, float a, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i > 0 && j > 0 && i < w - 1 && j < h - 1)
        y[j * w + i] =
            a * x[j * w + i] * x[(j - 1) * w + i] - x[(j + 1) * w + i] + x[j * w + i - 1] * x[j * w + i + 1];
}
//= d_y[j * w + i] =: plain
//= d_x[j_at * w + i_at] +=: gathered
BOTH("y wrt x")
GW_ACCUMULATE(x, gather)
__global__ void single_reference(real *y, const real *x, real a, int w, int h) {
    int i = AT(x), j = AT(y);
    if (i > 0 && j > 0 && i < w - 1 && j < h - 1)
        y[j * w + i] =
            a * x[j * w + i] * x[(j - 1) * w + i] - x[(j + 1) * w + i] + x[j * w + i - 1] * x[j * w + i + 1];
}
//= d_y[j * w + i] =: plain
//= d_x[j_at * w + i_at] +=: gathered

#include "stencils.grad.cuh"

CHECK_CELLS(grain, CHECK_CELL(grain, value), CHECK_CELL(grain, weight))

CHECK_KERNEL(red_and_black, 2, 8, inout(15), 15)
CHECK_KERNEL(halves, 2, 8, out(15), in(10), 15)
CHECK_KERNEL(periodic, 2, 8, out(15), in(15), 15)
CHECK_KERNEL(clamped, 2, 8, out(15), in(15), 15)
CHECK_KERNEL(narrow, 2, 8, out(15), in(18), 15)
CHECK_KERNEL(listed, 2, 4, out(7), in(9), list({3, 0, 3, 5, 1, 1, 6}), 7)
CHECK_KERNEL(two_scales, 2, 8, out(15), in(30), 15)
CHECK_KERNEL(far, 2, 8, out(15), in(15), 15, 3)
CHECK_KERNEL(columns, dim3(2, 2), dim3(4, 2), out(7 * 4), in(7), 7, 4)
CHECK_KERNEL(rows_that_overlap, dim3(2, 2), dim3(4, 2), out(32), in(25), 5)
CHECK_KERNEL(place_in_block, 2, 8, out(15), in(15), 15)
CHECK_KERNEL(by_shuffle, 1, 32, out(32), in(32), 32)
CHECK_KERNEL(again_and_again, 2, 8, out(45), in(15), 15, 3)
CHECK_KERNEL(two_terms, 2, 8, out(15), in(15), 15)
CHECK_KERNEL(expensive, 2, 8, out(15), in(15), 15)
CHECK_KERNEL(few, 2, 8, out(15), in(15), 0.7, 15)
CHECK_KERNEL(left_atomic, 2, 8, out(15), in(15), 15)

CHECK_KERNEL(three_points, 3, 8, out(21), in(21), 0.7, -1.2, 0.4, 21)
CHECK_CASE(three_points_uncovered, three_points, three_points, 1e-8, 2, 8, out(21), in(21), 0.7, -1.2, 0.4, 21)
CHECK_CASE(three_points_two_threads, three_points, three_points, 1e-8, 1, 2, out(21), in(21), 0.7, -1.2, 0.4,
           21)
CHECK_CASE(three_points_exactly, three_points, three_points, 1e-8, 3, 7, out(21), in(21), 0.7, -1.2, 0.4, 21)
CHECK_KERNEL(two_terms_asked_for, 3, 5, out(15), in(15), 15)
CHECK_KERNEL(own_conditions, 3, 8, out(21), in(21), in(21), 21)
CHECK_CASE(own_conditions_uncovered, own_conditions, own_conditions, 1e-8, 2, 4, out(21), in(21), in(21), 21)
CHECK_KERNEL(halo, 3, 4, out(12), in(18))
CHECK_CASE(halo_one_thread, halo, halo, 1e-8, 1, 1, out(1), in(7))
CHECK_CASE(halo_two_threads, halo, halo, 1e-8, 1, 2, out(2), in(8))
CHECK_KERNEL(behind, 3, 4, out(11), in(16), 11u)
CHECK_CASE(behind_uncovered, behind, behind, 1e-8, 1, 3, out(11), in(16), 11u)
CHECK_KERNEL(from_the_end, 3, 4, out(11), in(11), 11)
CHECK_KERNEL(five_points, dim3(2, 3), dim3(4, 2), out(7 * 5), in(7 * 5), 0.3, 7, 5)
CHECK_CASE(five_points_uncovered, five_points, five_points, 1e-8, dim3(1, 2), dim3(4, 2), out(7 * 5), in(7 * 5),
           0.3, 7, 5)
CHECK_KERNEL(fields, dim3(2, 4), dim3(4, 2), out(7 * 5), in(7 * 5), in(7 * 5), 7, 5)
CHECK_KERNEL(constant_pitch, dim3(2, 4), dim3(8, 2), out(16 * 8), in(16 * 8))
CHECK_KERNEL(seven_points, dim3(2, 3, 2), dim3(4, 2, 2), out(6 * 5 * 4), in(6 * 5 * 4), 0.3, 1.1, 6, 5, 4)
CHECK_CASE(seven_points_uncovered, seven_points, seven_points, 1e-8, dim3(1, 2, 1), dim3(4, 2, 3),
           out(6 * 5 * 4), in(6 * 5 * 4), 0.3, 1.1, 6, 5, 4)
CHECK_KERNEL(strides, 2, 4, out(21), in(21), 0.6, 21)
CHECK_CASE(strides_wide, strides, strides, 1e-8, 4, 8, out(21), in(21), 0.6, 21)
CHECK_CASE(strides_one_thread, strides, strides, 1e-8, 1, 1, out(5), in(5), 0.6, 5)
CHECK_KERNEL(weighted, dim3(2, 3), dim3(4, 2), out(7 * 5), in(9 * 7), in(9), 7, 5)
CHECK_CASE(weighted_uncovered, weighted, weighted, 1e-8, dim3(1, 1), dim3(3, 2), out(7 * 5), in(9 * 7), in(9),
           7, 5)
CHECK_KERNEL(squared, dim3(2, 3), dim3(4, 2), out(7 * 5), in(9 * 7), fixed(9, -1, 1), 7, 5)
CHECK_KERNEL(sums_inside, 2, 8, out(15), in(15), fixed(45, -1, 1), 15, 3)
CHECK_FLOAT(single, single_reference, 1e-4, dim3(2, 3), dim3(4, 2), out(7 * 5), in(7 * 5), 0.7, 7, 5)
CHECK_KERNEL(single_reference, dim3(2, 3), dim3(4, 2), out(7 * 5), in(7 * 5), 0.7, 7, 5)
TEST_MAIN
