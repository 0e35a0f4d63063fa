// Recurrences: values that the reverse sweep needs in the opposite order, recomputed, kept or taped.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Independent iterations: no tape is needed.
BOTH("y wrt x, w")
__global__ void independent(real *y, const real *x, const real *w, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < m; k++) sum += sin(x[i] * w[k]) * w[k];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void recurrence(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) v = v + 0.1 * sin(v) * x[i];
    y[i] = v;
}

BOTH("y wrt x, p")
__global__ void two_states(real *y, const real *x, real p, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real position = x[i], speed = 0;
    for (int k = 0; k < steps; k++) {
        speed -= 0.1 * p * sin(position);
        position += 0.1 * speed * (1 + position * position);
    }
    y[i] = position * speed;
}

BOTH("y wrt x")
__global__ void in_place_product(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = 1;
    for (int k = 0; k < steps; k++) v *= x[(i + k) % n];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void static_trip_count(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < 6; k++) v = v * v * 0.5 + 0.3 * x[i];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void nested_static(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int j = 0; j < 3; j++) {
        real w = v;
        for (int k = 0; k < 4; k++) w = w - 0.1 * w * w * v;
        v = w + 0.2 * v * v;
    }
    y[i] = v;
}

BOTH("y wrt x")
__global__ void nested_dynamic(real *y, const real *x, int n, int rows, int columns) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int r = 0; r < rows; r++) {
        real w = v * v;
        for (int c = 0; c < columns; c++) w = w + 0.1 * cos(w) * v;
        v = 0.5 * v + 0.3 * w;
    }
    y[i] = v;
}

// The inner trip count depends on the outer index.
BOTH("y wrt x")
__global__ void triangular(real *y, const real *x, int n, int rows) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < r; c++) v = v + 0.02 * v * v * x[c];
    y[i] = v;
}

BOTH("y wrt x")
__global__ void three_deep(real *y, const real *x, int n, int a, int b, int c) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], sum = 0;
    for (int j = 0; j < a; j++) {
        for (int k = 0; k < b; k++) {
            for (int l = 0; l < c; l++) v = v + 0.01 * v * v;
            sum += v * x[k];
        }
        v *= 0.9;
    }
    y[i] = sum + v;
}

BOTH("y wrt x")
__global__ void two_loops(real *y, const real *x, int n, int first, int second) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < first; k++) v = v + 0.1 * v * v;
    real middle = v;
    for (int k = 0; k < second; k++) v = v - 0.05 * v * v * middle;
    y[i] = v * middle;
}

BOTH("y wrt x")
__global__ void branch_in_recurrence(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) {
        if (v > 1) v = v * 0.7;
        else v = v + 0.4 * v * v;
    }
    y[i] = v;
}

// The value that decides an inner branch changes within the iteration.
BOTH("y wrt x")
__global__ void overwritten_condition(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 0;
    int mode = i;
    for (int k = 0; k < steps; k++) {
        mode = (mode * 5 + 3) % 7;
        if (mode & 1) w += v * v;
        mode = (mode + k) % 11;
        v = mode > 4 ? v * 0.9 : v + 0.1 * w;
    }
    y[i] = v + w;
}

BOTH("y wrt x")
__global__ void swapped(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real a = x[i], b = 1;
    for (int k = 0; k < steps; k++) {
        real c = a;
        a = a * b * 0.8 + 0.1;
        b = c;
    }
    y[i] = a;
}

// Horner's rule: what is multiplied is the carried value, what is added is read.
BOTH("y wrt x, c")
__global__ void horner(real *y, const real *x, const real *c, int n, int degree) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = degree - 1; k >= 0; k--) sum = sum * x[i] + c[k];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void local_array(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real a[4];
    for (int k = 0; k < 4; k++) a[k] = x[(i + k) % n] * (k + 1);
    for (int k = 1; k < 4; k++) a[k] = a[k] * a[k - 1];
    real sum = 0;
    for (int k = 0; k < 4; k++) sum += a[k] * a[3 - k];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void local_matrix(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real m[3][3], v[3] = {x[i], 1, x[i] * x[i]}, w[3] = {0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) m[r][c] = x[(r * 3 + c) % n] + x[i] * (r == c);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) w[r] += m[r][c] * v[c];
    y[i] = w[0] * w[1] + w[2];
}

// A cell of a local array overwritten in a dynamic loop.
BOTH("y wrt x")
__global__ void local_array_dynamic(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real a[3] = {x[i], x[i] * x[i], 1};
    for (int k = 0; k < steps; k++) a[k % 3] = a[k % 3] * a[(k + 1) % 3] * 0.7 + 0.1;
    y[i] = a[0] + a[1] * a[2];
}

// The output's own cells carry the recurrence.
BOTH("y wrt x")
__global__ void through_memory(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i];
    for (int k = 0; k < steps; k++) y[i] = y[i] + 0.1 * y[i] * y[i];
}

BOTH("x wrt x")
__global__ void in_place_steps(real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    for (int k = 0; k < steps; k++) x[i] *= 1 - 0.1 * x[i];
}

// Each thread runs along a row of its own, each cell from the one before.
BOTH("y wrt x")
__global__ void scan_row(real *y, const real *x, int rows, int columns) {
    int r = HERE;
    if (r >= rows) return;
    real sum = 0;
    for (int c = 0; c < columns; c++) {
        sum = sum * 0.9 + x[r * columns + c] * x[r * columns + c];
        y[r * columns + c] = sum;
    }
}

