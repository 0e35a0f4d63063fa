// The rung bulk: additions of one thread to 16 to 256 bytes side by side, by one reduction out of shared
// memory, where the kernel does nothing else to the adjoint than to add atomically. The table of decisions is
// checked by tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// 48 bytes, from a multiple of 16 on.
struct six {
    real a, b, c, d, e, f;
};
CHECK_CELLS(six, CHECK_CELL(six, a), CHECK_CELL(six, b), CHECK_CELL(six, c), CHECK_CELL(six, d),
            CHECK_CELL(six, e), CHECK_CELL(six, f))

// By itself, from 48 bytes on; a warp of which not all lanes add.
BOTH("y wrt x")
__global__ void whole(real *y, const six *x, const int *list, int n) {
    int i = HERE;
    if (i >= n || i % 7 == 3) return;
    const six r = x[list[i]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f;
}
//= d_x[list[i]].a +=: bulk
//= d_x[list[i]].b +=: bulk
//= d_x[list[i]].c +=: bulk
//= d_x[list[i]].d +=: bulk
//= d_x[list[i]].e +=: bulk
//= d_x[list[i]].f +=: bulk

// The elements of a record in a loop, as if it were written out; of a struct and of a row.
struct twelve {
    real a[12];
};
CHECK_CELLS(twelve, CHECK_CELL(twelve, a[0]), CHECK_CELL(twelve, a[1]), CHECK_CELL(twelve, a[2]),
            CHECK_CELL(twelve, a[3]), CHECK_CELL(twelve, a[4]), CHECK_CELL(twelve, a[5]),
            CHECK_CELL(twelve, a[6]), CHECK_CELL(twelve, a[7]), CHECK_CELL(twelve, a[8]),
            CHECK_CELL(twelve, a[9]), CHECK_CELL(twelve, a[10]), CHECK_CELL(twelve, a[11]))
BOTH("y wrt x, r")
__global__ void in_loops(real *y, const twelve *x, const real *r, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    real s = 0;
    for (int k = 0; k < 12; k++) s += x[list[i]].a[k] * (k + i);
    for (int k = 7; k >= 0; k--) s += r[8 * list[i] + k] * r[8 * list[i] + k];
    y[i] = s;
}
//= d_x[list[i]].a[0] +=: bulk
//= d_x[list[i]].a[10] +=: bulk
//= d_x[list[i]].a[11] +=: bulk
//= d_x[list[i]].a[1] +=: bulk
//= d_x[list[i]].a[2] +=: bulk
//= d_x[list[i]].a[3] +=: bulk
//= d_x[list[i]].a[4] +=: bulk
//= d_x[list[i]].a[5] +=: bulk
//= d_x[list[i]].a[6] +=: bulk
//= d_x[list[i]].a[7] +=: bulk
//= d_x[list[i]].a[8] +=: bulk
//= d_x[list[i]].a[9] +=: bulk
//= d_r[8 * list[i] + 1] +=: bulk
//= d_r[8 * list[i] + 2] +=: bulk
//= d_r[8 * list[i] + 3] +=: bulk
//= d_r[8 * list[i] + 4] +=: bulk
//= d_r[8 * list[i] + 5] +=: bulk
//= d_r[8 * list[i] + 6] +=: bulk
//= d_r[8 * list[i] + 7] +=: bulk
//= d_r[8 * list[i]] +=: bulk

// Not those of others than elements side by side, of fewer than 48 bytes, and of which all lanes have one.
BOTH("y wrt x, r")
__global__ void in_other_loops(real *y, const twelve *x, const real *r, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    real s = 0;
    for (int k = 0; k < 12; k += 2) s += x[list[i]].a[k];
    for (int k = 0; k < 5; k++) s += x[list[i]].a[k] * s;
    for (int k = 0; k < 12; k++) s += x[(list[i] + k) % 5].a[3] * r[i];
    for (int k = 0; k < 12; k++) s += x[n / 2].a[k] * s;
    y[i] = s;
}
//= d_x[list[i]].a[k] +=: atomic
//= d_x[list[i]].a[k] +=: atomic
//= d_x[(list[i] + k) % 5].a[3] +=: atomic
//= d_x[n / 2].a[k] +=: atomic

// A loop between the first and the last addition: values that wait for it take registers.
BOTH("y wrt x")
__global__ void over_a_loop(real *y, const six *x, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    real s = x[list[i]].a * x[list[i]].b * x[list[i]].c;
    for (int k = 0; k < 3; k++) s = sin(s) + s;
    y[i] = s * x[list[i]].d * x[list[i]].e * x[list[i]].f;
}
//= d_x[list[i]].a +=: atomic
//= d_x[list[i]].b +=: atomic
//= d_x[list[i]].c +=: atomic
//= d_x[list[i]].d +=: atomic
//= d_x[list[i]].e +=: atomic
//= d_x[list[i]].f +=: atomic

// 32 bytes are not worth it by themselves ...
BOTH("y wrt x")
__global__ void four_of_six(real *y, const six *x, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]].b * x[list[i]].c * x[list[i]].d * x[list[i]].e;
}
//= d_x[list[i]].b +=: atomic
//= d_x[list[i]].c +=: atomic
//= d_x[list[i]].d +=: atomic
//= d_x[list[i]].e +=: atomic

