#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void ragged(float *y, const float *x, const int *steps) {
    float v = x[threadIdx.x];
    for (int k = 0; k < steps[threadIdx.x]; k++) v = v * v;
    y[threadIdx.x] = v;
}
// says: tape_bound_on_device.cu:6:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (int k = 0; k < steps[threadIdx.x]; k++) v = v * v;
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
