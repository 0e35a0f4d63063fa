// Additions that are the thread's own and that no thread waits for (the rung posted): what must stay plain or
// atomic first. The table of decisions is checked by tests/ownership/decisions.py; what is plain is not in it.
#include "../support/check.cuh"

typedef double real;
struct triple {
    real a, b, c;
};
CHECK_CELLS(triple, CHECK_CELL(triple, a), CHECK_CELL(triple, b), CHECK_CELL(triple, c))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- not ----
// Two threads at one cell.
BOTH("y wrt a, b, c")
__global__ void meets(real *y, const real *a, const real *b, const real *c, int n) {
    int i = HERE;
    if (i < n) y[i] = a[i / 2] * b[i % 7] * c[i] * c[i + 1];
}
//= d_a[i / 2] +=: atomic
//= d_b[i % 7] +=: copies
//= d_c[i] +=: atomic
//= d_c[i + 1] +=: atomic

// Two loads are in flight beside those of x and k.
BOTH("y wrt x, k")
__global__ void two(real *y, const real *x, const real *k, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * k[i];
}

// Members share sectors, and so do rows of a thread's own.
BOTH("y wrt p, row")
__global__ void members(real *y, const triple *p, const real *row, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = p[i].a * p[i].b * p[i].c;
    for (int j = 0; j < 4; j++) sum += row[i * 4 + j] * row[i * 4 + j];
    y[i] = sum;
}

// 128 bytes of a thread's row are its part of the L1.
#define SQUARE(k) row[i * width + k] * row[i * width + k]
#define SQUARES_OF_16                                                                                          \
    SQUARE(0) + SQUARE(1) + SQUARE(2) + SQUARE(3) + SQUARE(4) + SQUARE(5) + SQUARE(6) + SQUARE(7) +            \
        SQUARE(8) + SQUARE(9) + SQUARE(10) + SQUARE(11) + SQUARE(12) + SQUARE(13) + SQUARE(14) + SQUARE(15)
// A loop adds to some numbers of a thread's own row again, so no reduction takes the row.
#define SOME_TWICE(sum)                                                                                        \
    if (i >= n) return;                                                                                        \
    real v = sum;                                                                                              \
    for (int k = 0; k < 3; k++) v += sin(k * row[i * width + k]);                                              \
    y[i] = v
BOTH("y wrt row")
__global__ void in_the_l1(real *y, const real *row, int n) {
    int i = HERE;
    enum { width = 16 };
    SOME_TWICE(SQUARES_OF_16);
}
// Nor one whose numbers a loop comes to again.
BOTH("y wrt row")
__global__ void in_rounds(real *y, const real *row, int n) {
    int i = HERE;
    enum { width = 16 };
    if (i >= n) return;
    for (int k = 0; k < 3; k++) y[i + 64 * k] = SQUARES_OF_16 + k;
}

// The adjoints of x are read and zeroed, too.
BOTH("x, y wrt x, a, b")
__global__ void read_too(real *x, real *y, const real *a, const real *b, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    y[i] = v * a[i] * b[i];
    x[i] = v * v;
}

// The same for a block.
BOTH("y wrt a, b")
__global__ void of_block(real *y, const real *a, const real *b, int n) {
    __shared__ real s[32], r[32], q[32];
    int i = HERE, t = threadIdx.x;
    s[t] = i < n ? a[i] : 0;
    r[t] = i < n ? b[i] : 0;
    q[t] = s[t] * r[t];
    __syncthreads();
    if (i < n) y[i] = q[t] * s[t] * r[t];
}

BOTH("y wrt a, b, c") GW_ACCUMULATE(a, owned) GW_ACCUMULATE(b, owned) GW_ACCUMULATE(c, owned)
__global__ void kept_plain(real *y, const real *a, const real *b, const real *c, int n) {
    int i = HERE;
    if (i < n) y[i] = a[i] * b[i] * c[i];
}

// Its load is in flight with those of its turn.
BOTH("y wrt x")
__global__ void strided(real *y, const real *x, int n) {
    real sum = 0;
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) sum += x[i] * x[i] * x[i];
    y[HERE] = sum;
}

// A row for each block of 32 threads, and what another thread has summed of it.
#define SUM_OF_ROW                                                                                             \
    const real *row = x + blockIdx.x * width;                                                                  \
    __shared__ real part[32];                                                                                  \
    real sum = 0;                                                                                              \
    for (int k = threadIdx.x; k < width; k += 32) sum += row[k];                                               \
    part[threadIdx.x] = sum;                                                                                   \
    __syncthreads();                                                                                           \
    sum = part[31 - threadIdx.x];