// ... but are taken on request. They begin 8 bytes behind a multiple of 16: one of two whole pieces is left.
BOTH("y wrt x") GW_ACCUMULATE(x, bulk)
__global__ void shifted(real *y, const six *x, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]].b * x[list[i]].c * x[list[i]].d * x[list[i]].e;
}
//= d_x[list[i]].b +=: bulk
//= d_x[list[i]].c +=: bulk
//= d_x[list[i]].d +=: bulk
//= d_x[list[i]].e +=: bulk

// Elements of 72 bytes: every other one begins between two multiples.
BOTH("y wrt x")
__global__ void nines(real *y, const real *x, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    const real *r = x + 9 * list[i];
    y[i] = r[0] * r[1] * r[2] + r[3] * r[4] * r[5] + r[6] * r[7] * r[8];
}
//= d_x[9 * list[i]] +=: bulk
//= d_x[9 * list[i] + 1] +=: bulk
//= d_x[9 * list[i] + 2] +=: bulk
//= d_x[9 * list[i] + 3] +=: bulk
//= d_x[9 * list[i] + 4] +=: bulk
//= d_x[9 * list[i] + 5] +=: bulk
//= d_x[9 * list[i] + 6] +=: bulk
//= d_x[9 * list[i] + 7] +=: bulk
//= d_x[9 * list[i] + 8] +=: bulk

// More than a thread's part of the shared memory holds: in two pieces.
BOTH("y wrt x")
__global__ void sixteen(real *y, const real *x, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    const real *r = x + 16 * list[i];
    y[i] = r[0] * r[1] * r[2] * r[3] + r[4] * r[5] * r[6] * r[7] + r[8] * r[9] * r[10] * r[11] +
           r[12] * r[13] * r[14] * r[15];
}
//= d_x[16 * list[i]] +=: bulk
//= d_x[16 * list[i] + 1] +=: bulk
//= d_x[16 * list[i] + 2] +=: bulk
//= d_x[16 * list[i] + 3] +=: bulk
//= d_x[16 * list[i] + 4] +=: bulk
//= d_x[16 * list[i] + 5] +=: bulk
//= d_x[16 * list[i] + 6] +=: bulk
//= d_x[16 * list[i] + 7] +=: bulk
//= d_x[16 * list[i] + 8] +=: bulk
//= d_x[16 * list[i] + 9] +=: bulk
//= d_x[16 * list[i] + 10] +=: bulk
//= d_x[16 * list[i] + 11] +=: bulk
//= d_x[16 * list[i] + 12] +=: bulk
//= d_x[16 * list[i] + 13] +=: bulk
//= d_x[16 * list[i] + 14] +=: bulk
//= d_x[16 * list[i] + 15] +=: bulk

// Two arrays, so that one thread's part is used twice.
BOTH("y wrt x, w")
__global__ void twice(real *y, const six *x, const six *w, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    const six r = x[list[i]], q = w[list[n - 1 - i]];
    y[i] = (r.a * r.b + r.c * r.d + r.e * r.f) * (q.a * q.b + q.c * q.d + q.e * q.f);
}
//= d_x[list[i]].a +=: bulk
//= d_x[list[i]].b +=: bulk
//= d_x[list[i]].c +=: bulk
//= d_x[list[i]].d +=: bulk
//= d_x[list[i]].e +=: bulk
//= d_x[list[i]].f +=: bulk
//= d_w[list[n - 1 - i]].a +=: bulk
//= d_w[list[n - 1 - i]].b +=: bulk
//= d_w[list[n - 1 - i]].c +=: bulk
//= d_w[list[n - 1 - i]].d +=: bulk
//= d_w[list[n - 1 - i]].e +=: bulk
//= d_w[list[n - 1 - i]].f +=: bulk

