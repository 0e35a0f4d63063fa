#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(d_x, warp)
#endif
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

struct data {
    float *out, *in;
};
#ifdef OBEYED
GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.in, warp)
#else
GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.on, warp)
#endif
__global__ void g(data d) {
    d.out[threadIdx.x] = d.in[blockIdx.x];
}
// obeys: rung-of-nothing
// says: rung_of_nothing.cu:6:24: error: GW_ACCUMULATE(d_x, warp): 'f' has no parameter or shared array of that name [rung-of-nothing]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(d_x, warp)
// says:                        ^
// says:   way out: name what the function reads, not its adjoint: GW_ACCUMULATE(x, warp), GW_ACCUMULATE(d.grid, atomic)
// says: rung_of_nothing.cu:18:31: error: GW_ACCUMULATE(d.on, warp): 'g' has no parameter or shared array of that name [rung-of-nothing]
// says: GW_GRADIENT("d.out wrt d.in") GW_ACCUMULATE(d.on, warp)
// says:                               ^
// says:   way out: name what the function reads, not its adjoint: GW_ACCUMULATE(x, warp), GW_ACCUMULATE(d.grid, atomic)
