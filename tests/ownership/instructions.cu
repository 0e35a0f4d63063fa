// Additions to neighbours that are one instruction: of one thread to an aligned pair or four floats (rewriters/accumulate/vector.c), of the
// lanes of a warp to a record (rewriters/accumulate/pack.c). Checked by statements.py.
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

// Members of structs that are aligned to 16 bytes, or to 8.
struct alignas(16) splat {
    float x, y, a, b;
};
GW_GRADIENT("y wrt p")
__global__ void of_splat(float *y, const splat *p, const int *list) {
    int k = list[HERE];
    y[HERE] = p[k].x * p[k].y * p[k].a * p[k].b;
}
//= gw_atomic_add4(&d_p[k].x,
//! gw_atomic_add(

struct __align__(8) half_splat {
    float x, y, a, b, c, d;
};
GW_GRADIENT("y wrt p")
__global__ void of_halves(float *y, const half_splat *p, const int *list) {
    int k = list[HERE];
    y[HERE] = p[k].x * p[k].y * p[k].a * p[k].b * p[k].d;
}
//= gw_atomic_add2(&d_p[k].x,
//= gw_atomic_add2(&d_p[k].a,
//= gw_atomic_add(&d_p[k].d,
//! gw_atomic_add4(

struct loose_splat {
    float x, y, a, b;
};
GW_GRADIENT("y wrt p")
__global__ void of_loose(float *y, const loose_splat *p, const int *list) {
    int k = list[HERE];
    y[HERE] = p[k].x * p[k].y * p[k].a * p[k].b;
}
//= gw_atomic_add(&d_p[k].x,
//! gw_atomic_add2(
//! gw_atomic_add4(

// What lies between two members is not added to.
struct gap {
    float x;
    alignas(8) float y;
};
GW_GRADIENT("y wrt p")
__global__ void over_padding(float *y, const gap *p) {
    y[HERE] = p[blockIdx.x].x * p[blockIdx.x].y;
}
//= gw_cells(gw_at(&d_p[0].x, &d_p[1].x, blockIdx.x), d_y_value * p[blockIdx.x].y)
//= gw_cells(gw_at(&d_p[0].y, &d_p[1].y, blockIdx.x), d_y_value * p[blockIdx.x].x)

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

// A rung for the gradient of a name, and one of an input that the other gradient does not have; macros stand for numbers and names.
#define FACTOR (2)
#define INPUT x
GW_GRADIENT("y wrt x") GW_GRADIENT("other = y wrt x, w") GW_ACCUMULATE(w, match) GW_ACCUMULATE(INPUT, match, other) GW_COARSEN(FACTOR, other)
__global__ void of_one_name(float *y, const float *x, const float *w, const int *list) {
    y[HERE] = x[list[HERE]] * w[list[HERE]];
}
//= gw_atomic_add(&d_x[
//! gw_match_add(
