// Additions to neighbours that are one instruction: of one thread to components of a float2 or float4 (rewriters/rung_vector.c), of the
// lanes of a warp to a record (rewriters/pack.c). Checked by statements.py.
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt p")
__global__ void pair(float *y, const float2 *p, const int *list) {
    float2 v = p[list[HERE]];
    y[HERE] = v.x * v.y + v.x;
}
//= gw_atomic_add2(&d_p[index_2].x,
//! gw_atomic_add(

// What is loaded behind the additions does not part them.
GW_GRADIENT("y wrt p, q")
__global__ void four(float *y, const float4 *p, const float2 *q, const int *list) {
    int k = list[HERE];
    y[HERE] = p[k].x * p[k].y * p[k].z * p[k].w * q[k].x * q[k].y;
}
//= gw_atomic_add4(&d_p[k].x,
//= gw_atomic_add2(&d_q[k].x,
//! gw_atomic_add(

GW_GRADIENT("y wrt p")
__global__ void across(float *y, const float4 *p, const int *list) {
    int k = list[HERE];
    y[HERE] = p[k].y * p[k].z;
}
//! gw_atomic_add2(
//= gw_atomic_add(&d_p[k].y,
//= gw_atomic_add(&d_p[k].z,

GW_GRADIENT("y wrt mean, color") GW_PACK(mean, color)
__global__ void record(float *y, const float2 *mean, const float *color, const int *ids, int n) {
    float sum = 0;
    for (int j = 0; j < n; j++) {
        int id = ids[j];
        sum += mean[id].x * color[3 * id] + mean[id].y * color[3 * id + 1] * color[3 * id + 2];
    }
    y[HERE] = sum * sum;
}
//= gw_cells(&d_pack[8 * (long long)
//! gw_cells(&d_mean
//! gw_cells(&d_color
