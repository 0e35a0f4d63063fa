#include <gradwright/gradwright.h>

// x[0] is multiplied, and may be overwritten later by the same launch.
#ifdef OBEYED
GW_SPLIT_GRADIENT("y, x wrt x")
#else
GW_GRADIENT("y, x wrt x")
#endif
__global__ void overwrites(float *y, float *x, const int *to) {
    float v = 0;
    for (int k = 0; k < 4; k++) {
        v += x[to[k]] * x[to[k]];
        x[to[k + 1]] = v;
    }
    y[threadIdx.x] = v;
}
// obeys: stale-value
// says: stale_value.cu:12:14: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:         v += x[to[k]] * x[to[k]];
// says:              ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
