// expect: device_assert.cu:8:
// expect: block: [1,0,0], thread: [2,0,0] Assertion `n < 6` failed.
// expect: cudaErrorAssert
#include "check.h"
#include <cassert>
__global__ void small(int *p) {
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    assert(n < 6);
    *p = n;
}
int main() {
    int *p;
    OK(cudaMallocManaged(&p, sizeof *p));
    small<<<3, 4>>>(p);
    CHECK(*p == 5);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
