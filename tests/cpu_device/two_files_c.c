/* part of two_files.cu: the runtime API from C */
#include <cuda_runtime_api.h>

int plain_c(int *device, int value) {
    int back = 0;
    if (cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice) != cudaSuccess ||
        cudaMemcpy(&back, device, sizeof back, cudaMemcpyDeviceToHost) != cudaSuccess)
        return -1;
    return back;
}
