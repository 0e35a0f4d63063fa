#include <gradwright/gradwright.h>

GW_GRADIENT("e wrt x")
__global__ void scatter(float *e, const float *x, const int *list) {
    e[threadIdx.x] = x[list[threadIdx.x]];
}
// args: --promise 'scatter: unique list'
// obeys: bad-promise
// obeyed-args: --promise 'scatter: injective list'
// says: gradwright: error: cannot read the promise 'scatter: unique list' [bad-promise]
// says:   way out: write 'f: injective list', 'f: sorted list' or 'f: disjoint_ranges range'
