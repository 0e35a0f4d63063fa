#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt rows")
__global__ void pointer_into_memory(float *y, float **rows) {
#ifdef OBEYED
    const float *row = rows[0] + threadIdx.x;
    y[threadIdx.x] = *row;
#else
    rows[threadIdx.x] = rows[0] + threadIdx.x;
    y[threadIdx.x] = *rows[threadIdx.x];
#endif
}
// obeys: unsupported
// says: pointer_to_pointer.cu:9:5: error: a store to a pointer in memory cannot be differentiated yet [unsupported]
// says:     rows[threadIdx.x] = rows[0] + threadIdx.x;
// says:     ^
// says:   way out: set a local pointer, or let the caller set the one in memory
