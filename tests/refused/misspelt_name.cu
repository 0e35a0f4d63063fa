#include <gradwright/gradwright.h>
struct grid { float *out, *density; int cells; };

GW_GRADIENT("result wrt weigths")
__global__ void a_parameter(float *result, const float *weights, int n) { result[threadIdx.x] = n * weights[threadIdx.x]; }
GW_GRADIENT("g.out wrt g.densty")
__global__ void a_member(grid g) { g.out[threadIdx.x] = g.density[threadIdx.x]; }
__device__ float scale_of_all;
GW_GRADIENT("y wrt scale_off_all")
__global__ void a_variable(float *y) { y[threadIdx.x] = scale_of_all; }
// says: misspelt_name.cu:4:1: error: 'weigths' names no parameter of 'a_parameter'; did you mean 'weights'? [unknown-name]
// says: GW_GRADIENT("result wrt weigths")
// says: ^
// says:   way out: name one of 'result', 'weights', 'n'
// says: misspelt_name.cu:6:1: error: 'g.densty' names no member of 'g'; did you mean 'g.density'? [unknown-name]
// says: GW_GRADIENT("g.out wrt g.densty")
// says: ^
// says:   way out: name one of 'out', 'density', 'cells'
// says: misspelt_name.cu:9:1: error: 'scale_off_all' names no parameter of 'a_variable'; did you mean 'scale_of_all'? [unknown-name]
// says: GW_GRADIENT("y wrt scale_off_all")
// says: ^
// says:   way out: name one of 'y'
