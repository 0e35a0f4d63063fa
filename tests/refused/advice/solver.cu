// What the solver cannot decide in few steps, or in a short time, and a condition by which it need not.
// args: --smt-budget=1
// obeys: solver-budget
// args: --smt-budget=1000000 --smt-time=1
// obeys: solver-time
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Tables turned round: the first takes what a question may, the others what is left.
#define TURNED(m) (HERE % m * m + HERE / m)
GW_GRADIENT("y wrt x, u, v, w, z, t")
__global__ void turned(float *y, const float *x, const float *u, const float *v, const float *w, const float *z,
                       const float *t, int n, int a, int b, int c, int d, int e, int f) {
#ifdef OBEYED
    if (HERE / a < a && HERE / b < b && HERE / c < c && HERE / d < d && HERE / e < e && HERE / f < f)
#else
    if (HERE < n)
#endif
        y[HERE] = x[TURNED(a)] * u[TURNED(b)] * v[TURNED(c)] * w[TURNED(d)] * z[TURNED(e)] * t[TURNED(f)];
}
