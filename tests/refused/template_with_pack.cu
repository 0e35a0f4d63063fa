#include <gradwright/gradwright.h>

template <class... T> GW_GRADIENT("wrt x")
__device__ float first(float x, T...) { return x * x; }
__global__ void use(float *y) { *y = first(*y, 1, 2); }
// says: template_with_pack.cu:3:23: error: a template whose arguments are not all types and integers cannot be differentiated yet [unsupported]
// says: template <class... T> GW_GRADIENT("wrt x")
// says:                       ^
// says:   way out: request a plain function that calls it
