#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, wrap)
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

#define HOW wrap
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, HOW)
__global__ void g(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}
// says: rung_unknown.cu:3:24: error: GW_ACCUMULATE(x, wrap): there is no such rung [unknown-rung]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, wrap)
// says:                        ^
// says:   way out: write auto, owned, posted, gather, phases, warp, grid, block, warp-butterfly, warp-serial, match, cache, bulk, vector, record, slots, exact, copies or atomic
// says: rung_unknown.cu:9:24: error: GW_ACCUMULATE(x, wrap): there is no such rung [unknown-rung]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, HOW)
// says:                        ^
// says:   way out: write auto, owned, posted, gather, phases, warp, grid, block, warp-butterfly, warp-serial, match, cache, bulk, vector, record, slots, exact, copies or atomic
