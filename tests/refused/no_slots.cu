// args: --deterministic
#include <gradwright/gradwright.h>

struct list {
    const float *x;
};

GW_GRADIENT("y wrt l.x")
__global__ void behind_pointers(float *y, const list *l, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
}
// says: no_slots.cu:11:23: error: threads add to 'd_l' in an order that changes from run to run (the index at[i] is read from memory and may repeat; no exact (the host does not know where it lies)) [no-fixed-order]
// says:     if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
// says:                       ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
