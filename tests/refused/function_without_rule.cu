#include <gradwright/gradwright.h>
#include <math.h>

GW_GRADIENT("y wrt x")
__global__ void bessel(double *y, const double *x) { y[threadIdx.x] = tgamma(x[threadIdx.x]); }
