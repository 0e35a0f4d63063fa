#include <gradwright/gradwright.h>

struct pair {
    float a, b;
};

GW_SPLIT_GRADIENT("wrt x")
pair square(float x) { return {x * x, x}; }

GW_SPLIT_GRADIENT("y wrt x")
__device__ void on_device(float *y, const float *x) { *y = *x * *x; }
// says: split_function.cu:7:1: error: a function that returns a struct, in two halves, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("wrt x")
// says: ^
// says:   way out: write the result through a pointer parameter
// says: split_function.cu:10:1: error: a device function, in two halves, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("y wrt x")
// says: ^
// says:   way out: ask for GW_GRADIENT, which runs both in one call
