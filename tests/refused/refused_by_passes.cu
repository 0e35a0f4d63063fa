// obeys: no-lockstep stale-value no-tape-bound
// What one pass refuses of a function does not keep the later ones from the others: all is said at once.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void sides(float *y, const float *x) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    if (t < 16) s[t] = x[t];
#ifdef OBEYED
    __syncwarp();
    if (t >= 16) y[t] = s[t - 16];
#else
    else y[t] = s[t - 16];
#endif
}

GW_GRADIENT("x wrt x")
__global__ void twice(float *x, const int *list) {
    float v = x[threadIdx.x];
#ifdef OBEYED
    x[threadIdx.x] = v * v;
#else
    for (int i = 0; i < 3; i++) {
        v = x[list[i]] * v;
        x[list[i + 3]] = v * v;
    }
#endif
}

GW_SPLIT_GRADIENT("y wrt x")
__global__ void by_ticket(float *y, const float *x, int *counter, int most) {
    const int end = atomicAdd(counter, 1);
    float v = x[threadIdx.x];
#ifdef OBEYED
    for (int k = 0; k < end && k < most; k++) v = v * v * 0.5f;
#else
    for (int k = end; k < most; k++) v = v * v * 0.5f;
#endif
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

GW_GRADIENT("y wrt x")
__global__ void taken(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: refused_by_passes.cu:14:17: error: lanes of a warp meet in the volatile 's' here and in line 9 without __syncwarp, and lanes that run in step have no order there: line 9 is a branch, either side of which may go first [no-lockstep]
// says:     else y[t] = s[t - 16];
// says:                 ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: refused_by_passes.cu:25:13: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:         v = x[list[i]] * v;
// says:             ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: refused_by_passes.cu:38:5: error: the reverse sweep of this loop needs a tape, the host knows no bound of its trips that a launch could have, and they cannot be measured: they are made of memory that the kernel writes, or of what an atomic operation or a call gives [no-tape-bound]
// says:     for (int k = end; k < most; k++) v = v * v * 0.5f;
// says:     ^
// says:   way out: give it a bound: count its iterations from 0, by one in each, and add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
