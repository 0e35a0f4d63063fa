#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void declared(float *y, const float *x);
