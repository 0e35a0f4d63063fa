// GW_ACCUMULATE: each rung asked for by name, beside what is chosen without. Its table of decisions is checked by
// tests/ownership/decisions.py; only what several threads add to is of interest in it.
#include "../support/check.cuh"

typedef double real;
struct quad {
    real a, b, c, d;
};
CHECK_CELLS(quad, CHECK_CELL(quad, a), CHECK_CELL(quad, b), CHECK_CELL(quad, c), CHECK_CELL(quad, d))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Owned without the mark.
BOTH("y wrt x") GW_ACCUMULATE(x, atomic)
__global__ void forced_atomic(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}
//= d_x[i] +=: atomic

// What is proved the thread's own stays plain beside others.
BOTH("y wrt x") GW_ACCUMULATE(x, owned)
__global__ void forced_owned(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * x[i + n];
}

// One cell for the grid, by warps; the other as it is chosen.
BOTH("y wrt x, k, q") GW_ACCUMULATE(k, warp) GW_ACCUMULATE(q, auto)
__global__ void forced_warp(real *y, const real *x, real k, real q, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k + q;
}
//= d_k[0] +=: warp
//= d_q[0] +=: grid

BOTH("y wrt x, k") GW_ACCUMULATE(k, grid)
__global__ void forced_grid(real *y, const real *x, const real *k, int n) {
    int i = HERE;
    real v = i < n ? x[i] : 0;
    v *= k[blockIdx.x];
    if (i < n) y[i] = v;
}
//= d_k[blockIdx.x] +=: grid

// The rung's word by a macro, as a project that tries several has it; and a word that is a macro's name, too.
#define HOW_TO_ADD (warp)
#define grid 12
BOTH("y wrt x, k, q") GW_ACCUMULATE(k, HOW_TO_ADD) GW_ACCUMULATE(q, grid)
__global__ void by_macro(real *y, const real *x, const real *k, const real *q, int n) {
    int i = HERE;
    real v = i < n ? x[i] : 0;
    v *= k[blockIdx.x] * q[blockIdx.x];
    if (i < n) y[i] = v;
}
#undef grid
//= d_k[blockIdx.x] +=: warp
//= d_q[blockIdx.x] +=: grid

// By butterflies, in a loop of different length in each lane.
BOTH("y wrt x, w") GW_ACCUMULATE(w, warp-butterfly)
__global__ void butterflies(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < length[i]; j++) {
        real t = x[i] * (j + 1);
        if ((i + j) % 3 == 0) continue;
        sum += w[j] * t * t;
        if ((i ^ j) & 2) sum += w[j + 1] * t;
    }
    y[i] = sum;
}
//= d_w[j] +=: butterfly
//= d_w[j + 1] +=: butterfly

BOTH("y wrt x, w") GW_ACCUMULATE(w, warp-serial)
__global__ void serial(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < length[i]; j++) {
        real t = x[i] * (j + 1);
        if ((i + j) % 3 == 0) continue;
        sum += w[j] * t * t;
        if ((i ^ j) & 2) sum += w[j + 1] * t;
    }
    y[i] = sum;
}
//= d_w[j] +=: serial
//= d_w[j + 1] +=: serial

// The cell's number is known only to lanes that take the branch; several records.
BOTH("y wrt x, q, w") GW_ACCUMULATE(q, warp-serial) GW_ACCUMULATE(w, warp-butterfly)
__global__ void through_list(real *y, const real *x, const quad *q, const real *w, const int *list, int n, int m) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < m; j++)
        if (i < n && (i + j) % 4 != 1) {
            int id = list[j];
            sum += q[id].a * x[i] + q[id].b * x[i] * x[i] * w[id];
            if (i % 2) sum += q[id].d * x[i];
        }
    if (i < n) y[i] = sum;
}
//= d_q[...].a +=: serial
//= d_q[...].b +=: serial
//= d_q[...].d +=: serial
//= d_w[...] +=: butterfly

// Cells that differ between lanes, in branches and loops that do, too.
BOTH("y wrt x, w") GW_ACCUMULATE(w, match)
__global__ void matched(real *y, const real *x, const real *w, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < 1 + i % 4; j++) {
        if ((i + j) % 5 == 0) continue;
        sum += w[list[(i + j) % n]] * x[i];
        if (i % 3 == 1) sum += w[j] * x[i] * x[i];
    }
    y[i] = sum;
}
//= d_w[list[(i + j) % n]] +=: match
//= d_w[j] +=: match

