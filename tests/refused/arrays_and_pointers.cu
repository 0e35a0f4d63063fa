#include <gradwright/gradwright.h>

struct window {
    const float *at;
    float weight[3];
};

GW_GRADIENT("y wrt x")
__global__ void arrays_and_pointers(float *y, const float *x) {
    window w = {x + threadIdx.x, {1, 2, 1}};
    y[threadIdx.x] = w.at[0] * w.weight[0];
}
// says: arrays_and_pointers.cu:10:12: error: a struct with arrays and pointers cannot be differentiated yet [unsupported]
// says:     window w = {x + threadIdx.x, {1, 2, 1}};
// says:            ^
// says:   way out: split it into two variables
