#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt rows")
__global__ void pointer_into_memory(float *y, float **rows) {
    rows[threadIdx.x] = rows[0] + threadIdx.x;
    y[threadIdx.x] = *rows[threadIdx.x];
}
// says: pointer_to_pointer.cu:5:5: error: a store to a pointer in memory cannot be differentiated yet [unsupported]
// says:     rows[threadIdx.x] = rows[0] + threadIdx.x;
// says:     ^
// says:   way out: set a local pointer, or let the caller set the one in memory