// Members of an element of each lane's own, by the lanes that happen to be there.
BOTH("y wrt x, q") GW_ACCUMULATE(q, record)
__global__ void in_records(real *y, const real *x, const quad *q, const int *list, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < 1 + i % 4; j++) {
        if ((i + j) % 5 == 0) continue;
        const quad &p = q[list[(3 * i + j) % n]];
        sum += p.a * x[i] + p.b * p.c * x[i] + p.d * p.d;
    }
    y[i] = sum;
}
//= d_q[list[(3 * i + j) % n]].a +=: record
//= d_q[list[(3 * i + j) % n]].b +=: record
//= d_q[list[(3 * i + j) % n]].c +=: record
//= d_q[list[(3 * i + j) % n]].d +=: record

// Rows of each thread's own for one, what is cheapest for the other.
JOINED("y wrt x, w") GW_ACCUMULATE(x, slots)
__global__ void in_rows(real *y, const real *x, const real *w, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[list[i]] * w[blockIdx.x];
}
//= d_x[list[i]] +=: slots
//= d_w[blockIdx.x] +=: warp

// A shared array.
BOTH("y wrt x") GW_ACCUMULATE(s, atomic)
__global__ void in_shared(real *y, const real *x, int n) {
    __shared__ real s[32];
    int i = HERE, t = threadIdx.x;
    s[t] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < (int)blockDim.x; j++) sum += s[j] * s[j] * (t + 1);
    if (i < n) y[i] = sum;
}
//= d_s[j] +=: atomic

#include "rungs_asked.grad.cuh"

#define SIZES(kernel, tolerance, ...)                                         \
    CHECK_CASE(kernel##_1, kernel, kernel, tolerance, 3, 1, __VA_ARGS__)      \
    CHECK_CASE(kernel##_31, kernel, kernel, tolerance, 2, 31, __VA_ARGS__)    \
    CHECK_CASE(kernel##_45, kernel, kernel, tolerance, 2, 45, __VA_ARGS__)    \
    CHECK_CASE(kernel##_64, kernel, kernel, tolerance, 1, 64, __VA_ARGS__)

static std::vector<int> lengths(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 6);
    return of;
}

SIZES(forced_atomic, 1e-8, out(90), in(90), 60)
SIZES(forced_owned, 1e-8, out(90), in(120), 60)
SIZES(in_rows, 1e-8, out(90), in(9), in(9), list({4, 1, 4, 4, 0, 8, 7, 7, 4, 1, 2, 3, 3, 4, 5, 6, 7, 8, 4, 4}), 20)
SIZES(forced_warp, 1e-8, out(90), in(90), active(0.7), active(0.3), 60)
SIZES(forced_grid, 1e-8, out(90), in(90), in(3), 60)
SIZES(by_macro, 1e-8, out(90), in(90), in(3), in(3), 60)
SIZES(butterflies, 1e-8, out(90), in(90), in(8), given(lengths(90)), 60)
SIZES(serial, 1e-8, out(90), in(90), in(8), given(lengths(90)), 60)
CHECK_CASE(butterflies_large, butterflies, butterflies, 1e-8, 1, 256, out(250), in(250), in(8), given(lengths(250)), 250)
CHECK_CASE(serial_large, serial, serial, 1e-8, 1, 256, out(250), in(250), in(8), given(lengths(250)), 250)
SIZES(through_list, 1e-8, out(90), in(90), in(5), in(5), given(std::vector<int>{3, 0, 4, 1, 3}), 60, 5)
SIZES(in_records, 1e-8, out(90), in(90), in(7), given(lengths(90)), 60)
CHECK_CASE(in_records_large, in_records, in_records, 1e-8, 1, 512, out(512), in(512), in(7), given(lengths(512)), 500)
SIZES(matched, 1e-8, out(90), in(90), in(8), given(lengths(90)), 60)
CHECK_CASE(in_shared, in_shared, in_shared, 1e-8, 3, 32, out(96), in(96), 90)
TEST_MAIN
