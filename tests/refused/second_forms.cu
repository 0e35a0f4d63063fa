// Functions that have no second derivatives yet.
#include <gradwright/gradwright.h>

struct pair {
    double a, b;
};

GW_HVP("wrt x")
#ifdef OBEYED
double two(double x) { return x * x * x; }
#else
pair two(double x) { return pair{x * x, x}; }
#endif

__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x")
void program(float *y, const float *x) { twice<<<1, 8>>>(y, x); }
#else
GW_THIRD("y wrt x")
void program(float *y, const float *x) { twice<<<1, 8>>>(y, x); }
#endif
// obeys: unsupported
// says: second_forms.cu:8:1: error: a returned struct, in second derivatives, cannot be differentiated yet [unsupported]
// says: GW_HVP("wrt x")
// says: ^
// says:   way out: write the result through a pointer parameter, and name that: 'y wrt x'
// says: second_forms.cu:21:1: error: a function that launches kernels, in this mode, cannot be differentiated yet [unsupported]
// says: GW_THIRD("y wrt x")
// says: ^
// says:   way out: ask for GW_GRADIENT, GW_DERIVATIVE or GW_HVP
