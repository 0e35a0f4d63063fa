#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, atomic)
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

struct data {
    float *out, *in;
};
GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp) GW_ACCUMULATE(d, grid)
__global__ void g(data d) {
    d.out[threadIdx.x] = d.in[blockIdx.x];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp, other)
__global__ void h(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

GW_GRADIENT("one = y wrt x") GW_GRADIENT("two = y wrt x") GW_ACCUMULATE(x, warp, one) GW_ACCUMULATE(x, grid, one)
__global__ void k(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}
// says: rung_twice.cu:3:70: error: GW_ACCUMULATE(x, atomic): GW_ACCUMULATE(x, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, atomic)
// says:                                                                      ^
// says:   way out: keep one of them
// says: rung_twice.cu:11:57: error: GW_ACCUMULATE(d, grid): GW_ACCUMULATE(d.in, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp) GW_ACCUMULATE(d, grid)
// says:                                                         ^
// says:   way out: keep one of them
// says: rung_twice.cu:16:24: error: GW_ACCUMULATE(x, warp): there is no gradient of the name behind the rung [rung-of-no-addition]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp, other)
// says:                        ^
// says:   way out: take the mark away
// says: rung_twice.cu:21:87: error: GW_ACCUMULATE(x, grid): GW_ACCUMULATE(x, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("one = y wrt x") GW_GRADIENT("two = y wrt x") GW_ACCUMULATE(x, warp, one) GW_ACCUMULATE(x, grid, one)
// says:                                                                                       ^
// says:   way out: keep one of them
