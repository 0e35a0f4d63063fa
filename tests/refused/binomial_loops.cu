#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("y wrt x")
__global__ void tested(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    int k = 0;
    GW_CHECKPOINT_BINOMIAL(4) while (k < n && v < 3) v *= v, k++;
    y[threadIdx.x] = v;
}

GW_GRADIENT("y wrt x")
__global__ void together(float *y, const float *x, int n) {
    __shared__ float s[32];
    float v = x[threadIdx.x];
    GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < n; k++) {
        s[threadIdx.x] = v;
        __syncthreads();
        v *= s[31 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = v;
}

GW_GRADIENT("wrt x")
double sized(double x, int n) {
    double state[n];
    for (int i = 0; i < n; i++) state[i] = x * i;
    GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < n; k++) state[k] = state[k] * state[n - 1 - k];
    return state[0];
}
// says: binomial_loops.cu:8:31: error: GW_CHECKPOINT_BINOMIAL on a loop that is not counted cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT_BINOMIAL(4) while (k < n && v < 3) v *= v, k++;
// says:                               ^
// says:   way out: write 'for (k = first; k < limit; k++)', with 'break' where it ends before
// says: binomial_loops.cu:16:31: error: GW_CHECKPOINT_BINOMIAL on a loop in which threads meet cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < n; k++) {
// says:                               ^
// says:   way out: write GW_CHECKPOINT
// says: binomial_loops.cu:29:31: error: GW_CHECKPOINT_BINOMIAL on a loop that changes an array of run-time size cannot be differentiated yet [unsupported]
// says:     GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < n; k++) state[k] = state[k] * state[n - 1 - k];
// says:                               ^
// says:   way out: write GW_CHECKPOINT
