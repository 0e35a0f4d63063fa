#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void overlaid(float *y, const float *x) {
    extern __shared__ float numbers[];
    extern __shared__ int places[];
    numbers[threadIdx.x] = x[threadIdx.x];
    places[threadIdx.x + 32] = 31 - threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = numbers[places[threadIdx.x + 32]];
}
// says: second_dynamic_shared_memory.cu:6:27: error: a second extern __shared__ array, which lies where the first one does, cannot be differentiated yet [unsupported]
// says:     extern __shared__ int places[];
// says:                           ^
// says:   way out: declare one, and let pointers lead into it
