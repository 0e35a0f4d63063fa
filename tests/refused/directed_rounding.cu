// Arithmetic and conversions with a directed rounding, casts that reinterpret bits, and two functions without a row.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void down(float *y, const float *x) { *y = __fadd_rn(*x, 1.0f); }
#else
__global__ void down(float *y, const float *x) { *y = __fadd_rd(*x, 1.0f); }
#endif

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void fused(double *y, const double *x) { *y = __fma_rn(*x, *x, 1.0); }
#else
__global__ void fused(double *y, const double *x) { *y = __fma_rz(*x, *x, 1.0); }
#endif

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void converted(float *y, const float *x, int n) { *y = *x * __int2float_rn(n); }
#else
__global__ void converted(float *y, const float *x, int n) { *y = *x * __int2float_ru(n); }
#endif

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void toward(double *y, const double *x) { *y = nextafter(*x, 2.0); }
#else
__global__ void toward(double *y, const double *x) { *y = nexttoward(*x, 2.0L); }
#endif
// obeys: unsupported
// says: directed_rounding.cu:8:55: error: arithmetic with a directed rounding cannot be differentiated yet [unsupported]
// says: __global__ void down(float *y, const float *x) { *y = __fadd_rd(*x, 1.0f); }
// says:                                                       ^
// says:   way out: use the form that rounds to nearest, _rn
// says: directed_rounding.cu:15:58: error: arithmetic with a directed rounding cannot be differentiated yet [unsupported]
// says: __global__ void fused(double *y, const double *x) { *y = __fma_rz(*x, *x, 1.0); }
// says:                                                          ^
// says:   way out: use the form that rounds to nearest, _rn
// says: directed_rounding.cu:22:72: error: a conversion with a directed rounding cannot be differentiated yet [unsupported]
// says: __global__ void converted(float *y, const float *x, int n) { *y = *x * __int2float_ru(n); }
// says:                                                                        ^
// says:   way out: use the form that rounds to nearest, _rn
// says: directed_rounding.cu:29:59: error: nexttoward cannot be differentiated yet [unsupported]
// says: __global__ void toward(double *y, const double *x) { *y = nexttoward(*x, 2.0L); }
// says:                                                           ^
// says:   way out: use nextafter
