// Sums that no rung puts in an order: exact in the deterministic forms (and, as every file here, built without:
// then they are atomic). What is decided stands in tests/ownership/unplaced.cu and fixed_order.cu.
#include "../support/check.cuh"

#include <tuple>

typedef double real;
struct span {
    int x, y;
};
struct point {
    real p[3], q;
};
CHECK_CELLS(point, CHECK_CELL(point, p[0]), CHECK_CELL(point, p[1]), CHECK_CELL(point, p[2]),
            CHECK_CELL(point, q))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Lanes of a warp have one cell and add under a condition, but a position is come to several times.
JOINED("y wrt x, p") GW_DISJOINT_RANGES(range)
__global__ void twice(real *y, const real *x, const point *p, const int *ids, const int *times,
                      const span *range) {
    real sum = 0, own = 0.1 * (threadIdx.x + 1);
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        for (int n = 0; n < times[k]; n++) {
            if ((k + n + threadIdx.x / 5) % 3 == 0) continue;
            sum += x[ids[k]] * own + p[ids[k]].p[n] * p[ids[k]].q * (n + 1);
        }
    y[HERE] = sum;
}

// Rows of which nobody said that they do not overlap; a thread's own cells beside them.
JOINED("y wrt x, w, f")
__global__ void rows(real *y, const real *x, const real *w, const real *f, const int *column, const span *row,
                     int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = f[i];
    for (int j = row[i].x; j < row[i].y; j++) sum += w[column[j] % 3] * x[column[j]] * f[i];
    y[i] = sum;
}

// Two indices vary, in a coarsened kernel.
JOINED("y wrt p") GW_COARSEN(2)
__global__ void tables(real *y, const point *p, const int *at, int m, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < m; j++) sum += p[at[(i + j) % n]].p[at[j] % 3] * (j + 1);
    if (i < n) y[i] = sum * sum;
}

#include "unplaced.grad.cuh"

/* How many cells there are, where the launch asks for it. */
#ifdef GRADWRIGHT_EXACT_CUH
#define CELLS(...) (__VA_ARGS__)
#else
#define CELLS(...) ()
#endif
#define TOLD_CASE(name, cells, grid, block, ...)                                                               \
    CHECK_TOLD(name, name, name, 1e-8, grid, block, cells, __VA_ARGS__)

static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list((size_t)n);
    for (int i = 0; i < n; i++)
        list[(size_t)i] = (i * factor + i / 7) % below;
    return list;
}
static const std::vector<span> parts = {{0, 20}, {20, 20}, {20, 37}, {37, 64}},
                               overlap = {{0, 30}, {10, 40}, {64, 50}, {5, 9}, {0, 64}};

TOLD_CASE(twice, CELLS(9, 9), 4, 45, out(180), in(9), in(9), given(numbers(64, 5, 9)), given(numbers(64, 3, 4)),
          given(parts))
TOLD_CASE(rows, CELLS(9), 2, 3, out(5), in(9), in(3), in(5), given(numbers(64, 5, 9)), given(overlap), 5)
TOLD_CASE(tables, CELLS(9), 3, 8, out(23), in(9), given(numbers(64, 5, 9)), 17, 23)
TEST_MAIN
