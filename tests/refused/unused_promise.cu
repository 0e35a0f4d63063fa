#include <gradwright/gradwright.h>

GW_GRADIENT("e wrt x")
__global__ void scatter(float *e, const float *x, const int *list) {
    e[threadIdx.x] = x[list[threadIdx.x]];
}
// args: --promise 'scater: injective list'
// obeys: unused-promise
// obeyed-args: --promise 'scatter: injective list'
// says: gradwright: error: the promise 'injective list' is about 'scater', of which no derivative is asked [unused-promise]
// says:   way out: check the spelling, or qualify the name with its namespace
