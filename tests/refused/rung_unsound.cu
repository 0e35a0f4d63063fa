// What is asked for and cannot be: each at its line, with the addition that is in the way.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, owned)
__global__ void owned_by_two(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE + 1];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
__global__ void warp_of_many_cells(float *y, const float *x, const int *list) {
    y[HERE] = x[list[HERE]];
}

// One of two additions is not the warp's.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
__global__ void warp_of_one(float *y, const float *x) {
    y[HERE] = x[blockIdx.x] * x[HERE / 2];
}

GW_GRADIENT("y wrt w") GW_ACCUMULATE(w, warp-butterfly)
__global__ void from_own_start(float *y, const float *w, int n) {
    float sum = 0;
    for (int j = threadIdx.x % 3; j < n; j++) sum += w[j] * w[j];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, grid)
__global__ void grid_in_shared_memory(float *y, const float *x) {
    __shared__ float s[32];
    s[threadIdx.x % 32] = x[HERE];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 32; j++) sum += s[j] * s[j];
    y[HERE] = sum;
}

GW_GRADIENT("y wrt x, w") GW_ACCUMULATE(w, grid)
__global__ void grid_of_some_warps(float *y, const float *x, const float *w, const int *at) {
    float v = x[HERE];
    if (threadIdx.x >= 40) v *= w[at[0]];
    y[HERE] = v;
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, gather)
__global__ void gather_of_entries(float *y, const float *x, const int *list) {
    y[HERE] = x[list[HERE]] * x[list[HERE] + 1];
}

GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, vector)
__global__ void half_a_pair(float *y, const float4 *p, const int *list) {
    float4 v = p[list[HERE]];
    y[HERE] = v.x * v.y * v.z;
}

GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, vector)
__global__ void vector_of_floats(float *y, const float *p, const int *list) {
    y[HERE] = p[2 * list[HERE]] * p[2 * list[HERE] + 1];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
__global__ void nothing_to_sum(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(n, warp)
__global__ void no_adjoint(float *y, const float *x, int n) {
    y[HERE] = x[HERE] * n;
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, posted)
__global__ void posted_by_two(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE + 1];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, posted)
__global__ void posted_in_shared_memory(float *y, const float *x) {
    __shared__ float s[1024];
    s[threadIdx.x] = x[HERE];
    __syncthreads();
    y[HERE] = s[threadIdx.x] * s[threadIdx.x];
}

// Three members, and a scalar array.
GW_GRADIENT("y wrt p, q") GW_ACCUMULATE(p, record)
__global__ void record_of_three(float *y, const float4 *p, const float *q, const int *list) {
    float4 v = p[list[HERE]];
    y[HERE] = v.x * v.y * v.z * q[list[HERE]];
}

// A barrier is one of a block.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, phases)
__global__ void phases_of_the_callers(float *y, const float *x) {
    y[HERE] = x[HERE] * x[HERE + 1];
}

GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp-serial)
__global__ void serial_of_many_cells(float *y, const float *x, const int *list) {
    y[HERE] = x[list[HERE]];
}
// says: rung_unsound.cu:6:24: error: GW_ACCUMULATE(x, owned): the addition at line 8 cannot take this rung: neighbouring threads meet here: x[blockIdx.x * blockDim.x + threadIdx.x + 1] at line 8 and x[blockIdx.x * blockDim.x + threadIdx.x] at line 8 [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, owned)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:11:24: error: GW_ACCUMULATE(x, warp): the addition at line 13 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:17:24: error: GW_ACCUMULATE(x, warp): the addition at line 19 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:22:24: error: GW_ACCUMULATE(w, warp-butterfly): the addition at line 25 cannot take this rung: no sum over the warp (the loop around it starts elsewhere in each lane) [rung-unsound]
// says: GW_GRADIENT("y wrt w") GW_ACCUMULATE(w, warp-butterfly)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:29:24: error: GW_ACCUMULATE(s, grid): the addition at line 35 cannot take this rung: no sum over the warp (the cell is in shared memory) [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, grid)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:39:27: error: GW_ACCUMULATE(w, grid): the addition at line 42 cannot take this rung: not all threads of the block know the cell, or there is no shared memory for the sums [rung-unsound]
// says: GW_GRADIENT("y wrt x, w") GW_ACCUMULATE(w, grid)
// says:                           ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:46:24: error: GW_ACCUMULATE(x, gather): the addition at line 48 cannot take this rung: it is none that can be gathered: of a row or tile that all its threads add to in a loop, or of neighbours' cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, gather)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:51:24: error: GW_ACCUMULATE(p, vector): the addition at line 53 cannot take this rung: it adds to no aligned pair of floats side by side in the caller's memory, or to one of two [rung-unsound]
// says: GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, vector)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:57:24: error: GW_ACCUMULATE(p, vector): the addition at line 59 cannot take this rung: it adds to no aligned pair of floats side by side in the caller's memory, or to one of two [rung-unsound]
// says: GW_GRADIENT("y wrt p") GW_ACCUMULATE(p, vector)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:62:24: error: GW_ACCUMULATE(x, warp): each cell of its adjoint has one thread, so there is nothing to sum [rung-of-no-addition]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp)
// says:                        ^
// says:   way out: take the mark away
// says: rung_unsound.cu:67:24: error: GW_ACCUMULATE(n, warp): the gradient adds nothing to its adjoint [rung-of-no-addition]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(n, warp)
// says:                        ^
// says:   way out: take the mark away
// says: rung_unsound.cu:72:24: error: GW_ACCUMULATE(x, posted): the addition at line 74 cannot take this rung: neighbouring threads meet here: x[blockIdx.x * blockDim.x + threadIdx.x + 1] at line 74 and x[blockIdx.x * blockDim.x + threadIdx.x] at line 74 [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, posted)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:77:24: error: GW_ACCUMULATE(s, posted): the addition at line 82 cannot take this rung: it is none of a float or double in the caller's memory [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(s, posted)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:86:27: error: GW_ACCUMULATE(p, record): the addition at line 88 cannot take this rung: it adds to no four members of one element side by side in the caller's memory [rung-unsound]
// says: GW_GRADIENT("y wrt p, q") GW_ACCUMULATE(p, record)
// says:                           ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:93:24: error: GW_ACCUMULATE(x, phases): the addition at line 95 cannot take this rung: a barrier orders the threads of one block only, and it is not in shared memory [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, phases)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
// says: rung_unsound.cu:98:24: error: GW_ACCUMULATE(x, warp-serial): the addition at line 100 cannot take this rung: lanes of a warp have different cells [rung-unsound]
// says: GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, warp-serial)
// says:                        ^
// says:   way out: take the mark away, or write auto: then the cheapest rung that is sound is taken
