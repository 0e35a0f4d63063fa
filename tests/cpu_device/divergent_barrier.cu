// expect: divergent_barrier.cu:9:9: error: divergent barrier: thread (0,0,0) waits at
// expect: divergent_barrier.cu:11:9; block (1,0,0), thread (4,0,0)
// expect: after
// A barrier under a condition that differs within the block is an error at its line; the device can be reset.
#include "check.h"

__global__ void divergent(int *p, unsigned limit) {
    if (threadIdx.x > limit) {
        __syncthreads();
    } else if (blockIdx.x == 1) {
        __syncthreads();
    }
    p[threadIdx.x] = 1;
}

int main() {
    int *p;
    OK(cudaMallocManaged(&p, 64 * sizeof(int)));
    p[0] = 0;
    divergent<<<2, 64>>>(p, 100);
    CHECK(p[0] == 1);
    p[0] = 0;
    for (int i = 0; i < 3; ++i) {
        OK(cudaDeviceReset());
        OK(cudaMallocManaged(&p, 64 * sizeof(int)));
        p[63] = 0;
        divergent<<<2, 64>>>(p, 3);
        CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
        CHECK(p[63] == 1); // block 0: threads that have ended count as arrived
    }
    OK(cudaDeviceReset());
    OK(cudaMallocManaged(&p, 64 * sizeof(int)));
    divergent<<<2, 64>>>(p, 100);
    OK(cudaDeviceSynchronize());
    puts("after");
}
