#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// args: --dump=emit --stop-after=simplify
// obeys: bad-option
// obeyed-args:
// says: gradwright: error: --dump=emit: the run stops before it [bad-option]
// says:   way out: gradwright --list-passes shows the passes in order
