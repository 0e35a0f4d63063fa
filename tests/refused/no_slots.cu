// args: --deterministic
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void in_shared_memory(float *y, const float *x, const int *at) {
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[t]];
}

GW_GRADIENT("x wrt x")
__global__ void in_place(float *x, const int *to, const int *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[to[i]] = x[n + from[i]] * 2;
}

struct list {
    const float *x;
};

GW_GRADIENT("y wrt l.x")
__global__ void behind_pointers(float *y, const list *l, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
}

GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
__global__ void in_records(float *y, const float *x, const float *w, const int *first, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]] * w[at[j]];
    y[i] = sum;
}
// says: no_slots.cu:10:12: error: threads add to 'd_s' in an order that changes from run to run (the index at[t] is read from memory and may repeat; no exact (shared memory has no room for accumulators)) [no-fixed-order]
// says:     y[i] = s[at[t]];
// says:            ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_slots.cu:16:27: error: threads add to 'd_x' in an order that changes from run to run (the index from[i] is read from memory and may repeat; no exact (the kernel reads or overwrites its adjoint too)) [no-fixed-order]
// says:     if (i < n) x[to[i]] = x[n + from[i]] * 2;
// says:                           ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_slots.cu:26:23: error: threads add to 'd_l' in an order that changes from run to run (the index at[i] is read from memory and may repeat; no exact (the host does not know where it lies)) [no-fixed-order]
// says:     if (i < n) y[i] = l->x[at[i]] * l->x[at[i]];
// says:                       ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_slots.cu:34:69: error: threads add to 'd_pack' in an order that changes from run to run (the index at[j] is read from memory and may repeat; no exact (it goes to a record of GW_PACK)) [no-fixed-order]
// says:     for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]] * w[at[j]];
// says:                                                                     ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
// says: no_slots.cu:34:58: error: threads add to 'd_pack' in an order that changes from run to run (the index at[j] is read from memory and may repeat; no exact (it goes to a record of GW_PACK)) [no-fixed-order]
// says:     for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]] * w[at[j]];
// says:                                                          ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
