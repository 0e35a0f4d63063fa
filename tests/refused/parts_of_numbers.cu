#include <gradwright/gradwright.h>

// Neither a byte of a number nor a number in two of them, nor an array of them in a view.
GW_GRADIENT("y wrt x")
__global__ void a_byte(float *y, const float *x) {
#ifdef OBEYED
    y[threadIdx.x] = x[threadIdx.x] < 0 ? -1 : x[threadIdx.x];
#else
    y[threadIdx.x] = ((const unsigned char *)x)[4 * threadIdx.x + 3] & 0x80 ? -1 : x[threadIdx.x];
#endif
}
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void two_floats(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
#else
__global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = ((const double *)x)[threadIdx.x]; }
#endif
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void largest(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
#else
__global__ void largest(float *y, const float *x) { atomicMax((int *)y, __float_as_int(x[threadIdx.x])); }
#endif
GW_GRADIENT("y wrt x")
__global__ void by_the_compiler(float *y, const float *x) {
#ifdef OBEYED
    const int bits = x[threadIdx.x] < 0 ? -1 : 1;
#else
    const int bits = __builtin_bit_cast(int, x[threadIdx.x]);
#endif
    y[threadIdx.x] = bits < 0 ? -x[threadIdx.x] : x[threadIdx.x];
}
// obeys: unsupported
// says: parts_of_numbers.cu:9:22: error: a part of a number cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = ((const unsigned char *)x)[4 * threadIdx.x + 3] & 0x80 ? -1 : x[threadIdx.x];
// says:                      ^
// says:   way out: read the whole number by its own type
// says: parts_of_numbers.cu:16:75: error: a pointer cast to another type cannot be differentiated yet [unsupported]
// says: __global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = ((const double *)x)[threadIdx.x]; }
// says:                                                                           ^
// says:   way out: access memory by its own type; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: parts_of_numbers.cu:22:53: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says: __global__ void largest(float *y, const float *x) { atomicMax((int *)y, __float_as_int(x[threadIdx.x])); }
// says:                                                     ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: parts_of_numbers.cu:29:22: error: a cast that reinterprets bits cannot be differentiated yet [unsupported]
// says:     const int bits = __builtin_bit_cast(int, x[threadIdx.x]);
// says:                      ^
// says:   way out: write __float_as_int(x) or its kin
