// expect: error: a grid is synchronised that was not launched by cudaLaunchCooperativeKernel; block (0,0,0)
#include "check.h"
#include <cooperative_groups.h>
__global__ void wait() { cooperative_groups::this_grid().sync(); }
int main() {
    wait<<<2, 32>>>();
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    return 0;
}
