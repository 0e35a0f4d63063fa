// Trips that nobody finds without running the gradient: by a ticket that an atomic operation gives; by what other threads left in memory; by a table that the reverse loop puts back, and reads again.
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

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void by_table(float *y, const float *x, const int *first, int most) {
#else
__global__ void by_table(float *y, const float *x, const int *first) {
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x, length[4] = {1, 2, 3, i % 4};
    float v = x[i];
#ifdef OBEYED
    for (int k = 0; k < first[i] && k < most; k++) {
        for (int j = 0; j < length[k % 4] && j < most; j++) v = v * v * 0.2f + 0.3f * x[j];
#else
    for (int k = 0; k < first[i]; k++) {
        for (int j = 0; j < length[k % 4]; j++) v = v * v * 0.2f + 0.3f * x[j];
#endif
        length[(k + 1) % 4] = (length[k % 4] * 5 + k) % 4;
    }
    y[i] = v;
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
// says: unmeasured.cu:46:5: error: the reverse sweep of this loop needs a tape, the host knows no bound of its trips that a launch could have, and they cannot be measured: they are made of what the reverse sweep alone has [no-tape-bound]
// says:     for (int k = 0; k < first[i]; k++) {
// says:     ^
// says:   way out: give it a bound: count its iterations from 0, by one in each, and add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
