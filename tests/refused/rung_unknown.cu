#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
#else
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, wrap)
#endif
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

#ifdef OBEYED
#define HOW auto
#else
#define HOW wrap
#endif
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, HOW)
__global__ void g(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}
// obeys: unknown-rung
// says: rung_unknown.cu:6:24: error: GW_ACCUMULATE(x, wrap): there is no such rung [unknown-rung]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, wrap)
// says:                        ^
// says:   way out: write auto, owned, posted, gather, phases, warp, grid, block, warp-butterfly, warp-serial, match, cache, bulk, vector, record, slots, exact, copies or atomic
// says: rung_unknown.cu:17:24: error: GW_ACCUMULATE(x, wrap): there is no such rung [unknown-rung]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, HOW)
// says:                        ^
// says:   way out: write auto, owned, posted, gather, phases, warp, grid, block, warp-butterfly, warp-serial, match, cache, bulk, vector, record, slots, exact, copies or atomic
