#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y with respect to x")
#endif
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wtr x")
#endif
__global__ void the_word(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// obeys: bad-request
// says: bad_request.cu:6:1: error: cannot read the request 'y with respect to x': it has no 'wrt' [bad-request]
// says: GW_GRADIENT("y with respect to x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: bad_request.cu:12:1: error: cannot read the request 'y wtr x': behind a name stands 'wtr'; did you mean 'wrt'? [bad-request]
// says: GW_GRADIENT("y wtr x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
