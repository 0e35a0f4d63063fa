#include <gradwright/gradwright.h>

// Neither a byte of a number, nor a half by itself, nor an array of them in a view.
GW_GRADIENT("y wrt x")
__global__ void a_byte(float *y, const float *x) {
#ifdef OBEYED
    y[threadIdx.x] = x[threadIdx.x] < 0 ? -1 : x[threadIdx.x];
#else
    y[threadIdx.x] = ((const unsigned char *)x)[4 * threadIdx.x + 3] & 0x80 ? -1 : x[threadIdx.x];
#endif
}
// Half a number is read where it is seen which half it is, and stored with the other one.
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void any_half(double *y, const double *x) { y[threadIdx.x] = x[threadIdx.x]; }
#else
__global__ void any_half(double *y, const double *x) { y[threadIdx.x] = ((const int *)x)[threadIdx.x]; }
#endif
GW_GRADIENT("y wrt x")
__global__ void one_half(double *y, const double *x) {
#ifdef OBEYED
    y[threadIdx.x] = x[threadIdx.x];
#else
    ((int *)y)[2 * threadIdx.x] = ((const int *)x)[2 * threadIdx.x];
#endif
}
GW_GRADIENT("y wrt x")
__global__ void halves_from_the_upper(double *y, const double *x) {
#ifdef OBEYED
    y[threadIdx.x] = x[threadIdx.x];
#else
    *(int2 *)((int *)y + 2 * threadIdx.x + 1) = *(const int2 *)(x + threadIdx.x);
#endif
}
// A pointer that is a member's before the loop and another number's in it.
GW_GRADIENT("y wrt x")
__global__ void walked(float *y, const float4 *x) {
#ifdef OBEYED
    const float *p = (const float *)&x[threadIdx.x];
#else
    const float *p = &x[threadIdx.x].x;
#endif
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += *p++ * (k + 1);
    y[threadIdx.x] = sum;
}
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
struct rows {
    double2 row[2];
    double more;
};
// Behind the last row there is another number of the struct.
GW_GRADIENT("y wrt x")
__global__ void behind_the_rows(double *y, const rows *x) {
    rows own = x[threadIdx.x];
#ifdef OBEYED
    own.more = own.row[0].y;
#else
    double *first = &own.row[0].x;
    first[4] = first[1];
#endif
    y[threadIdx.x] = own.more * own.row[1].x;
}
// obeys: unsupported
// says: parts_of_numbers.cu:9:22: error: a part of a number cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = ((const unsigned char *)x)[4 * threadIdx.x + 3] & 0x80 ? -1 : x[threadIdx.x];
// says:                      ^
// says:   way out: read and store whole numbers, by the memory's own type
// says: parts_of_numbers.cu:17:73: error: a part of a number cannot be differentiated yet [unsupported]
// says: __global__ void any_half(double *y, const double *x) { y[threadIdx.x] = ((const int *)x)[threadIdx.x]; }
// says:                                                                         ^
// says:   way out: read and store whole numbers, by the memory's own type
// says: parts_of_numbers.cu:24:5: error: a part of a number cannot be differentiated yet [unsupported]
// says:     ((int *)y)[2 * threadIdx.x] = ((const int *)x)[2 * threadIdx.x];
// says:     ^
// says:   way out: read and store whole numbers, by the memory's own type
// says: parts_of_numbers.cu:32:5: error: a part of a number cannot be differentiated yet [unsupported]
// says:     *(int2 *)((int *)y + 2 * threadIdx.x + 1) = *(const int2 *)(x + threadIdx.x);
// says:     ^
// says:   way out: read and store whole numbers, by the memory's own type
// says: parts_of_numbers.cu:44:41: error: pointer arithmetic on a variable that is no array cannot be differentiated yet [unsupported]
// says:     for (int k = 0; k < 4; k++) sum += *p++ * (k + 1);
// says:                                         ^
// says:   way out: use an array, or cast the address of a struct to one of its numbers
// says: parts_of_numbers.cu:51:53: error: an atomic operation on memory that is seen as another type cannot be differentiated yet [unsupported]
// says: __global__ void largest(float *y, const float *x) { atomicMax((int *)y, __float_as_int(x[threadIdx.x])); }
// says:                                                     ^
// says:   way out: use the type of the memory; a maximum of floats by atomics is gw_atomic_max of gradwright/atomic.cuh
// says: parts_of_numbers.cu:58:22: error: a cast that reinterprets bits cannot be differentiated yet [unsupported]
// says:     const int bits = __builtin_bit_cast(int, x[threadIdx.x]);
// says:                      ^
// says:   way out: write __float_as_int(x) or its kin
// says: parts_of_numbers.cu:74:16: error: pointer arithmetic on a variable that is no array cannot be differentiated yet [unsupported]
// says:     first[4] = first[1];
// says:                ^
// says:   way out: use an array, or cast the address of a struct to one of its numbers
