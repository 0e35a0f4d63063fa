#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, atomic)
#endif
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

struct data {
    float *out, *in;
};
#ifdef OBEYED
GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d, grid)
#else
GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp) GW_ACCUMULATE(d, grid)
#endif
__global__ void g(data d) {
    d.out[threadIdx.x] = d.in[blockIdx.x];
}

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp, other)
#endif
__global__ void h(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

#ifdef OBEYED
GW_GRADIENT("one = y wrt x") GW_GRADIENT("two = y wrt x") GW_ACCUMULATE(x, warp, one)
#else
GW_GRADIENT("one = y wrt x") GW_GRADIENT("two = y wrt x") GW_ACCUMULATE(x, warp, one) GW_ACCUMULATE(x, grid, one)
#endif
__global__ void k(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}
// obeys: two-rungs rung-of-no-addition
// says: rung_twice.cu:6:70: error: GW_ACCUMULATE(x, atomic): GW_ACCUMULATE(x, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, atomic)
// says:                                                                      ^
// says:   way out: keep one of them
// says: rung_twice.cu:18:57: error: GW_ACCUMULATE(d, grid): GW_ACCUMULATE(d.in, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp) GW_ACCUMULATE(d, grid)
// says:                                                         ^
// says:   way out: keep one of them
// says: rung_twice.cu:27:24: error: GW_ACCUMULATE(x, warp): there is no gradient of the name behind the rung [rung-of-no-addition]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp, other)
// says:                        ^
// says:   way out: take the mark away
// says: rung_twice.cu:36:87: error: GW_ACCUMULATE(x, grid): GW_ACCUMULATE(x, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("one = y wrt x") GW_GRADIENT("two = y wrt x") GW_ACCUMULATE(x, warp, one) GW_ACCUMULATE(x, grid, one)
// says:                                                                                       ^
// says:   way out: keep one of them
