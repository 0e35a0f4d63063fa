#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void lanes(float *y, const float *x, int n, int most) {
    float v = x[threadIdx.x];
    for (int k = 0; k < most; k++) {
        if (v > k) {
            float other = __shfl_sync(__activemask(), v, 0);
            GW_RECOMPUTE(other);
            v = v * other * other;
        }
    }
    y[threadIdx.x] = v;
}
// says: recompute_lanes.cu:9:13: error: GW_RECOMPUTE of 'other', but computed again it might not be the same: the lanes that come to it make it [not-the-same]
// says:             GW_RECOMPUTE(other);
// says:             ^
// says:   way out: take the mark away, or mark values that it is computed from
