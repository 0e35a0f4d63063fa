// The rung cache: numbers of an array at places that are computed of floats, summed by each block in shared
// memory, where the kernel does nothing else to their adjoint than to add atomically. The table of decisions is
// checked by tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// By itself: linear between neighbours; a row is chosen at run time, a place is held within the array.
BOTH("y wrt x")
__global__ void between(real *y, const real *x, const real *at, int cells, int row, int n) {
    int i = HERE;
    if (i >= n || i % 7 == 3) return;
    const real u = at[i] * (cells - 1);
    const int k = u < cells - 2 ? (int)u : cells - 2;
    const real p = u - k;
    y[i] = (1 - p) * x[row * cells + k] * x[row * cells + k] + p * x[row * cells + k + 1];
}
//= d_x[row * cells + k] +=: cache
//= d_x[row * cells + k + 1] +=: cache

// Floats and doubles have a cache each; more cells than one has places, of two arrays.
BOTH("y wrt x, w")
__global__ void of_two_types(real *y, const real *x, const float *w, const real *at, int cells, int n) {
    int i = HERE;
    if (i >= n) return;
    const int k = (int)(at[i] * (cells - 1));
    y[i] = x[k] * x[k] * w[cells - 1 - k];
}
//= d_x[k] +=: cache
//= d_w[cells - 1 - k] +=: cache

// In a loop whose index has no part in the place.
BOTH("y wrt x")
__global__ void in_a_loop(real *y, const real *x, const real *at, int cells, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < 3; j++) {
        const int k = (int)(at[(i + j) % n] * (cells - 1));
        sum += x[k] * x[k];
    }
    y[i] = sum;
}
//= d_x[k] +=: cache

// On request, what is read from memory; blocks of several rows and planes.
BOTH("y wrt x") GW_ACCUMULATE(x, cache)
__global__ void listed(real *y, const double2 *x, const int *list, int n) {
    const int i = (int)((((blockIdx.x * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x) +
                        threadIdx.x);
    if (i < n) y[i] = x[list[i]].x * x[list[i]].y;
}
//= d_x[list[i]].x +=: cache
//= d_x[list[i]].y +=: cache

// ---- what must not take it ----
// Not by itself: read from memory.
BOTH("y wrt x")
__global__ void not_listed(real *y, const real *x, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[list[i]];
}
//= d_x[list[i]] +=: atomic

// A loop's index has a part in the place.
BOTH("y wrt x")
__global__ void not_along(real *y, const real *x, const real *at, int cells, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < 3; j++) {
        const int k = (int)(at[i] * (cells - 1));
        sum += x[k + j] * x[k + j];
    }
    y[i] = sum;
}
//= d_x[k + j] +=: atomic

// The adjoint is read and zeroed where x is written: what is added has to be there by then.
BOTH("x wrt x")
__global__ void not_written(real *x, const real *at, int cells, int n) {
    int i = HERE;
    if (i >= n) return;
    const int k = (int)(at[i] * (cells - 1));
    x[i] = x[n + k] * x[n + k];
}
//= d_x[n + k] +=: atomic

// The launch may give the kernel all the shared memory that there is.
BOTH("y wrt x")
__global__ void not_beside_dynamic(real *y, const real *x, const real *at, int cells, int n) {
    extern __shared__ real numbers[];
    int i = HERE;
    numbers[threadIdx.x] = i < n ? at[i] : 0;
    __syncthreads();
    if (i >= n) return;
    const int k = (int)(numbers[threadIdx.x] * (cells - 1));
    y[i] = x[k] * x[k];
}
//= d_x[k] +=: atomic

// Too little of the static shared memory is left.
BOTH("y wrt x")
__global__ void not_beside_much(real *y, const real *x, const real *at, int cells, int n) {
    __shared__ real numbers[5632];
    int i = HERE;
    numbers[threadIdx.x] = i < n ? at[i] : 0;
    __syncthreads();
    if (i >= n) return;
    const int k = (int)(numbers[threadIdx.x] * (cells - 1));
    y[i] = x[k] * x[k];
}
//= d_x[k] +=: atomic

// Shared memory has no cache.
BOTH("y wrt x")
__global__ void not_shared(real *y, const real *x, const real *at, int n) {
    __shared__ real numbers[64];
    const int t = (int)threadIdx.x, i = HERE;
    numbers[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (i >= n) return;
    const int k = (int)(at[i] * 63);
    y[i] = numbers[k] * numbers[k];
}
//= d_numbers[k] +=: atomic

#include "cache.grad.cuh"

static std::vector<double> places(int n) {
    std::vector<double> of;
    for (int i = 0; i < n; i++) of.push_back(i * 37 % 101 / 101.0);
    return of;
}
static std::vector<int> lists(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 5);
    return of;
}

CHECK_CASE(between, between, between, 1e-8, 2, 320, out(640), in(27), given(places(640)), 9, 2, 633)
CHECK_CASE(one_block, between, between, 1e-8, 1, 45, out(45), in(27), given(places(45)), 9, 1, 40)
CHECK_CASE(of_two_types, of_two_types, of_two_types, 5e-3, 2, 64, out(128), in(700), in(700),
           given(places(128)), 700, 120)
CHECK_CASE(in_a_loop, in_a_loop, in_a_loop, 1e-8, 2, 64, out(128), in(6), given(places(128)), 6, 120)
CHECK_CASE(listed, listed, listed, 1e-8, dim3(2), dim3(3, 5, 4), out(120), in(5), given(lists(120)), 117)
CHECK_CASE(not_listed, not_listed, not_listed, 1e-8, 2, 64, out(128), in(5), given(lists(128)), 120)
CHECK_CASE(not_along, not_along, not_along, 1e-8, 2, 64, out(128), in(9), given(places(128)), 6, 120)
CHECK_CASE(not_beside_much, not_beside_much, not_beside_much, 1e-8, 2, 64, out(128), in(6),
           given(places(128)), 6, 120)
CHECK_CASE(not_shared, not_shared, not_shared, 1e-8, 2, 64, out(128), in(128), given(places(128)), 120)
TEST_MAIN
