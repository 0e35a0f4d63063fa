#include <gradwright/gradwright.h>

// A derivative that would go through bits: of the inverse root that is guessed from them,
GW_GRADIENT("y wrt x")
__global__ void guessed(float *y, const float *x) {
    float v = x[threadIdx.x];
    int bits = 0x5f3759df - (__float_as_int(v) >> 1);
    float guess = __int_as_float(bits);
    y[threadIdx.x] = guess * (1.5f - 0.5f * v * guess * guess);
}
// through memory of integers,
GW_GRADIENT("y wrt x")
__global__ void through_memory(float *y, const float *x) {
    __shared__ int cells[32];
    cells[threadIdx.x] = __float_as_int(x[threadIdx.x]);
    __syncthreads();
    y[threadIdx.x] = __int_as_float(cells[31 - threadIdx.x]);
}
// of halves that come from two lanes, or of two numbers,
GW_GRADIENT("y wrt x")
__global__ void two_lanes(double *y, const double *x) {
    double v = x[threadIdx.x];
    int high = __shfl_xor_sync(0xffffffffu, __double2hiint(v), 1);
    int low = __shfl_xor_sync(0xffffffffu, __double2loint(v), 2);
    y[threadIdx.x] = __hiloint2double(high, low);
}
GW_GRADIENT("y wrt x")
__global__ void two_numbers(double *y, const double *x) {
    int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
    y[threadIdx.x] = __hiloint2double(high, low);
}
GW_GRADIENT("y wrt x")
__global__ void short_half(double *y, const double *x) {
    double v = x[threadIdx.x];
    y[threadIdx.x] = __hiloint2double(__double2hiint(v), (int)(short)__double2loint(v));
}
// chosen by another lane,
GW_GRADIENT("y wrt x")
__global__ void largest_of_warp(float *y, const float *x) {
    int most = __reduce_max_sync(0xffffffffu, __float_as_int(x[threadIdx.x]));
    y[threadIdx.x] = __int_as_float(most);
}
// and in an integer view of the numbers.
GW_GRADIENT("y wrt x")
__global__ void viewed(float *y, const float *x) {
    const int *bits = (const int *)x;
    ((int *)y)[threadIdx.x] = bits[threadIdx.x] & 0x7fffff00;
}
// says: bits_of_numbers.cu:7:30: error: the bits of a number that carries a derivative become a number again in line 8, and no derivative goes that way [lost-bits]
// says:     int bits = 0x5f3759df - (__float_as_int(v) >> 1);
// says:                              ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:12:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:15:26: error: the bits of a number that carries a derivative become a number again in line 17, and no derivative goes that way [lost-bits]
// says:     cells[threadIdx.x] = __float_as_int(x[threadIdx.x]);
// says:                          ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:20:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:23:45: error: the bits of a number that carries a derivative become a number again in line 25, and no derivative goes that way [lost-bits]
// says:     int high = __shfl_xor_sync(0xffffffffu, __double2hiint(v), 1);
// says:                                             ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:27:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:29:16: error: the bits of a number that carries a derivative become a number again in line 30, and no derivative goes that way [lost-bits]
// says:     int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
// says:                ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:29:54: error: the bits of a number that carries a derivative become a number again in line 30, and no derivative goes that way [lost-bits]
// says:     int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
// says:                                                      ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:32:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:35:39: error: the bits of a number that carries a derivative become a number again in line 35, and no derivative goes that way [lost-bits]
// says:     y[threadIdx.x] = __hiloint2double(__double2hiint(v), (int)(short)__double2loint(v));
// says:                                       ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:38:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:40:47: error: the bits of a number that carries a derivative become a number again in line 41, and no derivative goes that way [lost-bits]
// says:     int most = __reduce_max_sync(0xffffffffu, __float_as_int(x[threadIdx.x]));
// says:                                               ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:44:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:47:31: error: the bits of a number that carries a derivative become a number again in line 47, and no derivative goes that way [lost-bits]
// says:     ((int *)y)[threadIdx.x] = bits[threadIdx.x] & 0x7fffff00;
// says:                               ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
