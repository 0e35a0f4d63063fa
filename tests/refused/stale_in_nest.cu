// Stores to memory that other threads see are not performed and undone, whatever the loops look like.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void f(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = false;
    float sum = 0;
    for (int b = 0; b < n; b++)
        for (int j = 0; !done && j < 4; j++) {
            y[i] = x[j] * x[b];
            float v = y[b];
            sum += v * v;
            if (sum > 9) done = true;
        }
    y[i] = sum;
}
// says: stale_in_nest.cu:12:23: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:             float v = y[b];
// says:                       ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
