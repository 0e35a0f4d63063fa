#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    GW_CHECKPOINT_BINOMIAL(65537) for (int k = 0; k < n; k++) v *= v;
    y[threadIdx.x] = v;
}
// says: binomial_number.cu:6:5: error: GW_CHECKPOINT_BINOMIAL with this number cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT_BINOMIAL(65537) for (int k = 0; k < n; k++) v *= v;
// says:     ^
// says:   way out: give it a constant from 1 to 65536
