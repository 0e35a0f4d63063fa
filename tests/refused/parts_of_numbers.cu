#include <gradwright/gradwright.h>

// Neither a byte of a number nor a number in two of them, nor an array of them in a view.
GW_GRADIENT("y wrt x")
__global__ void a_byte(float *y, const float *x) {
    y[threadIdx.x] = ((const unsigned char *)x)[4 * threadIdx.x + 3] & 0x80 ? -1 : x[threadIdx.x];
}
GW_GRADIENT("y wrt x")
__global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = ((const double *)x)[threadIdx.x]; }
GW_GRADIENT("y wrt x")
__global__ void largest(float *y, const float *x) { atomicMax((int *)y, __float_as_int(x[threadIdx.x])); }
GW_GRADIENT("y wrt x")
__global__ void by_the_compiler(float *y, const float *x) {
    const int bits = __builtin_bit_cast(int, x[threadIdx.x]);
    y[threadIdx.x] = bits < 0 ? -x[threadIdx.x] : x[threadIdx.x];
}
