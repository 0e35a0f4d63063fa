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
