// expect: warp_errors.cu:14:19: error: the mask 0x0000fffe of __shfl_sync lacks the calling lane 0; block (0,0,0), thread (0,0,0)
// expect: warp_errors.cu:17:68: error: __shfl_down_sync reads lane 16, which is not in the mask 0x0000ffff; block (0,0,0), thread (15,0,0)
// expect: warp_errors.cu:20:19: error: __shfl_xor_sync reads lane 3, which has ended or never was; block (0,0,0), thread (2,0,0)
// expect: warp_errors.cu:22:19: error: the width 12 of __shfl_sync is not a power of two up to 32; block (0,0,0), thread (0,0,0)
// expect: error: deadlock in block (1,0,0): no thread can go on
// expect: warp_errors.cu:25:13: note: thread (0,0,0) and 7 others wait in __syncwarp: of the mask 0xffffffff the lanes 0xffffff00 have not arrived
// expect: warp_errors.cu:27:13: note: thread (8,0,0) and 23 others wait in __syncthreads
// Misused warp operations: an error at the line, and the launch fails.
#include "check.h"

__global__ void misuse(int *p, int which) {
    const int lane = (int)threadIdx.x;
    if (which == 0) {
        p[lane] = __shfl_sync(0xfffeu, lane, 0);
    } else if (which == 1) {
        if (lane >= 16) return;
        p[lane] = lane < 15 ? __shfl_down_sync(0xffffu, lane, 0) : __shfl_down_sync(0xffffu, lane, 1);
    } else if (which == 2) {
        if (lane % 4 == 3) return;
        p[lane] = __shfl_xor_sync(0xffffffffu, lane, 1);
    } else if (which == 3) {
        p[lane] = __shfl_sync(0xffffffffu, lane, 0, 12);
    } else if (blockIdx.x == 1) {
        if (lane < 8)
            __syncwarp();
        else
            __syncthreads();
    }
}

int main() {
    for (int which = 0; which < 5; ++which) {
        int *p;
        OK(cudaMallocManaged(&p, 32 * sizeof(int)));
        misuse<<<2, 32>>>(p, which);
        CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
        OK(cudaDeviceReset());
    }
}
