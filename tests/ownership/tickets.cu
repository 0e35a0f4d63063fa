// Cells by numbers that a counter gives out: once each, unless it wraps around.
#include <gradwright/gradwright.h>
//> assumes that counters that give out numbers in one_each do not wrap around

GW_SPLIT_GRADIENT("y wrt x")
__global__ void one_each(float *y, const float *x, unsigned *counter) {
    unsigned at = atomicAdd(counter, 1u);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//= d_x[at] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void several_each(float *y, const float *x, int *counter) {
    int at = atomicAdd(counter, 3);
    if (x[0] > 0) atomicAdd(counter, 4096);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//= d_x[at] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The third thread has the number of the first.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void half_of_all(float *y, const float *x, unsigned *counter) {
    unsigned at = atomicAdd(counter, 1u << 31);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void sent_back(float *y, const float *x, unsigned *counter) {
    unsigned at = atomicAdd(counter, 1u);
    if (at == 7u) atomicAdd(counter, 4294967295u);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
