// expect: block 1 thread 2: 2.50 text
// expect: launches 1 2
#include "check.h"
__global__ void say(unsigned long long *id) {
    if (threadIdx.x == 2) printf("block %u thread %u: %.2f %s\n", blockIdx.x, threadIdx.x, 2.5f, "text");
    *id = gw_cpu_launch_id();
}
int main() {
    unsigned long long *id;
    OK(cudaMallocManaged(&id, 2 * sizeof *id));
    say<<<2, 4>>>(id);
    say<<<1, 1>>>(id + 1);
    OK(cudaDeviceSynchronize());
    printf("launches %llu %llu\n", id[0], id[1]);
}
