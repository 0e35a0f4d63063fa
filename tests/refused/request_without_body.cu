#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void declared(float *y, const float *x) { *y = *x; }
#else
__global__ void declared(float *y, const float *x);
#endif
// obeys: no-body
// says: request_without_body.cu:3:1: error: function 'declared' has no body here [no-body]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: include its definition in this translation unit
