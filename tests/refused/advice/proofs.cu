// A kernel with more to prove than it may, and two that have as much together.
// args: --proof-budget=1
// obeys: proof-budget
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

#ifdef OBEYED
GW_GRADIENT("y wrt x")
__global__ void ahead(float *y, const float *x, int n) {
    if (HERE < n) y[HERE] = x[3 * HERE] * x[3 * HERE + 1];
}
GW_GRADIENT("y wrt x")
__global__ void behind(float *y, const float *x, int n) {
    if (HERE < n) y[HERE] += x[n - 1 - HERE] * x[n - 1 - HERE];
}
#else
GW_GRADIENT("y wrt x")
__global__ void both(float *y, const float *x, int n, int m) {
    if (HERE < n) y[HERE] = x[3 * HERE] * x[3 * HERE + 1] + x[m + 3 * HERE + 2] * x[n - 1 - HERE];
}
#endif
