#include <gradwright/gradwright.h>

__device__ float twice(float v) { return 2 * v; }
__device__ float half(float v) { return v / 2; }

GW_GRADIENT("y wrt x")
__global__ void indirect(float *y, const float *x) {
#ifdef OBEYED
    y[threadIdx.x] = threadIdx.x > 3 ? half(x[threadIdx.x]) : twice(x[threadIdx.x]);
#else
    float (*f)(float) = twice;
    if (threadIdx.x > 3) f = half;
    y[threadIdx.x] = f(x[threadIdx.x]);
#endif
}
// obeys: unsupported
// says: function_pointer.cu:13:22: error: a call through a pointer that may lead to several functions cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = f(x[threadIdx.x]);
// says:                      ^
// says:   way out: call the function by its name
