// Names that are made beside names that are there: parameters, types, functions, variables and macros of the
// user's that are called as Gradwright would call its own; parameters of templates that are const.
// (docs/guide/requests.md)
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- macros and functions, anywhere in the source ----
#define product 64
#define d_gain 8
#define t_gain 9
#define lanes 10
#define less 11
inline const char *lists_grad_needs(dim3, dim3) { return "mine"; }
static const int sums_tape_slots = 7;

// ---- parameters ----
BOTH("y wrt x, d_x, a")
__global__ void adjoints(real *y, const real *x, const real *d_x, const real *t_x, real a, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * a + d_x[i] * x[i] * t_x[i];
}

// What a gradient looks like: a derivative of one has all its names twice.
BOTH("d_x wrt x, d_y, d_x")
__global__ void like_a_gradient(real *y, const real *x, real *d_y, real *d_x, int n) {
    int i = HERE;
    (void)y;
    if (i < n) d_x[i] += 2 * x[i] * d_y[i];
}

// As in LULESH: what is computed is called so.
BOTH("p_new wrt compression, d_v, t_v")
__global__ void pressure(real *p_new, const real *compression, const real *d_v, const real *t_v, const real *v,
                         int n) {
    int i = HERE;
    if (i < n) p_new[i] = 2 * (compression[i] + 1) * d_v[i] / v[i] + t_v[i];
}

BOTH("y wrt x, gain")
__global__ void sums(real *y, const real *x, real gain, int grid, int block, int stream, int workspace,
                     int status, int tape, int needs, int slots, int workspace_bytes, int shared_bytes, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0;
         k < grid + block + stream + workspace + status + tape + needs + slots + workspace_bytes + shared_bytes;
         k++)
        v = 0.5 * v * v + gain * v;
    y[i] = v;
}

// The derivatives of pow and sin call log and cos.
BOTH("y wrt x, log")
__global__ void functions(real *y, const real *x, real log, real cos, real exp, int n) {
    int i = HERE;
    if (i < n) y[i] = pow(x[i], log) * sin(x[i]) * cos + exp;
}

// ---- types, and what inlined functions name ----
struct pair {
    real a, b;
};
struct sum {
    real v[2];
};
__device__ real weight = 1.5;
__device__ real weighed(real x, int k) {
    sum s = {{x * weight, x * x}};
    s.v[k % 2] += x;
    return s.v[(k + 1) % 2] * s.v[k % 2];
}
CHECK_CELLS(pair, CHECK_CELL(pair, a), CHECK_CELL(pair, b))

BOTH("y wrt x, sum")
__global__ void types(real *y, const pair *x, real sum, real pair, real weight, int n) {
    int i = HERE;
    if (i < n) y[i] = weighed(x[i].a, i) * sum + x[i].b * pair + weight;
}

// ---- templates ----
template <int d_x, int t_x> BOTH("y wrt x, a")
__global__ void scaled(real *y, const real *x, const real a, const int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * a * (d_x + t_x);
}
template <class T> struct as_given {
    typedef const T type;
};
typedef const int count;
template <class T>
BOTH("y wrt x, a")
__global__ void constants(T *const y, const T *const __restrict__ x, typename as_given<T>::type a, count n,
                          const bool doubled) {
    int i = HERE;
    if (i < n) y[i] = doubled ? 2 * x[i] * x[i] * a : x[i] * a;
}
BOTH("y wrt x")
__global__ void lists(real *y, const real *x, const int *list, int, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[i];
}

// A parameter has the name of a function that the gradient calls: in what a launch needs, in the tape's size.
BOTH("y wrt x")
GW_LAUNCH("exp >= 1")
__global__ void called(real *y, const real *x, int n, int exp) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < exp; k++) v = v * erf(v + 0.1 * k);
    y[i] = v;
}

// What nobody calls of a file's own.
namespace {
template <int N>
GW_GRADIENT("y wrt x, w")
__global__ void lines(real *y, const real *x, const real *w, int n) {
    for (int c = threadIdx.x; c < n; c += blockDim.x) y[blockIdx.x * n + c] = x[blockIdx.x * n + c] * w[c] + N;
}
template __global__ void lines<2>(real *, const real *, const real *, int);
} // namespace
template __global__ void scaled<2, 3>(real *, const real *, real, int);
template __global__ void constants<real>(real *, const real *, real, int, bool);

#include "names.grad.cuh"
#undef product
#undef d_gain
#undef t_gain
#undef lanes
#undef less

CHECK_KERNEL(adjoints, 2, 32, out(50), in(50), in(50), fixed(50), active(0.7), 50)
CHECK_KERNEL(like_a_gradient, 2, 32, fixed(50), in(50), in(50), inout(50), 50)
CHECK_KERNEL(pressure, 2, 32, out(50), in(50), in(50), in(50), fixed(50), 50)
CHECK_KERNEL(sums, 2, 32, out(50), in(50), active(0.6), 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 50)
CHECK_KERNEL(functions, 2, 32, out(50), in(50), active(1.7), 0.5, 0.25, 50)
CHECK_KERNEL(types, 2, 32, out(50), in(50), active(0.7), 0.4, 0.3, 50)
CHECK_KERNEL(lists, 2, 32, out(50), in(50), list({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4}),
             0, 20)
CHECK_KERNEL(called, 2, 32, out(50), in(50), 50, 5)
CHECK_INSTANCE(scaled_23, scaled, (2, 3), 2, 32, out(50), in(50), active(0.7), 50)
CHECK_INSTANCE(constants_r, constants, (real), 2, 32, out(50), in(50), active(0.7), 50, true)

TEST(names_of_the_users_are_the_users) {
    EXPECT(std::string(lists_grad_needs(1, 1)) == "mine" && sums_tape_slots == 7);
}
TEST_MAIN
