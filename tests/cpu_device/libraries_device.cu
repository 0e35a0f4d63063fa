// thrust::device where only an algorithm's header is included, as Thrust's CUDA system has it (XSBench).
#include <thrust/reduce.h>
#include "check.h"

__global__ void count(int *x) { x[threadIdx.x] = (int)threadIdx.x; }

int main() {
    int *x;
    OK(cudaMallocManaged(&x, 32 * sizeof(int)));
    count<<<1, 32>>>(x);
    OK(cudaDeviceSynchronize());
    CHECK(thrust::reduce(thrust::device, x, x + 32, 0) == 31 * 16);
    OK(cudaFree(x));
    return 0;
}
