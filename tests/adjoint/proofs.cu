// Updates that are plain by a promise about a list, by the solver, or by the rules on wrapped and mirrored
// indices: the checked form sees two threads in one cell.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

BOTH("y wrt x") GW_INJECTIVE(list)
__global__ void stated_list(real *y, const real *x, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[2 * list[i]] * x[2 * list[i] + 1];
}

BOTH("y wrt x") GW_SORTED(row)
__global__ void sorted_rows(real *y, const real *x, const int *row, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = row[i]; j < row[i + 1]; j++) sum += x[j] * x[j];
    y[i] = sum;
}

BOTH("y wrt x") GW_SORTED(row)
__global__ void row_of_a_block(real *y, const real *x, const int *row) {
    int t = threadIdx.x;
    real sum = 0;
    for (int j = row[blockIdx.x] + t; j < row[blockIdx.x + 1]; j += blockDim.x) sum += x[j] * x[j] * x[j];
    y[HERE] = sum;
}

BOTH("y wrt x")
__global__ void folded_row(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n / 2) y[i] = x[i] * x[n - 1 - i];
}

BOTH("y wrt x")
__global__ void even_with_odd(real *y, const real *x, int n) {
    int i = HERE;
    if (i % 2 == 0 && i + 1 < n) y[i] = x[i] * x[i + 1];
}

BOTH("y wrt x")
__global__ void lower_of_a_pair(real *y, const real *x) {
    int i = HERE, partner = i ^ 4;
    if (partner > i) y[i] = x[i] * x[partner] * x[partner];
}

BOTH("y wrt x")
__global__ void unsigned_from_the_end(real *y, const real *x, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[n - 1 - i] * x[n - 1 - i];
}

BOTH("y wrt x")
__global__ void bits_turned(real *y, const real *x, int n) {
    int i = HERE, from = (i & 3) * 8 + (i >> 2);
    if (i < n && i < 32) y[i] = x[from] * x[from];
}

#include "proofs.grad.cuh"

CHECK_KERNEL(stated_list, 2, 8, out(10), in(20), list({3, 1, 4, 0, 5, 9, 2, 6, 8, 7}), 10)
CHECK_KERNEL(sorted_rows, 2, 4, out(6), in(20), list({0, 3, 3, 9, 10, 17, 20}), 6)
CHECK_KERNEL(row_of_a_block, 3, 4, out(12), in(20), list({1, 8, 8, 20}))
CHECK_KERNEL(folded_row, 2, 8, out(10), in(21), 21)
CHECK_KERNEL(even_with_odd, 2, 8, out(16), in(16), 15)
CHECK_KERNEL(lower_of_a_pair, 2, 8, out(16), in(16))
CHECK_KERNEL(unsigned_from_the_end, 2, 8, out(13), in(13), 13u)
CHECK_KERNEL(bits_turned, 4, 8, out(32), in(32), 32)
TEST_MAIN