// The L2 makes the additions to w.
BOTH("y wrt x, w")
__global__ void among_others(real *y, const real *x, const real *w, int width) {
    SUM_OF_ROW
    for (int k = threadIdx.x; k < width; k += 32) y[blockIdx.x * width + k] = sum * row[k] * w[k];
}
//= d_w[k] +=: copies

// Four iterations load before the first of them stores (device/ahead.c).
BOTH("y wrt x")
__global__ void loaded_ahead(real *y, const real *x, int width) {
    SUM_OF_ROW
    for (int k = threadIdx.x; k < width; k += 32) y[blockIdx.x * width + k] = sum * row[k];
}

// ---- taken ----
BOTH("y wrt a, b, c")
__global__ void three(real *y, const real *a, const real *b, const real *c, int n) {
    int i = HERE;
    if (i < n) y[i] = a[i] * b[i] * sin(c[i]);
}
//= d_a[i] +=: posted
//= d_b[i] +=: posted
//= d_c[i] +=: posted

#define OF_FLOATS(T)                                                                                           \
    int i = HERE;                                                                                              \
    if (i >= n) return;                                                                                        \
    T v = a[i] * a[n + i] * b[i];                                                                              \
    if (i % 3) v *= c[i];                                                                                      \
    y[i] = v;

// Floats; one of them under a condition, one twice.
BOTH("y wrt a, b, c")
__global__ void of_floats(float *y, const float *a, const float *b, const float *c, int n) {
    OF_FLOATS(float)
}
//= d_a[i] +=: posted
//= d_a[n + i] +=: posted
//= d_b[i] +=: posted
//= d_c[i] +=: posted
__global__ void of_floats_double(double *y, const double *a, const double *b, const double *c, int n) {
    OF_FLOATS(double)
}

BOTH("y wrt row")
__global__ void longer_row(real *y, const real *row, int n) {
    int i = HERE;
    enum { width = 17 };
    SOME_TWICE(SQUARES_OF_16 + SQUARE(16));
}
//= d_row[i * 17] +=: posted
//= d_row[i * 17 + 1] +=: posted
//= d_row[i * 17 + 2] +=: posted
//= d_row[i * 17 + 3] +=: posted
//= d_row[i * 17 + 4] +=: posted
//= d_row[i * 17 + 5] +=: posted
//= d_row[i * 17 + 6] +=: posted
//= d_row[i * 17 + 7] +=: posted
//= d_row[i * 17 + 8] +=: posted
//= d_row[i * 17 + 9] +=: posted
//= d_row[i * 17 + 10] +=: posted
//= d_row[i * 17 + 11] +=: posted
//= d_row[i * 17 + 12] +=: posted
//= d_row[i * 17 + 13] +=: posted
//= d_row[i * 17 + 14] +=: posted
//= d_row[i * 17 + 15] +=: posted
//= d_row[i * 17 + 16] +=: posted

// A row of a thread's own that it adds to once, side by side: one reduction of 128 bytes here, and what stands
// alone is posted.
BOTH("y wrt row")
__global__ void own_row(real *y, const real *row, int n) {
    int i = HERE;
    enum { width = 20 };
    if (i < n) y[i] = SQUARES_OF_16 + SQUARE(18);
}
//= d_row[i * 20] +=: bulk
//= d_row[i * 20 + 1] +=: bulk
//= d_row[i * 20 + 2] +=: bulk
//= d_row[i * 20 + 3] +=: bulk
//= d_row[i * 20 + 4] +=: bulk
//= d_row[i * 20 + 5] +=: bulk
//= d_row[i * 20 + 6] +=: bulk
//= d_row[i * 20 + 7] +=: bulk
//= d_row[i * 20 + 8] +=: bulk
//= d_row[i * 20 + 9] +=: bulk
//= d_row[i * 20 + 10] +=: bulk
//= d_row[i * 20 + 11] +=: bulk
//= d_row[i * 20 + 12] +=: bulk
//= d_row[i * 20 + 13] +=: bulk
//= d_row[i * 20 + 14] +=: bulk
//= d_row[i * 20 + 15] +=: bulk
//= d_row[i * 20 + 18] +=: posted

