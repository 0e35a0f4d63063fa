// Launch and memory errors: the right code, remembered once, and no harm done.
#include "check.h"
#include <cstring>

__global__ void touch(int *p) { *p = 1; }
static cudaError_t launch(dim3 grid, dim3 block, size_t shared, int *p) {
    touch<<<grid, block, shared>>>(p);
    const cudaError_t error = cudaPeekAtLastError();
    CHECK(cudaGetLastError() == error);
    CHECK(cudaGetLastError() == cudaSuccess);
    return error;
}

int main() {
    int *p, host = 0;
    OK(cudaMallocManaged(&p, 4 * sizeof(int)));
    *p = 0;
    CHECK(launch(1, 1025, 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, dim3(32, 33), 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, dim3(1, 1, 65), 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 0, 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(0, 1, 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(dim3(1, 65536), 1, 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(dim3(1, 1, 65536), 1, 0, p) == cudaErrorInvalidConfiguration);
    CHECK(launch(1, 1, 49153, p) == cudaErrorInvalidValue);
    CHECK(*p == 0);
    CHECK(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449) ==
          cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    (void)cudaGetLastError();
    CHECK(launch(1, 1, 100000, p) == cudaSuccess);
    CHECK(*p == 1);
    CHECK(cudaLaunchKernel((const void *)&host, 1, 1, nullptr, 0, 0) == cudaErrorInvalidDeviceFunction);
    CHECK(cudaFree(&host) == cudaErrorInvalidValue);
    CHECK(cudaFree(p + 1) == cudaErrorInvalidValue);
    OK(cudaFree(nullptr));
    int *d;
    OK(cudaMalloc(&d, 4 * sizeof(int)));
    CHECK(cudaFreeHost(d) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(d, &host, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(d + 3, d, 8, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(d, &host, 4, (cudaMemcpyKind)9) == cudaErrorInvalidMemcpyDirection);
    CHECK(cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemset(d, 0, 17) == cudaErrorInvalidValue);
    CHECK(cudaMemset(&host, 0, 4) == cudaErrorInvalidValue);
    OK(cudaFree(d));
    CHECK(cudaFree(d) == cudaErrorInvalidValue);
    CHECK(cudaMalloc(&d, (size_t)1 << 62) == cudaErrorMemoryAllocation);
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    CHECK(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    int attribute;
    OK(cudaDeviceGetAttribute(&attribute, cudaDevAttrMaxGridDimY, 0));
    CHECK(attribute == 65535);
    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    size_t available, total;
    OK(cudaMemGetInfo(&available, &total));
    CHECK(available > 0 && available <= total);
}
