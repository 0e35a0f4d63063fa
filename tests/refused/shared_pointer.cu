#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void led(float *y, const float *x) {
    __shared__ const float *row;
    if (threadIdx.x == 0) row = x + blockIdx.x * 32;
    __syncthreads();
    y[threadIdx.x] = row[threadIdx.x];
}
// says: shared_pointer.cu:5:29: error: shared memory of this type cannot be differentiated yet [unsupported]
// says:     __shared__ const float *row;
// says:                             ^
// says:   way out: declare shared arrays of plain numbers and structs
