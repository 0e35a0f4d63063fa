#include <gradwright/gradwright.h>

#ifdef OBEYED
template <class... T> __device__ float first_of(float x, T...) { return x * x; }
GW_GRADIENT("wrt x")
__device__ float first(float x, int a, int b) { return first_of(x, a, b); }
#else
template <class... T> GW_GRADIENT("wrt x")
__device__ float first(float x, T...) { return x * x; }
#endif
__global__ void use(float *y) { *y = first(*y, 1, 2); }
// obeys: unsupported
// says: template_with_pack.cu:8:23: error: a template whose arguments are not all types and integers cannot be differentiated yet [unsupported]
// says: template <class... T> GW_GRADIENT("wrt x")
// says:                       ^
// says:   way out: request a plain function that calls it
