// Copies of an array that blocks share: each for its own reason impossible.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void index_from_memory(float *y, const float *x, const int *list) {
    y[HERE] = x[list[HERE]];
}

// One of two additions has no bound.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void one_without_bound(float *y, const float *x, const int *list) {
    y[HERE] = x[threadIdx.x] * x[list[HERE]];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void bound_from_memory(float *y, const float *x, const int *length) {
    float sum = 0;
    for (int k = threadIdx.x; k < length[0]; k += 32) sum += x[k] * x[k];
    y[HERE] = sum;
}

// Below 0 it goes on from the other end.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void unsigned_downward(float *y, const float *x, unsigned n) {
    float sum = 0;
    for (unsigned k = n; k > 3; k -= 7)
        if (k <= n) sum += x[k] * x[k];
    y[HERE] = sum;
}

// The host's bounds of 64 bits may wrap around.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void of_wide_numbers(float *y, const float *x, long long n) {
    float sum = 0;
    for (long long j = threadIdx.x; j < n; j += 32) sum += x[j * n + threadIdx.x] * x[j * n + threadIdx.x];
    y[HERE] = sum;
}

// A number that iterations hand on.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void walk(float *y, const float *x, const int *next) {
    float sum = 0;
    int at = threadIdx.x;
    for (int j = 0; j < 4; j++) {
        sum += x[at] * x[at];
        at = next[at];
    }
    y[HERE] = sum;
}

GW_GRADIENT("x wrt x") GW_ACCUMULATE(x, copies)
__global__ void in_place(float *x, int n) {
    int t = threadIdx.x;
    if (t < n) x[n + HERE] = x[t] * x[t];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, copies)
__global__ void in_shared_memory(float *y, const float *x) {
    __shared__ float s[32];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    y[HERE] = s[threadIdx.x / 2] * s[threadIdx.x / 2];
}

struct table {
    const float *x;
};
GW_GRADIENT("y wrt p.x") GW_ACCUMULATE(p.x, copies)
__global__ void behind_a_member(float *y, table p) {
    y[HERE] = p.x[threadIdx.x] * p.x[threadIdx.x];
}

GW_GRADIENT("y wrt a") GW_ACCUMULATE(a, copies)
__global__ void two_indices(float *y, float (*a)[8], int n) {
    y[HERE] = a[threadIdx.x][n] * a[threadIdx.x][n];
}

struct mixed {
    float v;
    double w;
};
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void of_two_types(float *y, const mixed *x) {
    y[HERE] = x[threadIdx.x].v * x[threadIdx.x].v;
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void of_its_own(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE];
}
// says: no_copies.cu:6:24: error: GW_ACCUMULATE(x, copies): the addition at line 8 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:12:24: error: GW_ACCUMULATE(x, copies): the addition at line 14 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:17:24: error: GW_ACCUMULATE(x, copies): the addition at line 20 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:25:24: error: GW_ACCUMULATE(x, copies): the addition at line 29 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:34:24: error: GW_ACCUMULATE(x, copies): the addition at line 37 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:42:24: error: GW_ACCUMULATE(x, copies): the addition at line 47 cannot take this rung: no copies (no bound of its index is known at the launch) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:53:24: error: GW_ACCUMULATE(x, copies): the addition at line 56 cannot take this rung: no copies (the kernel reads or overwrites its adjoint too) [rung-unsound]
// says: GW_GRADIENT("x wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:59:24: error: GW_ACCUMULATE(s, copies): the addition at line 64 cannot take this rung: no copies (it lies in shared memory) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:70:26: error: GW_ACCUMULATE(p.x, copies): the addition at line 72 cannot take this rung: no copies (it lies in no array that is a parameter, or two of its indices vary) [rung-unsound]
// says: GW_GRADIENT("y wrt p.x") GW_ACCUMULATE(p.x, copies)
// says:                          ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:75:24: error: GW_ACCUMULATE(a, copies): the addition at line 77 cannot take this rung: no copies (it lies in no array that is a parameter, or two of its indices vary) [rung-unsound]
// says: GW_GRADIENT("y wrt a") GW_ACCUMULATE(a, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:84:24: error: GW_ACCUMULATE(x, copies): the addition at line 86 cannot take this rung: no copies (its elements are not made of floats alone, nor of doubles alone) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_copies.cu:89:24: error: GW_ACCUMULATE(x, copies): each cell of its adjoint has one thread, so there is nothing to sum [rung-of-no-addition]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, copies)
// says:                        ^
// says:   way out: take the mark away
