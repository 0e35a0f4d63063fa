#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void assembled(float *y, const float *x) {
    float v = x[threadIdx.x];
#ifndef OBEYED
    asm volatile("" : : "r"(v) : "memory");
#endif
    y[threadIdx.x] = v * v;
}
// obeys: unsupported
// says: inline_assembly.cu:7:5: error: inline assembly cannot be differentiated yet [unsupported]
// says:     asm volatile("" : : "r"(v) : "memory");
// says:     ^
// says:   way out: use the function that it stands for
