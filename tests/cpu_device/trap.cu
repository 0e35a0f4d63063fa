// A kernel that traps: its other threads do not run, and the error lasts until the device is reset.
#include "check.h"

__global__ void stop_at(int *count, unsigned at) {
    if (threadIdx.x == at) __trap();
    ++*count;
}

int main() {
    int *count;
    OK(cudaMallocManaged(&count, sizeof *count));
    *count = 0;
    stop_at<<<4, 32>>>(count, 99);
    OK(cudaDeviceSynchronize());
    CHECK(*count == 128);
    *count = 0;
    stop_at<<<4, 32>>>(count, 5);
    OK(cudaGetLastError()); // the launch itself was good
    CHECK(*count == 5);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    CHECK(cudaGetLastError() == cudaErrorLaunchFailure);
    void *p;
    CHECK(cudaMalloc(&p, 4) == cudaErrorLaunchFailure);
    stop_at<<<1, 1>>>(count, 99);
    CHECK(*count == 5);
    OK(cudaDeviceReset());
    OK(cudaMallocManaged(&count, sizeof *count));
    *count = 0;
    stop_at<<<1, 3>>>(count, 99);
    OK(cudaDeviceSynchronize());
    CHECK(*count == 3);
}
