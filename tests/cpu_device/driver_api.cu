// The driver API by the runtime API: devices, contexts, memory, streams, and errors by name.
#include "check.h"
#include <cstring>
#include <cuda.h>

__global__ void twice(float *p) { p[threadIdx.x] *= 2; }

int main() {
    CUdevice device;
    CUcontext context;
    CUdeviceptr pointer;
    int count = 0, major = 0, other = 1;
    char name[64];
    const char *text = nullptr;
    size_t bytes = 0;
    CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 1);
    CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS && cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
          cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS);
    CHECK(strstr(name, "CPU") && cuDeviceTotalMem(&bytes, device) == CUDA_SUCCESS && bytes > 0);
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) == CUDA_SUCCESS);
    CHECK(major == 8);
    CHECK(cuDeviceGetAttribute(&other, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, device) ==
          CUDA_SUCCESS);
    CHECK(other == 0);
    CHECK(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS);
    float values[4] = {1, 2, 3, 4};
    CHECK(cuMemAlloc(&pointer, sizeof values) == CUDA_SUCCESS);
    CHECK(cuMemcpyHtoD(pointer, values, sizeof values) == CUDA_SUCCESS);
    twice<<<1, 4>>>((float *)pointer);
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(values, pointer, sizeof values) == CUDA_SUCCESS && values[3] == 8);
    CHECK(cuMemFree(pointer) == CUDA_SUCCESS && cuMemFree(pointer) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text) == CUDA_SUCCESS && strstr(text, "invalid"));
    CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
    return 0;
}
