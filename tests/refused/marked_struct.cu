#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float2 *x) {
    float2 v = x[threadIdx.x];
#ifdef OBEYED
    GW_STORE(v.x);
    GW_STORE(v.y);
#else
    GW_STORE(v);
#endif
    y[threadIdx.x] = v.x * v.y;
}
// obeys: unsupported
// says: marked_struct.cu:10:5: error: GW_STORE of anything but a number cannot be differentiated yet [unsupported]
// says:     GW_STORE(v);
// says:     ^
// says:   way out: mark members and elements one by one
