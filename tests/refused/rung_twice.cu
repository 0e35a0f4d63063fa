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
// says: rung_twice.cu:3:70: error: GW_ACCUMULATE(x, atomic): GW_ACCUMULATE(x, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, warp) GW_ACCUMULATE(x, atomic)
// says:                                                                      ^
// says:   way out: keep one of them
// says: rung_twice.cu:11:57: error: GW_ACCUMULATE(d, grid): GW_ACCUMULATE(d.in, warp) asks for another rung [two-rungs]
// says: GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp) GW_ACCUMULATE(d, grid)
// says:                                                         ^
// says:   way out: keep one of them