// From 32 bytes on; a row of 24 stays plain.
BOTH("y wrt three, four")
__global__ void short_rows(real *y, const real *three, const real *four, int n) {
    int i = HERE;
    if (i >= n) return;
    const real *t = three + 3 * i, *f = four + 4 * i;
    y[i] = t[0] * t[1] * t[2] + f[0] * f[1] * f[2] * f[3];
}
//= d_four[4 * i] +=: bulk
//= d_four[4 * i + 1] +=: bulk
//= d_four[4 * i + 2] +=: bulk
//= d_four[4 * i + 3] +=: bulk

// A loop that takes records: each turn would wait. So the addition of the other loop goes with it.
BOTH("y wrt x")
__global__ void in_chain(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = 0.5, sum = 0;
    for (int k = 0; k < steps; k++) v = sin(v * x[k * n + i]) + v;
    for (int k = 0; k < steps; k++) sum += x[k * n + i] * x[k * n + i];
    y[i] = v * sum;
}
//= d_x[k * n + i] +=: posted
//= d_x[k * n + i] +=: posted

// The row is in the caches when the loop comes to it again, and its adjoint is not.
BOTH("y wrt x")
__global__ void in_two_loops(real *y, const real *x, int width) {
    SUM_OF_ROW
    for (int k = threadIdx.x; k < width; k += 32) {
        real part = 1;
        for (int j = 0; j < k % 3; j++) part /= 2;
        y[blockIdx.x * width + k] = sum * row[k] * part;
    }
}
//= d_x[blockIdx.x * width + k] +=: posted
//= d_x[blockIdx.x * width + k] +=: posted

// As asked for: one; a member; an object that is read and zeroed.
BOTH("y wrt x") GW_ACCUMULATE(x, posted)
__global__ void asked(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}
//= d_x[i] +=: posted

BOTH("y wrt p") GW_ACCUMULATE(p, posted)
__global__ void asked_of_members(real *y, const triple *p, int n) {
    int i = HERE;
    if (i < n) y[i] = p[i].a * p[i].b * p[i].b;
}
//= d_p[i].a +=: posted
//= d_p[i].b +=: posted

BOTH("x wrt x") GW_ACCUMULATE(x, posted)
__global__ void asked_in_place(real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real u = x[i], w = x[n + i];
    if (i % 2) x[i] = u * w;
    x[n + i] = w * sin(u);
}
//= d_x[i] +=: posted
//= d_x[n + i] +=: posted

#include "posted.grad.cuh"

#define SIZES(kernel, tolerance, ...)                                     \
    CHECK_CASE(kernel##_31, kernel, kernel, tolerance, 2, 31, __VA_ARGS__) \
    CHECK_CASE(kernel##_64, kernel, kernel, tolerance, 1, 64, __VA_ARGS__)

SIZES(meets, 1e-8, out(64), in(32), in(7), in(65), 60)
SIZES(two, 1e-8, out(64), in(64), in(64), 60)
SIZES(members, 1e-8, out(64), in(64), in(256), 60)
SIZES(in_the_l1, 1e-8, out(64), in(1024), 60)
SIZES(in_rounds, 1e-8, out(192), in(1024), 60)
SIZES(short_rows, 1e-8, out(64), in(192), in(256), 60)
SIZES(own_row, 1e-8, out(64), in(1280), 60)
SIZES(longer_row, 1e-8, out(64), in(1088), 60)
SIZES(read_too, 1e-8, inout(64), out(64), in(64), in(64), 60)
CHECK_CASE(of_block, of_block, of_block, 1e-8, 2, 32, out(64), in(64), in(64), 60)
SIZES(kept_plain, 1e-8, out(64), in(64), in(64), in(64), 60)
SIZES(three, 1e-8, out(64), in(64), in(64), in(64), 60)
CHECK_CASE(of_floats, of_floats, of_floats_double, 1e-4, 2, 32, out(64), in(128), in(64), in(64), 60)
SIZES(strided, 1e-8, out(64), in(300), 300)
CHECK_CASE(in_two_loops, in_two_loops, in_two_loops, 1e-8, 3, 32, out(300), in(300), 100)
CHECK_CASE(loaded_ahead, loaded_ahead, loaded_ahead, 1e-8, 3, 32, out(300), in(300), 100)
CHECK_CASE(among_others, among_others, among_others, 1e-8, 3, 32, out(300), in(300), in(100), 100)
SIZES(in_chain, 1e-8, out(64), in(600), 60, 9)
SIZES(asked, 1e-8, out(64), in(64), 60)
SIZES(asked_of_members, 1e-8, out(64), in(64), 60)
SIZES(asked_in_place, 1e-8, inout(128), 60)
TEST_MAIN
