#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void map(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
namespace ns {
struct line {
    double k;
    GW_GRADIENT("wrt x") double at(double x) const { return k * x; }
};
}
void use(float *y, float *x) { map_grad<<<1, 32>>>(y, x, y, x); }
// says: gradient_not_included.cu:11:32: error: 'map_grad' is declared by a gradient that this source does not include [missing-include]
// says: void use(float *y, float *x) { map_grad<<<1, 32>>>(y, x, y, x); }
// says:                                ^
// says:   way out: write '#include "gradient_not_included.grad.cuh"' below the function and above this line
// says: gradient_not_included.cu:11:32: error: use of undeclared identifier 'map_grad' [syntax]
// says: void use(float *y, float *x) { map_grad<<<1, 32>>>(y, x, y, x); }
// says:                                ^
