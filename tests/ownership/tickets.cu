// Cells by numbers that a counter gives out: once each, as long as it does not wrap around.
#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
__global__ void one_each(float *y, const float *x, unsigned *counter) {
    unsigned at = atomicAdd(counter, 1u);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//> assumes gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x <= 4294967296 (so that no index wraps around in 'd_x'): checked at the launch
//= d_x[at] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void several_each(float *y, const float *x, int *counter) {
    int at = atomicAdd(counter, 3);
    if (x[0] > 0) atomicAdd(counter, 4000);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * 2;
}
//> assumes 4003 * gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x <= 4294967296 (so that no index wraps around in 'd_x'): checked at the launch
//= d_x[at] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void several_rounds(float *y, const float *x, unsigned *counter) {
    float sum = 0;
    for (int k = 0; k < 100; k++) sum += x[atomicAdd(counter, 2u)] * 2;
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//> assumes 200 * gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x <= 4294967296 (so that no index wraps around in 'd_x'): checked at the launch
//= d_x[...] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Nobody knows how often.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void many_rounds(float *y, const float *x, unsigned *counter, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += x[atomicAdd(counter, 1u)] * 2;
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[...] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The counter of 64 bits is not used up.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void many_rounds_of_64_bits(float *y, const float *x, unsigned long long *counter, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += x[atomicAdd(counter, 1ull)] * 2;
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[...] +=: plain
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A queue: whoever finds it empty leaves.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void queue(float *y, const float *x, unsigned *counter, unsigned n, int most) {
    for (int k = 0; k < most; k++) {
        unsigned at = atomicAdd(counter, 1u);
        if (at >= n) break;
        y[at] = x[at] * x[at];
    }
}
//> assumes gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x + n <= 4294967294 (so that no index wraps around in 'd_y'): checked at the launch
//= d_x[at] +=: plain
//= d_y[at] =: plain
//= read d_y[at]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void queue_of_int(float *y, const float *x, int *counter, int n, int most) {
    for (int k = 0; k < most; k++) {
        int at = atomicAdd(counter, 4);
        if (n <= at) break;
        y[at] = x[at] * x[at];
    }
}
//> assumes 4 * gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x + n <= 2147483640 (so that no index wraps around in 'd_y'): checked at the launch
//= d_x[at] +=: plain
//= d_y[at] =: plain
//= read d_y[at]: plain

// Widened before it is compared: from a counter of int come 2^31 numbers below any n.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void queue_of_widened(float *y, const float *x, int *counter, unsigned n, int most) {
    for (int k = 0; k < most; k++) {
        long long at = atomicAdd(counter, 1);
        if (at >= n) break;
        y[at] = x[at] * x[at];
    }
}
//> assumes gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x + n <= 2147483646 (so that no index wraps around in 'd_y'): checked at the launch
//= d_x[at] +=: plain
//= d_y[at] =: plain
//= read d_y[at]: plain

// Who finds no item goes on drawing: the counter may go round.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void drawn_on(float *y, const float *x, unsigned *counter, unsigned n, unsigned far, int most) {
    float sum = 0;
    for (int k = 0; k < most; k++) {
        unsigned at = atomicAdd(counter, 1u);
        if (at < n) sum += x[at] * x[at];
        if (at == far) break;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// All threads of a row together draw n.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void grid_stride(float *y, const float *x, unsigned *counter, int n, unsigned room) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned at = atomicAdd(counter, 1u);
        if (at < room) y[i] = x[at] * x[at];
    }
}
//> assumes gridDim.z * gridDim.y * gridDim.x * blockDim.z * blockDim.y * blockDim.x + gridDim.z * gridDim.y * blockDim.z * blockDim.y * n <= 4294967296 (so that no index wraps around in 'd_x'): checked at the launch
//= d_x[at] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// By less than the threads are; from before 0; n of no other addition may be less than none.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void block_stride(float *y, const float *x, unsigned *counter, int n, unsigned room) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
        unsigned at = atomicAdd(counter, 1u);
        if (at < room) sum += x[at] * x[at];
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void from_before(float *y, const float *x, unsigned *counter, int n, unsigned room) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x - n; i < n; i += gridDim.x * blockDim.x) {
        unsigned at = atomicAdd(counter, 1u);
        if (at < room) sum += x[at] * x[at];
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_SPLIT_GRADIENT("y wrt x")
__global__ void two_additions(float *y, const float *x, unsigned *counter, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(counter, 1u);
    unsigned at = atomicAdd(counter, 3u);
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[at] * x[at];
}
//= d_x[at] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A list of a block.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void list_of_block(float *y, const float *x, int n) {
    __shared__ int count;
    __shared__ float list[64];
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int at = atomicAdd(&count, 1);
        if (at < 64) list[at] = x[i] * x[i];
    }
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x < 64 ? list[threadIdx.x] : 0;
}
//> assumes blockDim.z * blockDim.y * blockDim.x + blockDim.z * blockDim.y * n <= 4294967296 (so that no index wraps around in 'd_list'): checked at the launch
//= d_x[i] +=: atomic
//= d_list[at] =: plain
//= read d_list[at]: plain
//= d_list[threadIdx.x] +=: plain
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
