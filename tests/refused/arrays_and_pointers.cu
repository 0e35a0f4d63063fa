#include <gradwright/gradwright.h>

// More pointers than are variables of their own.
struct windows {
    const float *at[65];
    float weight[3];
};

GW_GRADIENT("y wrt x")
__global__ void arrays_and_pointers(float *y, const float *x) {
    windows w = {{x + threadIdx.x}, {1, 2, 1}};
    y[threadIdx.x] = w.at[0][0] * w.weight[0];
}
// says: arrays_and_pointers.cu:11:13: error: a struct with so many pointers cannot be differentiated yet [unsupported]
// says:     windows w = {{x + threadIdx.x}, {1, 2, 1}};
// says:             ^
// says:   way out: split it into several variables
