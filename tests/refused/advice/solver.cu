// What the solver cannot decide in few steps, or in a short time, and a condition by which it need not.
// args: --smt-budget=1
// obeys: solver-budget
// args: --smt-budget=1000000 --smt-time=1
// obeys: solver-time
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// A table turned round.
GW_GRADIENT("y wrt x")
__global__ void turned(float *y, const float *x, int n, int m) {
#ifdef OBEYED
    if (HERE / m < m)
#else
    if (HERE < n)
#endif
        y[HERE] = x[HERE % m * m + HERE / m] * x[HERE % m * m + HERE / m + m * m];
}
