// With --deterministic: which additions that several threads make get rows, and which one thread of the block makes for all.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// A cell of the block's own: its sum has a fixed order, and needs no row.
GW_GRADIENT("y wrt x, k")
__global__ void of_block(float *y, const float *x, const float *k, int n) {
    int i = HERE;
    float own = k[blockIdx.x];
    if (i < n) y[i] = x[i] * own * own;
}
//= d_k[blockIdx.x] +=: block

// In a loop, of fields side by side.
GW_GRADIENT("y wrt q")
__global__ void fields(float *y, const float2 *q, int m, int n) {
    int i = HERE;
    float sum = 0;
    for (int j = 0; j < m; j++) {
        float2 v = q[blockIdx.x * 8 + j % 8];
        sum += v.x * v.y * (float)(i % 3);
    }
    if (i < n) y[i] = sum;
}
//= d_q[blockIdx.x * 8 + j % 8].x +=: block
//= d_q[blockIdx.x * 8 + j % 8].y +=: block

GW_GRADIENT("y wrt q")
__global__ void fields_of_rows(float *y, const float2 *q, int m, int n) {
    int i = HERE;
    float sum = 0;
    for (int j = 0; j < 8; j++) {
        float2 v = q[(int)blockIdx.x * 8 + j];
        sum += v.x * v.y * (float)(i % 3 + m);
    }
    if (i < n) y[i] = sum;
}
//= d_q[blockIdx.x * 8 + j].x +=: block
//= d_q[blockIdx.x * 8 + j].y +=: block

// All blocks have it: rows of warps.
GW_GRADIENT("y wrt k")
__global__ void of_grid(float *y, const float *x, const float *k, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * k[0];
}
//= d_k[0] +=: warp_slots

// Rows of a warp at positions of a list, which are in the order of their keys; by another list they are not.
GW_GRADIENT("y wrt x, v") GW_SORTED(row) GW_SORTED(ids)
__global__ void of_sorted_list(float *y, const float *x, const float *v, const int *ids, const int *others, const int *row) {
    float sum = 0;
    for (int k = row[blockIdx.x]; k < row[blockIdx.x + 1]; k++) sum += x[ids[k]] * v[others[k]] * (threadIdx.x + 1);
    y[HERE] = sum;
}
//= d_x[ids[k]] +=: ordered_list_slots
//= d_v[others[k]] +=: list_slots

// Threads of the block come to it at other places, too: rows for both.
GW_GRADIENT("y wrt k")
__global__ void elsewhere(float *y, const float *k, int n) {
    int i = HERE, first = 2 * (int)blockIdx.x;
    float own = k[first];
    if (i < n) y[i] = own * own * k[first + (int)(threadIdx.x & 1)];
}
//= d_k[first] +=: warp_slots
//= d_k[first + (threadIdx.x & 1)] +=: slots

// What no row can take is summed exactly: loops of which nobody knows how often they run,
GW_GRADIENT("y wrt x")
__global__ void without_bound(float *y, const float *x, const int *first, const int *at, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]];
    y[i] = sum;
}
//= d_x[at[j]] +=: exact
//> d_x[at[j]]: exact (accumulators of 80 bytes a number, rounded once behind the kernel; the launch takes how
//> d_x[at[j]]: no slots (no bound of a loop around it is known at the launch; if the ranges in first do not

// two indices that vary,
GW_GRADIENT("y wrt a")
__global__ void two_indices(float *y, float (*a)[8], const int *row, const int *column, int n) {
    int i = HERE;
    if (i < n) y[i] = a[row[i]][column[i]] * a[row[i] & 3][column[i]];
}
//= d_a[row[i]][column[i]] +=: exact
//= d_a[row[i] & 3][column[i]] +=: exact

// arrays that members lead to.
struct grids {
    float *fine;
    double *coarse;
};
GW_GRADIENT("y wrt g.fine, g.coarse")
__global__ void of_members(float *y, grids g, const int *first, const int *at, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += g.fine[at[j]] * (float)g.coarse[at[j] & 7];
    y[i] = sum;
}
//= d_g.fine[at[j]] +=: exact
//= d_g.coarse[at[j] & 7] +=: exact
//> d_g.coarse[at[j] & 7]: exact (accumulators of 544 bytes a number, rounded once behind the kernel)

// What can have a row keeps it, and what is the thread's own is nobody else's.
GW_GRADIENT("y wrt x, w, v")
__global__ void beside_rows(float *y, const float *x, const float *w, const float *v, const int *first,
                            const int *at, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]];
    y[i] = sum * w[at[i]] * v[i];
}
//= d_x[at[j]] +=: exact
//= d_w[at[i]] +=: slots

// Sums in shared memory are the block's, rounded before somebody reads them.
GW_GRADIENT("y wrt x")
__global__ void in_shared_memory(float *y, const float *x, const int *at) {
    __shared__ float s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[t]];
}
//= d_s[at[t]] +=: exact
//> d_s[at[t]]: exact (accumulators of 80 bytes a number for each block, rounded where a thread reads the cell)

// What the kernel overwrites, where no addition comes before.
GW_GRADIENT("x wrt x")
__global__ void in_place(float *x, const int *to, const int *from, int n) {
    int i = HERE;
    if (i < n) x[to[i]] = x[n + from[i]] * 2;
}
//= d_x[n + from[i]] +=: exact

// Records, which have no rows here.
GW_GRADIENT("y wrt x, w") GW_PACK(x, w)
__global__ void in_records(float *y, const float *x, const float *w, const int *first, const int *at, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]] * w[at[j]];
    y[i] = sum;
}
//= d_pack[4 * at[j] + 1] +=: exact
//= d_pack[4 * at[j]] +=: exact

// Numbers that pointers in memory lead to: an accumulator is found by its address,
struct layer {
    const float *x;
};
GW_GRADIENT("y wrt l.x")
__global__ void behind_pointers(float *y, const layer *l, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = l[i & 1].x[at[i]];
}
//= d_l[i & 1].x[at[i]] +=: exact
//> d_l[i & 1].x[at[i]]: exact (accumulators of 80 bytes a number, found by its address and rounded once

// texels, in loops of which nobody knows how often they run,
GW_GRADIENT("y wrt image")
__global__ void texels(float *y, cudaTextureObject_t image, const int *first, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += tex1Dfetch<float>(image, j % 7);
    y[i] = sum;
}
//= d_image.cells[cell] +=: exact

// and halves of a template, which have rows, too.
template <int N> GW_SPLIT_GRADIENT("y wrt x, w")
__global__ void in_halves(float *y, const float *x, const float *w, const int *first, const int *at, int n) {
    int i = HERE;
    float sum = 0;
    if (i >= n) return;
    for (int j = first[i]; j < first[i + 1]; j++) sum += x[at[j]];
    y[i] = sum * w[at[i] * N];
}
template __global__ void in_halves<2>(float *, const float *, const float *, const int *, const int *, int);
//= d_x[at[j]] +=: exact
//= d_w[at[i] * 2] +=: slots
