// A sum by CUB and a map by Thrust, as small as they are: what is emitted of them goes through nvcc by default,
// and the larger programs of both in the full run.
#include <cub/cub.cuh>
#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform.h>

GW_GRADIENT("loss wrt x") void sum(float *loss, const float *x, int n) {
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x, loss, n);
    void *storage;
    cudaMalloc(&storage, bytes);
    cub::DeviceReduce::Sum(storage, bytes, x, loss, n);
    cudaFree(storage);
}

GW_GRADIENT("y wrt x")
void squares(thrust::device_vector<float> &y, const thrust::device_vector<float> &x) {
    thrust::transform(x.begin(), x.end(), y.begin(), thrust::square<float>());
}

#include "small.grad.cuh"
