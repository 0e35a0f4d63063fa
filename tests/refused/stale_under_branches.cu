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
// The condition is another one in each iteration.
GW_GRADIENT("v wrt v, x")
__global__ void of_another_iteration(float *v, const float *x, int n) {
    for (int k = 0; k < n; k++) {
        if (x[k] > 1) v[threadIdx.x] = x[k] * v[threadIdx.x + 1];
        else v[threadIdx.x + 2] = v[threadIdx.x] * v[threadIdx.x];
    }
}
// Two spellings of an index whose low bits come twice, or are those of the next cell.
GW_GRADIENT("x wrt x")
__global__ void every_second(float *x, unsigned n, int width) {
    float *row = x + blockIdx.x * width;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        const float v = row[2 * i];
        x[blockIdx.x * width + 2 * i] = v * v;
    }
}
GW_GRADIENT("x wrt x")
__global__ void the_next(float *x, int n, int width) {
    float *row = x + blockIdx.x * width;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float v = row[i + 1];
        x[blockIdx.x * width + i] = v * v;
    }
}
GW_GRADIENT("x wrt x")
__global__ void of_few_bits(float *x, int n, int width) {
    float *row = x + blockIdx.x * width;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const float v = row[(unsigned short)i];
        x[blockIdx.x * width + (unsigned short)i] = v * v;
    }
}
// says: stale_under_branches.cu:9:13: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     y[i] += y[i] * x[0];
// says:             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:18:13: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     y[i] += y[i] * x[0];
// says:             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:24:47: error: the gradient needs the value of 'v' read here, but the function may have overwritten it before [stale-value]
// says:         if (x[k] > 1) v[threadIdx.x] = x[k] * v[threadIdx.x + 1];
// says:                                               ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:25:35: error: the gradient needs the value of 'v' read here, but the function may have overwritten it before [stale-value]
// says:         else v[threadIdx.x + 2] = v[threadIdx.x] * v[threadIdx.x];
// says:                                   ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:33:25: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:         const float v = row[2 * i];
// says:                         ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:41:25: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:         const float v = row[i + 1];
// says:                         ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_under_branches.cu:49:25: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:         const float v = row[(unsigned short)i];
// says:                         ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
