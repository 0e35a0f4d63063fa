#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_SPLIT_GRADIENT("y wrt x") GW_COARSEN(4)
#endif
__global__ void stored(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    for (int k = 0; k < n; k++) v = v * v * 0.5f + 0.25f;
    y[threadIdx.x] = v;
}
// obeys: no-coarsening
// says: coarsen_tape.cu:6:30: error: the gradient of 'stored' cannot be coarsened: its second half reads what each thread of the first left on the tape (line 10) [no-coarsening]
// says: GW_SPLIT_GRADIENT("y wrt x") GW_COARSEN(4)
// says:                              ^
// says:   way out: ask for GW_GRADIENT, or name outputs that tell what is on the tape: 'with'; or leave out GW_COARSEN
