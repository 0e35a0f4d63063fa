#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void volatile_sum(float *y, const float *x) {
    volatile __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[31 - threadIdx.x];
}
// says: volatile_shared_memory.cu:5:31: error: volatile shared memory cannot be differentiated yet [unsupported]
// says:     volatile __shared__ float s[32];
// says:                               ^
// says:   way out: declare shared arrays of plain numbers and structs
