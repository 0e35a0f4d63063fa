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

BOTH("y wrt x")
__global__ void streamed(double2 *y, const double2 *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 v = __ldcs(x + i), w = __ldcv(&x[(i + 1) % n]);
    v.x *= w.y;
    __stcs(y + 2 * i, v);
    __stwb(y + 2 * i + 1, w);
    __stcs(&y[2 * i + 1].y, __ldcs(&x[i].x) * __ldcv(&x[i].y));
    __stwb(&y[2 * i].y, v.x * v.y);
}

// Constants by a template's argument, of kernels and host code alike, and variables that are volatile.
template <int N> constexpr double weight = 1.0 / N;
template <int N> __device__ constexpr double shift = 0.25 * N;
template <class T> inline constexpr int pieces = sizeof(T) / 4;
BOTH("y wrt x")
__global__ void by_template(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = weight<3> * x[i] * x[i] + shift<5> * x[i] * pieces<double>;
}
BOTH("y wrt x")
__global__ void changing(double *y, const double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile double v = x[i], w[3];
    volatile int k = i % 3;
    for (int j = 0; j < 3; j++) w[j] = v * x[(i + j) % n];
    v = v * w[k];
    y[i] = v * w[2] + w[(k + 1) % 3];
}

#include "device_code.grad.cuh"

CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))
CHECK_KERNEL(cached, 1, 32, out(40), in(20), 20)
CHECK_KERNEL(streamed, 1, 32, out(40), in(20), 20)
CHECK_KERNEL(by_template, 1, 32, out(20), in(20), 20)
CHECK_KERNEL(changing, 1, 20, out(20), in(20), 20)
CHECK_KERNEL(read_only, 2, 64, out(100), in(100), in(100), list(std::vector<double>(100, 3)), 100)
CHECK_KERNEL(bounded, 2, 32, out(64), in(64))
CHECK_KERNEL(talks, 2, 32, out(50), in(50), 50, 0)
CHECK_KERNEL(checked, 2, 16, out(50), in(50), 50)
TEST_MAIN
