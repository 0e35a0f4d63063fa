// Exact sums: each for its own reason impossible.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void in_shared_memory(float *y, const float *x, const int *at) {
    __shared__ float s[32];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    y[HERE] = s[at[threadIdx.x]];
}

GW_GRADIENT("x wrt x") GW_ACCUMULATE(x, exact)
__global__ void in_place(float *x, const int *to, const int *from, int n) {
    int i = HERE;
    if (i < n) x[to[i]] = x[n + from[i]] * 2;
}

struct list {
    const float *x;
};
GW_GRADIENT("y wrt l.x") GW_ACCUMULATE(l.x, exact)
__global__ void behind_pointers(float *y, const list *l, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
}

// One signature for all instantiations.
template <int N> GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void of_template(float *y, const float *x, const int *at) {
    y[HERE] = x[at[HERE]] * N;
}
template __global__ void of_template<2>(float *, const float *, const int *);

template <int N> GW_SPLIT_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void half_of_template(float *y, const float *x) {
    y[HERE] = x[HERE % N] * x[HERE % N];
}
template __global__ void half_of_template<2>(float *, const float *);
// says: no_exact.cu:6:24: error: GW_ACCUMULATE(s, exact): the addition at line 11 cannot take this rung: no exact (shared memory has no room for accumulators) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, exact)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_exact.cu:14:24: error: GW_ACCUMULATE(x, exact): the addition at line 17 cannot take this rung: no exact (the kernel reads or overwrites its adjoint too) [rung-unsound]
// says: GW_GRADIENT("x wrt x") GW_ACCUMULATE(x, exact)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_exact.cu:23:26: error: GW_ACCUMULATE(l.x, exact): the addition at line 26 cannot take this rung: no exact (the host does not know where it lies) [rung-unsound]
// says: GW_GRADIENT("y wrt l.x") GW_ACCUMULATE(l.x, exact)
// says:                          ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_exact.cu:30:41: error: GW_ACCUMULATE(x, exact): the addition at line 32 cannot take this rung: no exact (the launch knows no bound of its index, and one of a template does not take how many cells there are) [rung-unsound]
// says: template <int N> GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
// says:                                         ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: no_exact.cu:36:47: error: GW_ACCUMULATE(x, exact): the addition at line 38 cannot take this rung: no exact (halves of a template have no accumulators) [rung-unsound]
// says: template <int N> GW_SPLIT_GRADIENT("y wrt x") GW_ACCUMULATE(x, exact)
// says:                                               ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
