#include <gradwright/gradwright.h>

__device__ float twice(float v) { return 2 * v; }

GW_GRADIENT("y wrt x")
__global__ void indirect(float *y, const float *x) {
    float (*f)(float) = twice;
    y[threadIdx.x] = f(x[threadIdx.x]);
}
// says: function_pointer.cu:7:13: error: a function pointer cannot be differentiated yet [unsupported]
// says:     float (*f)(float) = twice;
// says:             ^
// says:   way out: use plain scalars, arrays, pointers and structs
