#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, long n, long step) {
    float v = x[threadIdx.x];
    GW_CHECKPOINT(4) for (long k = 0; k < n; k += step) v *= v;
    y[threadIdx.x] = v;
}
// says: checkpoint_of_wide_steps.cu:6:22: error: GW_CHECKPOINT on a loop whose 64-bit index runs to its end in steps that are not constant cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT(4) for (long k = 0; k < n; k += step) v *= v;
// says:                      ^
// says:   way out: write 'index < limit' with a constant step
