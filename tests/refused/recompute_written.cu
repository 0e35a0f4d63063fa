#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x, y")
__global__ void in_place(float *y, const float *x) {
    float former = y[threadIdx.x];
#ifndef OBEYED
    GW_RECOMPUTE(former);
#endif
    y[threadIdx.x] = former * former * x[threadIdx.x];
}
// obeys: not-the-same
// says: recompute_written.cu:7:5: error: GW_RECOMPUTE of 'former', but computed again it might not be the same: its cell is overwritten [not-the-same]
// says:     GW_RECOMPUTE(former);
// says:     ^
// says:   way out: take the mark away, or mark values that it is computed from
