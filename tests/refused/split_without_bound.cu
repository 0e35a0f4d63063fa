#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void halved(float *y, const float *x) {
    float v = x[threadIdx.x];
    while (v > 1) v = v * v * 0.5f;
    y[threadIdx.x] = v;
}
// says: split_without_bound.cu:6:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     while (v > 1) v = v * v * 0.5f;
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter
