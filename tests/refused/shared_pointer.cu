#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void led(float *y, const float *x) {
#ifdef OBEYED
    __shared__ int row;
    if (threadIdx.x == 0) row = blockIdx.x * 32;
#else
    __shared__ const float *row;
    if (threadIdx.x == 0) row = x + blockIdx.x * 32;
#endif
    __syncthreads();
#ifdef OBEYED
    y[threadIdx.x] = x[row + threadIdx.x];
#else
    y[threadIdx.x] = row[threadIdx.x];
#endif
}
// obeys: unsupported
// says: shared_pointer.cu:9:29: error: shared memory of this type cannot be differentiated yet [unsupported]
// says:     __shared__ const float *row;
// says:                             ^
// says:   way out: declare shared arrays of plain numbers and structs
