#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void assembled(float *y, const float *x) {
    float v = x[threadIdx.x];
    asm volatile("" : : "r"(v) : "memory");
    y[threadIdx.x] = v * v;
}
// says: inline_assembly.cu:6:5: error: inline assembly cannot be differentiated yet [unsupported]
// says:     asm volatile("" : : "r"(v) : "memory");
// says:     ^
// says:   way out: use the function that it stands for
