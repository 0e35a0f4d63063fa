// Rows are summed in arrays that the host knows.
#include <gradwright/gradwright.h>

struct list {
    const float *x;
};

GW_GRADIENT("y wrt l.x") GW_ACCUMULATE(l.x, slots)
__global__ void behind_pointers(float *y, const list *l, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
}
// says: no_slots.cu:8:26: error: GW_ACCUMULATE(l.x, slots): the addition at line 11 cannot take this rung: no slots (the host does not know where it lies) [rung-unsound]
// says: GW_GRADIENT("y wrt l.x") GW_ACCUMULATE(l.x, slots)
// says:                          ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
