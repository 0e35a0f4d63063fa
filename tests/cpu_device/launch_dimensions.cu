// Every thread of 1-D, 2-D and 3-D launches runs once, with its own indices.
#include "check.h"

__global__ void count(int *cells) {
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    cells[block * blockDim.x * blockDim.y * blockDim.z + thread] += 1 + (int)thread;
}

static void run(dim3 grid, dim3 block) {
    const unsigned threads = block.x * block.y * block.z;
    const unsigned n = grid.x * grid.y * grid.z * threads;
    int *device;
    OK(cudaMalloc(&device, n * sizeof(int)));
    OK(cudaMemset(device, 0, n * sizeof(int)));
    count<<<grid, block>>>(device);
    OK(cudaGetLastError());
    int *host = (int *)malloc(n * sizeof(int));
    OK(cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; ++i)
        CHECK(host[i] == 1 + (int)(i % threads));
    free(host);
    OK(cudaFree(device));
}

int main() {
    run(1, 1);
    run(7, 33);
    run(dim3(3, 5), dim3(8, 4));
    run(dim3(2, 3, 4), dim3(5, 2, 3));
    run(1, 1024);
    run(dim3(1, 1, 2), dim3(4, 4, 64));
    static_assert(warpSize == 32, "warp size");
}
