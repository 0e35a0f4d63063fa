// A mistake of the user's beside headers of CUB: it alone is said, with Gradwright's own and with the installed ones.
#include <gradwright/gradwright.h>

#include <cub/cub.cuh>

__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
GW_GRADIENT("y wrt x")
void run(float *y, const float *x) {
    square<<<1, 4>>>(y, x);
    return 3;
}

int count;
void assign(float *y) { count = y; }
// says: own_mistake_with_cub.cu:10:5: error: void function 'run' should not return a value [syntax]
// says:     return 3;
// says:     ^
// says: own_mistake_with_cub.cu:14:33: error: incompatible pointer to integer conversion assigning to 'int' from 'float *' [syntax]
// says: void assign(float *y) { count = y; }
// says:                                 ^
