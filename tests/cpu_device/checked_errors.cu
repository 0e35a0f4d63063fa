// flags: --checked
// expect: checked_errors.cu:42:18: error: reads byte 252 of 'tile', which no thread of the block has written yet; block (0,0,0), thread (0,0,0)
// expect: checked_errors.cu:47:18: error: race in shared memory: reads byte 0 of 'tile', which thread (0,0,0) wrote at
// expect: checked_errors.cu:48:17 with no barrier between them; block (0,0,0), thread (1,0,0)
// expect: checked_errors.cu:54:19: error: reads byte 252 of 'tile', which no thread of the block has written yet; block (0,0,0), thread (31,0,0)
// expect: checked_errors.cu:59:9: error: race in shared memory: updates byte 0 of 'count', which thread (0,0,0) read at
// expect: checked_errors.cu:60:25 with no barrier between them; block (0,0,0), thread (1,0,0)
// expect: checked_errors.cu:65:18: error: race in shared memory: reads byte 120 of 'tile', which thread (30,0,0) wrote at
// expect: checked_errors.cu:63:17 with no barrier between them; block (0,0,0), thread (31,0,0)
// expect: checked_errors.cu:71:22: error: race in shared memory: reads byte 0 of 'tile', which thread (0,0,0) wrote at
// expect: checked_errors.cu:69:21 with no barrier between them; block (0,0,0), thread (1,0,0)
// expect: checked_errors.cu:75:25: error: 'tile' has 256 bytes, the access is to 4 bytes from byte 256 on; block (0,0,0), thread (63,0,0)
// expect: checked_errors.cu:78:20: error: 'dynamic' has 252 bytes, the access is to 4 bytes from byte 252 on; block (0,0,0), thread (63,0,0)
// expect: checked_errors.cu:19:50: error: 'tile' has 256 bytes, the access is to 4 bytes from byte 256 on; block (0,0,0), thread (63,0,0)
// expect: checked_errors.cu:88:18: error: reads byte 20 of 'tile', which no thread of the block has written yet; block (0,0,0), thread (5,0,0)
// Shared memory in the checked build: each mistake is an error at its line, with the other access's line.
#include "check.h"

__device__ float second(const float *p) { return p[1]; }
enum {
    neighbour,
    overwritten,
    warp_late,
    plain_and_atomic,
    after_shuffle,
    loop_without_second_barrier,
    past_end,
    past_dynamic_end,
    through_pointer,
    never_written,
    mistakes
};

__global__ void mistake(float *out, int which) {
    __shared__ float tile[64];
    __shared__ int count;
    extern __shared__ float dynamic[];
    const int t = (int)threadIdx.x;
    switch (which) {
    case neighbour:
        tile[t] = 1;
        out[t] = tile[63 - t];
        break;
    case overwritten:
        tile[t] = 1;
        __syncthreads();
        out[t] = tile[t / 2];
        tile[t] = 2;
        break;
    case warp_late:
        tile[t] = 1;
        __syncwarp();
        out[t] = tile[t ^ 1];
        out[t] += tile[t ^ 32];
        break;
    case plain_and_atomic:
        if (t == 0) count = 0;
        __syncthreads();
        atomicAdd(&count, 1);
        out[t] = (float)count;
        break;
    case after_shuffle:
        tile[t] = 1;
        out[t] = __shfl_down_sync(0xffffffffu, 1.0f, 1);
        out[t] = tile[t ^ 1];
        break;
    case loop_without_second_barrier:
        for (int i = 0; i < 2; ++i) {
            tile[t] = (float)i;
            __syncthreads();
            out[t] = tile[t ^ 1];
        }
        break;
    case past_end:
        *(tile + t + 1) = 1;
        break;
    case past_dynamic_end:
        dynamic[t] = 1;
        break;
    case through_pointer:
        tile[t] = 1;
        __syncthreads();
        out[t] = second(&tile[t]);
        break;
    case never_written:
        if (t != 5) tile[t] = 1;
        __syncthreads();
        out[t] = tile[t];
        break;
    }
}

int main() {
    for (int which = 0; which < mistakes; ++which) {
        float *out;
        OK(cudaMallocManaged(&out, 64 * sizeof(float)));
        mistake<<<1, 64, 63 * sizeof(float)>>>(out, which);
        CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
        OK(cudaDeviceReset());
    }
}
