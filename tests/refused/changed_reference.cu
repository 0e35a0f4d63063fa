#include <gradwright/gradwright.h>

__device__ const float &larger(const float &a, const float &b) { return a > b ? a : b; }
__device__ float after(const float &of, float &changed) {
    changed *= 2;
    return of;
}

GW_GRADIENT("y wrt x")
__global__ void changed_reference(float *y, const float *x) {
    float a = x[threadIdx.x], b = 1;
#ifdef OBEYED
    const float most = larger(a, b);
    y[threadIdx.x] = after(most, a);
#else
    y[threadIdx.x] = after(larger(a, b), a);
#endif
}
// obeys: unsupported
// says: changed_reference.cu:16:22: error: a reference that may lead to two objects cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = after(larger(a, b), a);
// says:                      ^
// says:   way out: pass a copy, or use an if
