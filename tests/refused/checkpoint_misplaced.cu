#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    GW_CHECKPOINT(4) v *= v;
    y[threadIdx.x] = v;
}
// says: checkpoint_misplaced.cu:6:5: error: GW_CHECKPOINT before anything but a loop cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT(4) v *= v;
// says:     ^
// says:   way out: write it right before 'for', 'while' or 'do'
