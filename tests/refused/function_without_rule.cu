#include <gradwright/gradwright.h>
#include <math.h>

GW_GRADIENT("y wrt x")
__global__ void bessel(double *y, const double *x) { y[threadIdx.x] = significand(x[threadIdx.x]); }
// says: function_without_rule.cu:5:71: error: function 'significand' has neither a body nor a derivative rule [no-rule]
// says: __global__ void bessel(double *y, const double *x) { y[threadIdx.x] = significand(x[threadIdx.x]); }
// says:                                                                       ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of significand"), or have it made of differences: GW_NUMERIC("significand wrt ...")
