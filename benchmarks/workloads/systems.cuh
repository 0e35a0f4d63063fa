/*
 * systems.cuh - batches of small linear systems, one for each thread: dense symmetric ones by Cholesky's
 * factors with the logarithm of the determinant, and tridiagonal ones by elimination (Thomas), as implicit
 * steps in one dimension have them.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* a and b are interleaved: threads read neighbouring numbers. */
GW_GRADIENT("x, log_det wrt a, b")
GW_DERIVATIVE("x, log_det wrt a, b")
__global__ void cholesky_solve(real *x, real *log_det, const real *a, const real *b, int systems) {
    const int N = 4;
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= systems) return;
    real c[N][N], y[N], sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) c[i][j] = a[(i * N + j) * systems + t];
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++) c[j][j] -= c[j][k] * c[j][k];
        c[j][j] = sqrt(c[j][j]);
        sum += 2 * log(c[j][j]);
        for (int i = j + 1; i < N; i++) {
            for (int k = 0; k < j; k++) c[i][j] -= c[i][k] * c[j][k];
            c[i][j] /= c[j][j];
        }
    }
    for (int i = 0; i < N; i++) {
        y[i] = b[i * systems + t];
        for (int k = 0; k < i; k++) y[i] -= c[i][k] * y[k];
        y[i] /= c[i][i];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++) y[i] -= c[k][i] * y[k];
        y[i] /= c[i][i];
        x[i * systems + t] = y[i];
    }
    log_det[t] = sum;
}

/* The system has at most 64 unknowns. */
GW_GRADIENT("x wrt low, middle, up, right")
GW_DERIVATIVE("x wrt low, middle, up, right")
__global__ void tridiagonal_solve(real *x, const real *low, const real *middle, const real *up,
                                  const real *right, int n, int systems) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= systems) return;
    real c[64], d[64];
    c[0] = up[t] / middle[t];
    d[0] = right[t] / middle[t];
    for (int i = 1; i < n; i++) {
        int k = i * systems + t;
        real pivot = middle[k] - low[k] * c[i - 1];
        c[i] = up[k] / pivot;
        d[i] = (right[k] - low[k] * d[i - 1]) / pivot;
    }
    real last = d[n - 1];
    x[(n - 1) * systems + t] = last;
    for (int i = n - 2; i >= 0; i--) {
        last = d[i] - c[i] * last;
        x[i * systems + t] = last;
    }
}
