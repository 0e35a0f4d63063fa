#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y, between wrt x")
#else
GW_GRADIENT("y wrt x")
#endif
__global__ void through_others(float *y, float *between, const float *x) {
    between[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    y[threadIdx.x] = between[threadIdx.x ^ 1];
}
// obeys: active-global
// says: active_global.cu:10:22: error: 'between' carries a derivative from one access to another but is neither an output nor an input of the request [active-global]
// says:     y[threadIdx.x] = between[threadIdx.x ^ 1];
// says:                      ^
// says:   way out: add it to the request
