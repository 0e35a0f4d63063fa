// Every integer and floating type, as parameters, array elements, variables and casts.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// An array and a scalar of the type steer an index, a factor and a branch.
#define INTEGER(name, type)                                                                                  \
    BOTH("y wrt x")                                                                                   \
    __global__ void name(real *y, const real *x, const type *k, type s, type n) {                            \
        int i = HERE;                                                                                        \
        if (i >= (int)n) return;                                                                             \
        type j = k[i];                                                                                       \
        real v = x[+j] * j + x[i] * x[i] * s;                                                                 \
        j = (type)(j + s);                                                                                   \
        if (j > s) v = v * (real)j;                                                                          \
        y[i] = v;                                                                                            \
    }
INTEGER(type_char, char)
INTEGER(type_signed_char, signed char)
INTEGER(type_unsigned_char, unsigned char)
INTEGER(type_short, short)
INTEGER(type_unsigned_short, unsigned short)
INTEGER(type_int, int)
INTEGER(type_unsigned, unsigned int)
INTEGER(type_long, long)
INTEGER(type_unsigned_long, unsigned long)
INTEGER(type_long_long, long long)
INTEGER(type_unsigned_long_long, unsigned long long)
INTEGER(type_size_t, size_t)
INTEGER(type_int8_t, int8_t)
INTEGER(type_uint16_t, uint16_t)
INTEGER(type_int64_t, int64_t)

BOTH("y wrt x")
__global__ void type_bool(real *y, const real *x, const bool *k, bool s, int n) {
    int i = HERE;
    if (i >= n) return;
    bool here = k[i] != s;
    y[i] = here ? x[i] * x[i] : 3 * x[i] * k[i] + x[i];
}

// Unsigned arithmetic wraps around, and the derivative follows the wrapped index.
BOTH("y wrt x")
__global__ void wrap_around(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    unsigned char small = (unsigned char)(i * 60 + 200);
    unsigned wide = (unsigned)i - 5u;
    y[i] = x[small % n] * x[i] + x[wide % (unsigned)n] * 2 + x[i] * (real)(signed char)small * 0.01;
}

enum mode { slow, quick = 5, quicker };

BOTH("y wrt x")
__global__ void type_enum(real *y, const real *x, const int *k, mode s, int n) {
    int i = HERE;
    if (i >= n) return;
    mode here = (mode)k[i];
    real v = x[i];
    if (here == s) v = v * v;
    else if (here == quicker) v = v * v * v;
    y[i] = v * (here + 1);
}

// float and double mixed: each cast passes the derivative on, rounded as the type says.
BOTH("y wrt x, w")
__global__ void mixed_precision(float *y, const double *x, const float *w, int n) {
    int i = HERE;
    if (i >= n) return;
    float narrow = (float)x[i];
    double wide = narrow * x[i] + w[i];
    y[i] = (float)(wide * wide) * w[i];
}
BOTH("y wrt x, w")
__global__ void mixed_precision_double(double *y, const double *x, const double *w, int n) {
    int i = HERE;
    if (i >= n) return;
    double wide = x[i] * x[i] + w[i];
    y[i] = wide * wide * w[i];
}

// A value that passes through an integer is piecewise constant there.
BOTH("y wrt x")
__global__ void through_integer(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    int whole = (int)(x[i] * 10);
    y[i] = (x[i] * 10 - whole) * x[i];
}

BOTH("y wrt x")
__global__ void casts(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = static_cast<real>(i) * x[i] + real(2) * x[i] * x[i];
    long long big = (long long)i * 3000000000LL;
    y[i] = v + x[(int)(big % n)] * (real)(i / 2) + (real)(1 == i) * v;
}

// By-value scalars of both floating types, one of them not in the request.
BOTH("y wrt a, x")
__global__ void scalars(real *y, double a, float b, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = a * x[i] * b + a * a;
}

BOTH("y wrt x, scale, shift")
__global__ void const_copies(real *const y, const real *const x, const real scale, const double2 shift,
                             const int n) {
    int i = HERE;
    if (i < n) y[i] = scale * x[i] * x[i] + shift.x * shift.y;
}

// Below 0 as an int, and as 64 bits of that; not as 64 bits of the unsigned difference.
BOTH("y wrt x")
__global__ void wraps_twice(real *y, const real *x, int n) {
    const int i = HERE;
    if (i >= n) return;
    const long long back = (int)(n - blockDim.x);
    y[i] = x[back + 8 + i] * x[i];
}

#include "types.grad.cuh"
CHECK_CELLS(double2, CHECK_CELL(double2, x), CHECK_CELL(double2, y))

#define CHECK_INTEGER(name) CHECK_KERNEL(name, 1, 16, out(6), in(6), list({5, 3, 0, 1, 3, 2}), 3, 6)
CHECK_INTEGER(type_char)
CHECK_INTEGER(type_signed_char)
CHECK_INTEGER(type_unsigned_char)
CHECK_INTEGER(type_short)
CHECK_INTEGER(type_unsigned_short)
CHECK_INTEGER(type_int)
CHECK_INTEGER(type_unsigned)
CHECK_INTEGER(type_long)
CHECK_INTEGER(type_unsigned_long)
CHECK_INTEGER(type_long_long)
CHECK_INTEGER(type_unsigned_long_long)
CHECK_INTEGER(type_size_t)
CHECK_INTEGER(type_int8_t)
CHECK_INTEGER(type_uint16_t)
CHECK_INTEGER(type_int64_t)
CHECK_KERNEL(type_bool, 1, 16, out(6), in(6), list({1, 0, 0, 1, 1, 0}), true, 6)
CHECK_KERNEL(wrap_around, 2, 16, out(20), in(20), 20)
CHECK_KERNEL(wraps_twice, 1, 16, out(12), in(16), 12)
CHECK_KERNEL(type_enum, 1, 16, out(6), in(6), list({0, 5, 6, 5, 6, 0}), quick, 6)
CHECK_FLOAT(mixed_precision, mixed_precision_double, 1e-5, 1, 16, out(12), in(12), in(12), 12)
CHECK_KERNEL(through_integer, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(casts, 1, 16, out(12), in(12), 12)
CHECK_KERNEL(scalars, 1, 16, out(12), active(1.25), 2.5, in(12), 12)
CHECK_KERNEL(const_copies, 1, 16, out(12), in(12), active(1.25), active(make_double2(0.5, 2)), 12)
TEST_MAIN
