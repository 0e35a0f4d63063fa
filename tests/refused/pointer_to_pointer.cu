#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt rows")
__global__ void pointer_from_memory(float *y, float *const *rows) {
    const float *x = rows[threadIdx.x];
    y[threadIdx.x] = x[0] * x[0];
}
// says: pointer_to_pointer.cu:3:1: error: 'rows' of 'pointer_from_memory' cannot carry a derivative: its type is 'float *const *' [not-active]
// says: GW_GRADIENT("y wrt rows")
// says: ^
// says:   way out: name a floating-point scalar, or a pointer to or struct of such
