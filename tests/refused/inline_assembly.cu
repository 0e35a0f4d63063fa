#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void assembled(float *y, const float *x) {
    float v = x[threadIdx.x];
    asm volatile("" : "+f"(v));
    y[threadIdx.x] = v * v;
}
