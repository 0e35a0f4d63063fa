// Lists that are walked: where iterations only add, the reverse is the same loop once more, without a tape or a
// bound. What adds up to more than sums, and what leaves in between. Below a kernel stands what is in its text
// (tests/ownership/statements.py).
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

// ---- cells as linked lists ----
JOINED("y wrt x, w")
__global__ void linked(real *y, const real *x, const real *w, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0, other = 1;
    int j = head[i];
    while (j != -1) {
        if (j != i) {
            real d = x[i] - x[j], q = d * d + 0.5;
            if (q < 2) sum += w[j] / q, other -= w[i] * d;
        }
        j = next[j];
    }
    y[i] = sum * other;
}
//! trips
//! push

JOINED("y wrt x")
__global__ void left_early(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = head[i]; j >= 0; j = next[j]) {
        if (x[j] > 1.4) break;
        if (j % 3 == 1) continue;
        sum += x[j] * x[i];
    }
    y[i] = sum;
}
//! trips

// In a counted loop, around one that needs a tape for its own rounds.
JOINED("y wrt x")
__global__ void cells(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int c = 0; c < 3; c++)
        for (int j = head[(i + c) % n]; j >= 0; j = next[j]) {
            real inner = x[c];
            for (int k = 0; k < 4 && k < j; k++) inner *= x[k] + x[j];
            sum += inner * x[i];
        }
    y[i] = sum;
}

JOINED("y wrt x")
__global__ void scatters(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    int j = head[i];
    while (j >= 0) {
        atomicAdd(&y[j], x[i] * x[j]);
        j = next[j];
    }
}
//! trips

// Steered by a real number, at least once.
JOINED("y wrt x")
__global__ void at_least_once(real *y, const real *x, real end, int n) {
    int i = HERE;
    if (i >= n) return;
    real t = 0, sum = 0;
    do sum += x[i] * x[i] * t, t += 0.1 + 0.01 * i;
    while (t < end);
    y[i] = sum;
}
//! push

// ---- more than sums: bounded, on a tape ----
JOINED("y wrt x")
__global__ void product_too(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0, product = 1;
    for (int j = head[i], many = 0; j >= 0 && many < n; j = next[j], many++)
        sum += x[j] * x[j], product = product * x[j];
    y[i] = sum + product;
}
//= trips

// The last iteration makes something else of the sum.
JOINED("y wrt x")
__global__ void replaced_at_last(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = head[i], many = 0; j >= 0 && many < n; j = next[j], many++) {
        sum += x[j] * x[i];
        if (j == 5) {
            sum = x[i];
            break;
        }
    }
    y[i] = sum;
}
//= trips

// The sum decides how far it goes.
JOINED("y wrt x")
__global__ void until_enough(real *y, const real *x, const int *head, const int *next, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = head[i], many = 0; j >= 0 && many < n && sum < 2; j = next[j], many++) sum += x[j] * x[i];
    y[i] = sum;
}
//= trips

// Each store takes the cell's adjoint, and another iteration may store there again.
JOINED("y wrt x")
__global__ void stores(real *y, const real *x, const int *next, int rows, int n) {
    int i = HERE;
    if (i >= rows) return;
    int j = 0, many = 0;
    while (j >= 0 && many < n) {
        y[i * n + j % 3] = x[j] * x[i];
        j = next[j];
        many++;
    }
}
//= trips

#include "walks.grad.cuh"

#define LISTS list({3, -1, 5, 0, 8, 2, 1}), list({4, 6, -1, -1, 7, 2, -1, 5, 9, -1})
#ifdef GW_TEST_WITHOUT // the loops keep their pointers on tapes that only the device can measure
#define CHECK_WALK(kernel, ...) CHECK_MEASURED_JOINED(kernel, kernel, 2, 4, 0, __VA_ARGS__)
#else
#define CHECK_WALK(kernel, ...) CHECK_KERNEL(kernel, 2, 4, __VA_ARGS__)
#endif
CHECK_WALK(linked, out(7), in(10), in(10), LISTS, 7)
CHECK_WALK(left_early, out(7), in(10, 0.5, 1.6), LISTS, 7)
CHECK_WALK(cells, out(7), in(10), LISTS, 7)
CHECK_WALK(scatters, inout(10), in(10), LISTS, 7)
CHECK_WALK(at_least_once, out(7), in(7), 1.05, 7)
CHECK_KERNEL(product_too, 2, 4, out(7), in(10), LISTS, 7)
CHECK_KERNEL(replaced_at_last, 2, 4, out(7), in(10), LISTS, 7)
CHECK_KERNEL(until_enough, 2, 4, out(7), in(10), LISTS, 7)
CHECK_KERNEL(stores, 2, 4, out(70), in(10), list({4, 6, -1, -1, 7, 2, -1, 5, 9, -1}), 7, 10)
TEST_MAIN
