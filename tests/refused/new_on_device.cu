#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void heap(double *y, const double *x, int n) {
#ifdef OBEYED
    double t[4];
#else
    double *t = new double[n];
#endif
    t[0] = x[threadIdx.x];
    y[threadIdx.x] = t[0] * t[0];
#ifndef OBEYED
    delete[] t;
#endif
}
// obeys: unsupported
// says: new_on_device.cu:8:17: error: an array of run-time size in device code cannot be differentiated yet [unsupported]
// says:     double *t = new double[n];
// says:                 ^
// says:   way out: use arrays of a size that is known when compiling, or parameters
