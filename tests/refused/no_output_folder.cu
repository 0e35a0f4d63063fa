// output: no_such_folder/x.grad.cuh
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: gradwright: error: cannot write 'OUT/no_such_folder/x.grad.cuh': No such file or directory [cannot-write]
