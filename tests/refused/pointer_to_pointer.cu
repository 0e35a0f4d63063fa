#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt rows")
__global__ void pointer_from_memory(float *y, float *const *rows) {
    const float *x = rows[threadIdx.x];
    y[threadIdx.x] = x[0] * x[0];
}
