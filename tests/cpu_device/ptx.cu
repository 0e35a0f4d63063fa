// The PTX that the CPU device knows: the place of a thread in its warp, clocks, two operations.
#include "check.h"
__global__ void ask(unsigned int *out) {
    unsigned int lane, below, upper, sum = 100, highest;
    unsigned long long time;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0,%%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(upper));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sum) : "r"(0x01ff0305u), "r"(0x02010304u), "r"(sum));
    asm("bfind.u32 %0, %1;" : "=r"(highest) : "r"(lane));
    out[threadIdx.x] = lane == threadIdx.x % 32 && below == (1u << lane) - 1 && upper == ~below && time != 0 &&
                       sum == 100 + 1 + 254 + 0 + 1 &&
                       (lane == 0 ? highest == ~0u : highest == 31 - __clz(lane));
}
int main() {
    unsigned int *out;
    OK(cudaMallocManaged(&out, 64 * sizeof *out));
    ask<<<1, 64>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i)
        CHECK(out[i] == 1);
    return 0;
}
