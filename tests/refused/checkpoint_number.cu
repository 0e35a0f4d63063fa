#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    GW_CHECKPOINT(n) for (int k = 0; k < n; k++) v *= v;
    y[threadIdx.x] = v;
}
// says: checkpoint_number.cu:6:5: error: GW_CHECKPOINT with this number cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT(n) for (int k = 0; k < n; k++) v *= v;
// says:     ^
// says:   way out: give it a constant from 1 to 2147483647