// ---- what must not take it ----
// The adjoint is read and zeroed where x is written.
BOTH("x wrt x")
__global__ void written(six *x, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    const six r = x[n + list[i]];
    x[i].a = r.a * r.b + r.c * r.d + r.e * r.f;
}
//= d_x[n + list[i]].a +=: atomic
//= d_x[n + list[i]].b +=: atomic
//= d_x[n + list[i]].c +=: atomic
//= d_x[n + list[i]].d +=: atomic
//= d_x[n + list[i]].e +=: atomic
//= d_x[n + list[i]].f +=: atomic

// The launch may give the kernel all the shared memory that there is.
BOTH("y wrt x")
__global__ void beside_dynamic(real *y, const six *x, const int *list, int n) {
    extern __shared__ int numbers[];
    int i = HERE;
    numbers[threadIdx.x] = i < n ? list[i] : 0;
    __syncthreads();
    if (i >= n) return;
    const six r = x[numbers[threadIdx.x]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f;
}
//= d_x[numbers[threadIdx.x]].a +=: atomic
//= d_x[numbers[threadIdx.x]].b +=: atomic
//= d_x[numbers[threadIdx.x]].c +=: atomic
//= d_x[numbers[threadIdx.x]].d +=: atomic
//= d_x[numbers[threadIdx.x]].e +=: atomic
//= d_x[numbers[threadIdx.x]].f +=: atomic

// Too little of the static shared memory is left.
BOTH("y wrt x")
__global__ void beside_much(real *y, const six *x, const int *list, int n) {
    __shared__ int numbers[8192];
    int i = HERE;
    numbers[threadIdx.x] = i < n ? list[i] : 0;
    __syncthreads();
    if (i >= n) return;
    const six r = x[numbers[threadIdx.x]];
    y[i] = r.a * r.b + r.c * r.d + r.e * r.f;
}
//= d_x[numbers[threadIdx.x]].a +=: atomic
//= d_x[numbers[threadIdx.x]].b +=: atomic
//= d_x[numbers[threadIdx.x]].c +=: atomic
//= d_x[numbers[threadIdx.x]].d +=: atomic
//= d_x[numbers[threadIdx.x]].e +=: atomic
//= d_x[numbers[threadIdx.x]].f +=: atomic

#include "bulk.grad.cuh"

static std::vector<int> lists(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 5);
    return of;
}

// 320 threads a block: those from the 256th on have no part of the shared memory.
CHECK_CASE(whole, whole, whole, 1e-8, 2, 320, out(640), in(6), given(lists(640)), 633)
CHECK_CASE(whole_warp, whole, whole, 1e-8, 3, 45, out(135), in(6), given(lists(135)), 130)
CHECK_CASE(in_loops, in_loops, in_loops, 1e-8, 2, 64, out(128), in(5), in(40), given(lists(128)), 120)
CHECK_CASE(in_other_loops, in_other_loops, in_other_loops, 1e-8, 2, 64, out(128), in(5), in(128),
           given(lists(128)), 5)
CHECK_CASE(over_a_loop, over_a_loop, over_a_loop, 1e-8, 2, 64, out(128), in(6), given(lists(128)), 120)
CHECK_CASE(four_of_six, four_of_six, four_of_six, 1e-8, 2, 64, out(128), in(6), given(lists(128)), 120)
CHECK_CASE(shifted, shifted, shifted, 1e-8, 2, 64, out(128), in(6), given(lists(128)), 120)
CHECK_CASE(nines, nines, nines, 1e-8, 2, 64, out(128), in(45), given(lists(128)), 120)
CHECK_CASE(sixteen, sixteen, sixteen, 1e-8, 2, 64, out(128), in(80), given(lists(128)), 120)
CHECK_CASE(twice, twice, twice, 1e-8, 2, 64, out(128), in(6), in(6), given(lists(128)), 128)
CHECK_CASE(beside_much, beside_much, beside_much, 1e-8, 2, 64, out(128), in(6), given(lists(128)), 120)
TEST_MAIN
