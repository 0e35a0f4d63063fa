// Trips that a table of the thread's own decides, which the reverse loop puts back and reads again.
#include <gradwright/gradwright.h>

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
// says: unmeasured_table.cu:16:5: error: the reverse sweep of this loop needs a tape, the host knows no bound of its trips that a launch could have, and they cannot be measured: they are made of what the reverse sweep alone has [no-tape-bound]
// says:     for (int k = 0; k < first[i]; k++) {
// says:     ^
// says:   way out: give it a bound: count its iterations from 0, by one in each, and add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
