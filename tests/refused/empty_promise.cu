#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
#else
GW_GRADIENT("e wrt x") GW_INJECTIVE(lst)
#endif
__global__ void scatter(float *e, const float *x, const int *list) {
    e[threadIdx.x] = x[list[threadIdx.x]];
}
// obeys: empty-promise
// says: empty_promise.cu:6:24: error: GW_INJECTIVE(lst): 'scatter' reads no integers from it [empty-promise]
// says: GW_GRADIENT("e wrt x") GW_INJECTIVE(lst)
// says:                        ^
// says:   way out: name a parameter that is a list of integers, or a member of one: GW_INJECTIVE(list), GW_SORTED(d.rows); of ranges, one of structs with x and y
