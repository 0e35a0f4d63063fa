#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
__device__ float repeated(float x, int steps) {
    for (int k = 0; k < steps; k++) x = x * x;
    return x;
}
