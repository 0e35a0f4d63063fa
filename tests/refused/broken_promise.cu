#include <gradwright/gradwright.h>

GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
__global__ void scatter(float *e, const float *x, int *list) {
    e[threadIdx.x] = x[list[threadIdx.x]];
#ifndef OBEYED
    list[threadIdx.x] = 0;
#endif
}
// obeys: broken-promise
// says: broken_promise.cu:3:24: error: GW_INJECTIVE(list): 'scatter' writes to it [broken-promise]
// says: GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
// says:                        ^
// says:   way out: promise something of lists that the function only reads
