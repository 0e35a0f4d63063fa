#include <gradwright/gradwright.h>

// A side of a branch that does not store to the cell may find there what the thread stored before,
GW_GRADIENT("y wrt x")
__global__ void by_a_list(float *y, const float *x, const int *k) {
    const int i = threadIdx.x;
    y[k[i]] = 2 * x[i];
    if (x[i] > 1) y[i] = x[i] * x[i];
    y[i] += y[i] * x[0];
}
// or what another thread did, before a barrier.
GW_GRADIENT("y wrt x")
__global__ void behind_a_barrier(float *y, const float *x) {
    const int i = threadIdx.x;
    y[31 - i] = x[i];
    __syncthreads();
    if (x[i] > 1) y[i] = x[i] * x[i];
    y[i] += y[i] * x[0];
}
// The cell is asked for on one side only, and the other may not even have it.
GW_GRADIENT("y wrt x")
__global__ void not_there(float *y, const float *x, int n) {
    const int i = threadIdx.x;
    if (x[i] > 1) y[i] = x[i] * x[i];
    if (i < n) y[i] += y[i] * x[0];
}
// says: stale_under_branches.cu:9:13: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     y[i] += y[i] * x[0];
// says:             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:18:13: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     y[i] += y[i] * x[0];
// says:             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:25:24: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     if (i < n) y[i] += y[i] * x[0];
// says:                        ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