// Newton's iteration to a fixed number of steps.
BOTH("y wrt x")
__global__ void newton_root(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real r = 1;
    for (int k = 0; k < steps; k++) r = 0.5 * (r + x[i] / r);
    y[i] = r;
}

BOTH("y wrt x")
__global__ void loop_in_branch(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (i % 2) {
        for (int k = 0; k < steps; k++) v = v * v * 0.6;
    } else {
        int k = steps;
        while (k > 0) {
            v = v + 0.1 * v * v;
            k -= 2;
        }
    }
    y[i] = v;
}

// Looks like a sum, but one side adds the sum to itself.
BOTH("y wrt x")
__global__ void sum_of_itself(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real s = x[i];
    for (int k = 0; k < steps; k++) {
        real t;
        if ((i + k) % 3 == 1) t = s;
        else t = x[k] * x[k];
        s = t + s;
    }
    y[i] = s;
}

// The inner loop only adds, but how often is up to the sum.
BOTH("y wrt x")
__global__ void sum_that_decides(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real s = x[i];
    for (int k = 0; k < steps; k++) {
        int tries = 0;
        while (tries < 4 && s < k + 0.375) {
            s += x[k] * x[k];
            tries++;
        }
    }
    y[i] = s;
}

// ---- iterations that compute the same, and some that only seem to ----
BOTH("y wrt x")
__global__ void repeated(real *y, const real *x, int n, int times) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = 0.5;
    for (int k = 0; k < times; k++) {
        v = x[i] * x[i];
        for (int j = 0; j < 3; j++) v += x[j] * v;
        w = v > 2 ? sin(v) : v * x[i];
    }
    y[i] = v * w;
}

BOTH("y wrt x")
__global__ void exchanged(real *y, const real *x, int n, int times) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i], w = x[i] * x[i], last = 1;
    for (int k = 0; k < times; k++) {
        real t = v;
        v = w;
        w = t;
        last = x[k];
    }
    y[i] = v * v + w * last;
}

BOTH("y wrt x")
__global__ void kept_or_set(real *y, const real *x, const real *limit, int n, int times) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < times; k++) {
        if (v < limit[i]) v = x[i] * x[i] + 0.3;
        y[i] = v;
    }
}

// What is added to the index is the same in all iterations, though computed in each.
BOTH("y wrt x")
__global__ void rows_of_blocks(real *y, const real *x, int width) {
    for (int k = threadIdx.x; k < width; k += blockDim.x)
        y[blockIdx.x * width + k] = x[blockIdx.x * width + k] * x[blockIdx.x * width + width - 1 - k];
}

// And here it is not: all iterations store to one cell, of which the last has the adjoint.
BOTH("y wrt x")
__global__ void one_cell_for_all(real *y, const real *x, int n, int m) {
    int i = HERE, back = 5;
    if (i >= n) return;
    for (int k = 0; k < m; k++) {
        y[back * 3 - 15 + 3 * k + i] = x[(i + k) % n] * x[i] * (k + 1);
        back--;
    }
}

#include "loops.grad.cuh"

CHECK_KERNEL(independent, 2, 16, out(20), in(20), in(7), 20, 7)
CHECK_KERNEL(recurrence, 2, 16, out(20), in(20), 20, 9)
CHECK_KERNEL(two_states, 2, 16, out(20), in(20), active(1.3), 20, 8)
CHECK_KERNEL(in_place_product, 2, 16, out(20), in(20), 20, 6)
CHECK_KERNEL(static_trip_count, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(nested_static, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(nested_dynamic, 2, 16, out(20), in(20), 20, 4, 3)
CHECK_KERNEL(triangular, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(three_deep, 2, 16, out(20), in(20), 20, 3, 2, 4)
CHECK_KERNEL(two_loops, 2, 16, out(20), in(20), 20, 5, 4)
CHECK_KERNEL(branch_in_recurrence, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(overwritten_condition, 2, 16, out(20), in(20), 20, 9)
CHECK_KERNEL(swapped, 2, 16, out(20), in(20), 20, 6)
CHECK_KERNEL(horner, 2, 16, out(20), in(20), in(6), 20, 6)
CHECK_KERNEL(local_array, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(local_matrix, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(local_array_dynamic, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(through_memory, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(in_place_steps, 2, 16, inout(20), 20, 5)
CHECK_KERNEL(scan_row, 1, 8, out(35), in(35), 5, 7)
CHECK_KERNEL(newton_root, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(loop_in_branch, 2, 16, out(20), in(20), 20, 5)
CHECK_KERNEL(sum_of_itself, 2, 16, out(20), in(20), 20, 7)
CHECK_KERNEL(sum_that_decides, 2, 16, out(20), in(20), 20, 6)
CHECK_KERNEL(repeated, 2, 16, out(20), in(20), 20, 4)
CHECK_CASE(repeated_never, repeated, repeated, 1e-8, 2, 16, out(20), in(20), 20, 0)
CHECK_KERNEL(exchanged, 2, 16, out(20), in(20), 20, 3)
CHECK_KERNEL(kept_or_set, 2, 16, out(20), in(20), fixed(20, 0.7, 1.1), 20, 3)
CHECK_KERNEL(rows_of_blocks, 3, 4, out(33), in(33), 11)
CHECK_KERNEL(one_cell_for_all, 2, 16, out(20), in(20), 20, 4)
TEST_MAIN
