#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double takes(double *x) {
    double y = x[0] * x[0];
#ifndef OBEYED
    free(x);
#endif
    return y;
}

__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
GW_GRADIENT("y wrt x") void frees(float *y, float *x) {
    twice<<<1, 1>>>(y, x);
#ifndef OBEYED
    cudaFree(x);
#endif
}
// obeys: unsupported not-freed
// says: freed_parameter.cu:8:5: error: freeing what the function did not allocate cannot be differentiated yet [unsupported]
// says:     free(x);
// says:     ^
// says:   way out: free it in the caller
// says: freed_parameter.cu:17:5: warning: 'x' is memory of the caller's, which the derivative does not free [not-freed]
// says:     cudaFree(x);
// says:     ^
// says:   way out: free it behind the derivative
