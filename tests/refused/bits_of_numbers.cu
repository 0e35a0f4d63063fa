#include <gradwright/gradwright.h>

// A derivative that would go through bits: of the inverse root that is guessed from them,
GW_GRADIENT("y wrt x")
__global__ void guessed(float *y, const float *x) {
    float v = x[threadIdx.x];
#ifdef OBEYED
    float guess = rsqrtf(v);
#else
    int bits = 0x5f3759df - (__float_as_int(v) >> 1);
    float guess = __int_as_float(bits);
#endif
    y[threadIdx.x] = guess * (1.5f - 0.5f * v * guess * guess);
}
// of two floats that are a double,
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = x[2 * threadIdx.x]; }
#else
__global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = ((const double *)x)[threadIdx.x]; }
#endif
// and of halves of two doubles,
GW_GRADIENT("y wrt x")
__global__ void exchanged(double *y, const double *x) {
#ifdef OBEYED
    y[2 * threadIdx.x] = x[2 * threadIdx.x];
#else
    uint4 v = reinterpret_cast<const uint4 *>(x)[threadIdx.x];
    reinterpret_cast<uint4 *>(y)[threadIdx.x] = make_uint4(v.x, v.w, v.z, v.y);
#endif
}
// through memory of integers that are reckoned with,
GW_GRADIENT("y wrt x")
__global__ void through_memory(float *y, const float *x) {
#ifdef OBEYED
    __shared__ float cells[32];
    cells[threadIdx.x] = x[threadIdx.x];
#else
    __shared__ int cells[32];
    cells[threadIdx.x] = __float_as_int(x[threadIdx.x]);
#endif
    __syncthreads();
#ifdef OBEYED
    y[threadIdx.x] = cells[31 - threadIdx.x];
#else
    if (threadIdx.x == 3) cells[3] &= 0x7fffffff;
    __syncthreads();
    y[threadIdx.x] = __int_as_float(cells[31 - threadIdx.x]);
#endif
}
// through integers that are reckoned with, in vectors over numbers,
GW_GRADIENT("y wrt x")
__global__ void reckoned(float *y, const float *x) {
#ifdef OBEYED
    for (int i = 0; i < 4; i++)
        y[4 * threadIdx.x + i] = x[4 * threadIdx.x + i];
#else
    uint4 bits = ((const uint4 *)x)[threadIdx.x];
    bits.y += 1u << 23;
    ((uint4 *)y)[threadIdx.x] = bits;
#endif
}
// of halves that come from two lanes, or of two numbers,
GW_GRADIENT("y wrt x")
__global__ void two_lanes(double *y, const double *x) {
    double v = x[threadIdx.x];
#ifdef OBEYED
    v = __shfl_xor_sync(0xffffffffu, v, 1);
    y[threadIdx.x] = v;
#else
    int high = __shfl_xor_sync(0xffffffffu, __double2hiint(v), 1);
    int low = __shfl_xor_sync(0xffffffffu, __double2loint(v), 2);
    y[threadIdx.x] = __hiloint2double(high, low);
#endif
}
GW_GRADIENT("y wrt x")
__global__ void two_numbers(double *y, const double *x) {
#ifdef OBEYED
    double v = x[threadIdx.x];
    y[threadIdx.x] = v;
#else
    int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
    y[threadIdx.x] = __hiloint2double(high, low);
#endif
}
GW_GRADIENT("y wrt x")
__global__ void short_half(double *y, const double *x) {
    double v = x[threadIdx.x];
#ifdef OBEYED
    y[threadIdx.x] = v;
#else
    y[threadIdx.x] = __hiloint2double(__double2hiint(v), (int)(short)__double2loint(v));
#endif
}
// chosen by another lane,
GW_GRADIENT("y wrt x")
__global__ void largest_of_warp(float *y, const float *x) {
#ifdef OBEYED
    float most = x[threadIdx.x];
    for (int d = 16; d; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    y[threadIdx.x] = most;
#else
    int most = __reduce_max_sync(0xffffffffu, __float_as_int(x[threadIdx.x]));
    y[threadIdx.x] = __int_as_float(most);
#endif
}
// and in an integer view of the numbers.
GW_GRADIENT("y wrt x")
__global__ void viewed(float *y, const float *x) {
#ifdef OBEYED
    const float *bits = x;
    y[threadIdx.x] = bits[threadIdx.x];
#else
    const int *bits = (const int *)x;
    ((int *)y)[threadIdx.x] = bits[threadIdx.x] & 0x7fffff00;
#endif
}
// obeys: lost-bits
// says: bits_of_numbers.cu:10:30: error: the bits of a number that carries a derivative become a number again in line 11, and no derivative goes that way [lost-bits]
// says:     int bits = 0x5f3759df - (__float_as_int(v) >> 1);
// says:                              ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:16:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:20:74: error: the bits of a number that carries a derivative become a number again in line 20, and no derivative goes that way [lost-bits]
// says: __global__ void two_floats(double *y, const float *x) { y[threadIdx.x] = ((const double *)x)[threadIdx.x]; }
// says:                                                                          ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:23:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:28:15: error: the bits of a number that carries a derivative become a number again in line 29, and no derivative goes that way [lost-bits]
// says:     uint4 v = reinterpret_cast<const uint4 *>(x)[threadIdx.x];
// says:               ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:33:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:40:26: error: the bits of a number that carries a derivative become a number again in line 48, and no derivative goes that way [lost-bits]
// says:     cells[threadIdx.x] = __float_as_int(x[threadIdx.x]);
// says:                          ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:58:18: error: the bits of a number that carries a derivative become a number again in line 60, and no derivative goes that way [lost-bits]
// says:     uint4 bits = ((const uint4 *)x)[threadIdx.x];
// says:                  ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:64:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:71:45: error: the bits of a number that carries a derivative become a number again in line 73, and no derivative goes that way [lost-bits]
// says:     int high = __shfl_xor_sync(0xffffffffu, __double2hiint(v), 1);
// says:                                             ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:76:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:82:16: error: the bits of a number that carries a derivative become a number again in line 83, and no derivative goes that way [lost-bits]
// says:     int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
// says:                ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:82:54: error: the bits of a number that carries a derivative become a number again in line 83, and no derivative goes that way [lost-bits]
// says:     int high = __double2hiint(x[threadIdx.x]), low = __double2loint(x[threadIdx.x + 1]);
// says:                                                      ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:86:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:92:39: error: the bits of a number that carries a derivative become a number again in line 92, and no derivative goes that way [lost-bits]
// says:     y[threadIdx.x] = __hiloint2double(__double2hiint(v), (int)(short)__double2loint(v));
// says:                                       ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:96:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:103:47: error: the bits of a number that carries a derivative become a number again in line 104, and no derivative goes that way [lost-bits]
// says:     int most = __reduce_max_sync(0xffffffffu, __float_as_int(x[threadIdx.x]));
// says:                                               ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: bits_of_numbers.cu:108:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: bits_of_numbers.cu:115:31: error: the bits of a number that carries a derivative become a number again in line 115, and no derivative goes that way [lost-bits]
// says:     ((int *)y)[threadIdx.x] = bits[threadIdx.x] & 0x7fffff00;
// says:                               ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
