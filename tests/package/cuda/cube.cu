// A source that knows nothing of Gradwright, with a library of CUDA's that has a folder of its own.
#include <cuda/std/array>
#include <thrust/device_ptr.h>

float *raw(thrust::device_ptr<float> p) { return p.get(); }

__global__ void cube(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i] * x[i];
}
