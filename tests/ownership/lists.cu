// Indices read from lists: the primal's race-freedom and what it says of a list's entries. The table of
// decisions is checked by decisions.py.
#include <gradwright/gradwright.h>

// ---- lists: what must stay atomic ----
// The store goes through the list under a condition that the read does not share.
GW_GRADIENT("e wrt x")
__global__ void sometimes_through_the_list(float *e, const float *x, const int *list, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[list[i]] * x[list[i]];
    if (v > 1) e[list[i]] = v;
}
//= d_x[list[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

// Several blocks look at one entry of the list.
GW_GRADIENT("e wrt x")
__global__ void list_by_block_of_y(float *e, const float *x, const int *list) {
    int i = threadIdx.x + blockIdx.y * blockDim.x;
    e[list[i]] = x[list[i]] * x[list[i]];
}
//= d_x[list[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

GW_GRADIENT("e wrt x")
__global__ void list_of_halves(float *e, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[list[i / 2]] = x[list[i / 2]] * x[list[i / 2]];
}
//= d_x[list[i / 2]] +=: atomic
//= d_e[list[i / 2]] =: plain
//= read d_e[list[i / 2]]: plain

// An entry and the next one: the next one is the first one of another thread.
GW_GRADIENT("e wrt x")
__global__ void next_in_list(float *e, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[list[i]] = x[list[i]] * x[list[i + 1]];
}
//= d_x[list[i + 1]] +=: atomic
//= d_x[list[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

GW_GRADIENT("e wrt x")
__global__ void beside_the_list(float *e, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[list[i]] = x[list[i] + 1] * x[list[i]];
}
//= d_x[list[i] + 1] +=: atomic
//= d_x[list[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

GW_GRADIENT("e wrt x")
__global__ void another_list(float *e, const float *x, const int *list, const int *other) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[list[i]] = x[other[i]] * x[other[i]];
}
//= d_x[other[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

// The row tells the threads apart, the list alone does not.
GW_GRADIENT("e wrt x")
__global__ void rows_of_lists(float *const *e, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i % 7][list[i]] = x[list[i]] * x[list[i]];
}
//= d_x[list[i]] +=: atomic
//= d_e[i % 7][list[i]] =: plain
//= read d_e[i % 7][list[i]]: plain

// The loop with the store may not run.
GW_GRADIENT("e wrt x")
__global__ void read_before_the_loop(float *e, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[list[i]] * x[list[i]];
    for (int k = 0; k < n; k++) e[list[i]] = v;
}
//= d_x[list[i]] +=: atomic
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

// ---- and what need not ----
struct element {
    float v, w;
};
GW_GRADIENT("e wrt x, s")
__global__ void through_the_list(element *e, const float *x, const element *s, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = s[list[i]].v;
    if (v > 1) v *= x[list[i]];
    e[list[i]].v = v * s[list[i]].w;
}
//= d_s[list[i]].w +=: plain
//= d_s[list[i]].v +=: plain
//= d_x[list[i]] +=: plain
//= d_e[list[i]].v =: plain
//= read d_e[list[i]].v: plain

GW_GRADIENT("e wrt x")
__global__ void grid_stride_of_a_list(float *e, const float *x, const int *list, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        e[list[i]] = x[list[i]] * x[list[i]];
}
//= d_x[list[i]] +=: plain
//= d_e[list[i]] =: plain
//= read d_e[list[i]]: plain

GW_GRADIENT("out wrt in")
__global__ void square(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}
//= d_in[i] +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void grid_stride(float *out, const float *in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = sinf(in[i]);
}
//= d_in[i] +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void row_major(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    out[y * w + x] = expf(in[y * w + x]);
}
//= d_in[y * w + x] +=: plain
//= d_out[y * w + x] =: plain
//= read d_out[y * w + x]: plain

GW_GRADIENT("out wrt in")
__global__ void volume(float *out, const float *in, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < w && y < h && z < d) out[(z * h + y) * w + x] = in[(z * h + y) * w + x] * 2.0f;
}
//= d_in[(z * h + y) * w + x] +=: plain
//= d_out[(z * h + y) * w + x] =: plain
//= read d_out[(z * h + y) * w + x]: plain

GW_GRADIENT("out wrt in")
__global__ void even_and_odd(float *out, const float *in, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[2 * i] * in[2 * i + 1];
}
//= d_in[2 * i + 1] +=: plain
//= d_in[2 * i] +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void rows_of_k(float *out, const float *in, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < k; j++) sum = sinf(sum + in[i * k + j]);
    out[i] = sum;
}
//= d_in[i * k + j] +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void reversed(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[n - 1 - i] * 3.0f;
}
//= d_in[n - 1 - i] +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

struct particle {
    float mass, position[3];
};
GW_GRADIENT("out wrt in")
__global__ void fields(float *out, const particle *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += in[i].position[k] * in[i].position[k];
    out[i] = in[i].mass * sum;
}
//= d_in[i].position[k] +=: plain
//= d_in[i].mass +=: plain
//= d_out[i] =: plain
//= read d_out[i]: plain

// What the primal writes plainly belongs to its thread, whatever the index; so the list's entries are distinct.
GW_GRADIENT("energy wrt energy, volume")
__global__ void regions(float *energy, const float *volume, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int zone = list[i];
    energy[zone] = energy[zone] * volume[zone] + 1.0f;
}
//= d_energy[zone] =: plain
//= d_volume[zone] +=: plain
//= read d_energy[zone]: plain

GW_GRADIENT("out wrt in")
__global__ void one_thread(float *out, const float *in, int n) {
    if (blockIdx.x * blockDim.x + threadIdx.x == 0) out[0] = in[0] * in[n];
}
//= d_in[0] +=: plain
//= d_in[n] +=: plain
//= d_out[0] =: plain
//= read d_out[0]: plain
