// What kernels say beside arithmetic: read-only loads, launch bounds; printing and checks, which derivatives
// leave out.
#include "../support/check.cuh"

#include <cassert>
#include <cstdio>

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct two {
    real a, b;
};
CHECK_CELLS(two, CHECK_CELL(two, a), CHECK_CELL(two, b))

BOTH("y wrt x, p")
__global__ void __launch_bounds__(64, 2)
    read_only(real *y, const real *__restrict__ x, const two *__restrict__ p, const int *f, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = __ldg(x + i) * __ldg(&x[(i + 1) % n]) + __ldcs(&p[i].a) * __ldca(&p[i].b);
    y[i] = v * v * __ldg(&f[i]) + __ldcg(x + i);
}

template <int BLOCK> __device__ real scaled(real v) { return v * v * BLOCK; }
__launch_bounds__(32) BOTH("y wrt x")
__global__ void bounded(real *y, const real *x) { y[HERE] = scaled<32>(x[HERE]); }

// Derivatives neither print nor stop, the first half of a split gradient included.
BOTH("y wrt x")
__global__ void talks(real *y, const real *x, int n, int loud) {
    int i = HERE;
    assert(i < 1000);
    if (i >= n) return;
    real v = x[i] * x[i];
    if (loud && i == 0) printf("x[0] = %g, n = %d\n", v, n);
    assert(v >= 0 && "a square");
    y[i] = v * v;
}

// A read-modify-write under a check that is not there in the gradient.
BOTH("y wrt x")
__global__ void checked(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += blockDim.x * gridDim.x) {
        real v = sqrt(x[i]);
        if (v != v) {
            printf("cell %d is not a number\n", i);
            continue;
        }
        y[i] = v * x[i];
    }
}

// Loads and stores that say how they are cached, of structs too.
BOTH("y wrt x")
__global__ void cached(double *y, const double2 *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 v = __ldg(x + i), w = __ldcg(&x[(i + 1) % n]), u = __ldlu(x + i);
    __stcg(y + 2 * i, v.x * v.y * w.y + u.x);
    __stwt(y + 2 * i + 1, w.x * v.y);
}

#include "device_code.grad.cuh"

CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))
CHECK_KERNEL(cached, 1, 32, out(40), in(20), 20)
CHECK_KERNEL(read_only, 2, 64, out(100), in(100), in(100), list(std::vector<double>(100, 3)), 100)
CHECK_KERNEL(bounded, 2, 32, out(64), in(64))
CHECK_KERNEL(talks, 2, 32, out(50), in(50), 50, 0)
CHECK_KERNEL(checked, 2, 16, out(50), in(50), 50)
TEST_MAIN
