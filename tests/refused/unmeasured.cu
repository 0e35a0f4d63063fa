// Trips that nobody finds without running the gradient: by a ticket that an atomic operation gives; by what other threads left in memory.
#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void by_ticket(float *y, const float *x, int *counter, const int *list, int most) {
#else
__global__ void by_ticket(float *y, const float *x, int *counter, const int *list) {
#endif
    int ticket = atomicAdd(counter, 1);
    float v = x[threadIdx.x];
#ifdef OBEYED
    for (int k = 0; k < list[ticket] && k < most; k++) v = v * v * 0.5f;
#else
    for (int k = 0; k < list[ticket]; k++) v = v * v * 0.5f;
#endif
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

GW_SPLIT_GRADIENT("y wrt x")
__global__ void by_neighbour(float *y, const float *x, int *lengths) {
    lengths[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    float v = x[threadIdx.x];
#ifdef OBEYED
    GW_CHECKPOINT_BINOMIAL(10)
    for (int k = 0; k < lengths[31 - threadIdx.x]; k++) v = v * v * 0.5f;
#else
    for (int k = 0; k < lengths[31 - threadIdx.x]; k++) v = v * v * 0.5f;
#endif
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
// obeys: no-tape-bound
// says: unmeasured.cu:15:5: error: the reverse sweep of this loop needs a tape, the host knows no bound of its trips that a launch could have, and they cannot be measured: they are made of memory that the kernel writes, or of what an atomic operation or a call gives [no-tape-bound]
// says:     for (int k = 0; k < list[ticket]; k++) v = v * v * 0.5f;
// says:     ^
// says:   way out: give it a bound: count its iterations from 0, by one in each, and add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
// says: unmeasured.cu:29:5: error: the reverse sweep of this loop needs a tape, the host knows no bound of its trips that a launch could have, and they cannot be measured: they are made of memory that the kernel writes, or of what an atomic operation or a call gives [no-tape-bound]
// says:     for (int k = 0; k < lengths[31 - threadIdx.x]; k++) v = v * v * 0.5f;
// says:     ^
// says:   way out: give it a bound: count its iterations from 0, by one in each, and add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
