// The first argument of __launch_bounds__: a macro, constants, of templates by their arguments, of the declaration.
#include <gradwright/gradwright.h>

#define BLOCK 256
constexpr int half_warp = 16;
template <class T> struct traits {
    static constexpr int threads = 96;
};
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
__global__ void __launch_bounds__(BLOCK) fixed(float *y, const float *x, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

GW_SPLIT_GRADIENT("y wrt x")
__launch_bounds__(8 * half_warp, 3) __global__ void with_blocks(float *y, const float *x) { y[HERE] = x[HERE] * x[HERE]; }

template <int N> GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(N * BLOCK / 256, 2) by_number(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE];
}
template <class T> GW_GRADIENT("y wrt x") __global__ void __launch_bounds__(traits<T>::threads) by_type(T *y, const T *x) {
    y[HERE] = x[HERE] * x[HERE];
}
template __global__ void by_number<64>(float *, const float *);
template __global__ void by_type<float>(float *, const float *);

__global__ void __launch_bounds__(32) declared(float *y, const float *x);
GW_GRADIENT("y wrt x") __global__ void declared(float *y, const float *x) { y[HERE] = x[HERE] * x[HERE]; }

GW_GRADIENT("y wrt x") GW_COARSEN(4)
__global__ void __launch_bounds__(128) coarse(float *y, const float *x) { y[HERE] = x[HERE] * x[HERE]; }

GW_GRADIENT("y wrt x")
__global__ void unbounded(float *y, const float *x) { y[HERE] = x[HERE] * x[HERE]; }
