#include <gradwright/gradwright.h>

struct pair {
    float a, b;
};

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
void square(float x, pair *y) { *y = {x * x, x}; }
#else
GW_SPLIT_GRADIENT("wrt x")
pair square(float x) { return {x * x, x}; }
#endif

#ifdef OBEYED
GW_GRADIENT("y wrt x")
__device__ void on_device(float *y, const float *x) { *y = *x * *x; }
#else
GW_SPLIT_GRADIENT("y wrt x")
__device__ void on_device(float *y, const float *x) { *y = *x * *x; }
#endif
// obeys: unsupported
// says: split_function.cu:11:1: error: a function that returns a struct, in two halves, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("wrt x")
// says: ^
// says:   way out: write the result through a pointer parameter
// says: split_function.cu:19:1: error: a device function, in two halves, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("y wrt x")
// says: ^
// says:   way out: ask for GW_GRADIENT, which runs both in one call
