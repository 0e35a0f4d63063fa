// What --explain must say of each kernel: "//= update: how" for each row of the table, below the kernel.
// First the kernels on which other tools drop an atomic that is needed, then those on which they keep one
// that is not.
#include <gradwright/gradwright.h>

GW_GRADIENT("out wrt in")
__global__ void stencil(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + in[i + 1] + in[i + 2];
}
//= d_in[i + 1] +=: atomic
//= d_in[i + 2] +=: atomic
//= d_in[i] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void product_of_neighbours(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * in[i + 1];
}
//= d_in[i + 1] +=: atomic
//= d_in[i] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void block_of_y(float *out, const float *in) {
    int i = threadIdx.x + blockIdx.y * blockDim.x;
    out[i] = in[i] * in[i];
}
//= d_in[i] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

// The output tells the threads apart, the input does not.
GW_GRADIENT("out wrt in")
__global__ void block_of_y_in(float *out, const float *in) {
    int i = threadIdx.x + blockIdx.y * blockDim.x;
    int o = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    out[o] = in[i] * in[i];
}
//= d_in[i] +=: atomic
//= d_out[o] =: plain
//= read d_out[o]: plain

GW_GRADIENT("out wrt in")
__global__ void depth_of_another_axis(float *out, const float *in) {
    int i = threadIdx.x + blockIdx.y * blockDim.z;
    int o = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    out[o] = in[i] * in[i];
}
//= d_in[i] +=: atomic
//= d_out[o] =: plain
//= read d_out[o]: plain

GW_GRADIENT("out wrt in")
__global__ void only_z(float *out, const float *in) {
    int z = threadIdx.z + blockIdx.z * blockDim.z, i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[z] * in[z];
}
//= d_in[z] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void times_zero(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * 0];
}
//= d_in[0] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void narrow(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char c = i;
    out[i] = in[c];
}
//= d_in[c] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void even_and_next(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i] + in[1 + i];
}
//= d_in[1 + i] +=: atomic
//= d_in[2 * i] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in")
__global__ void block_index(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[blockIdx.x];
}
//= d_in[blockIdx.x] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

GW_GRADIENT("out wrt in, scale")
__global__ void half_and_modulo(float *out, const float *in, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = scale * in[i / 2] + in[i % 7];
}
//= d_scale[0] +=: atomic
//= d_in[i % 7] +=: atomic
//= d_in[i / 2] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

// More dimensions than the index uses: the kernel looks at y, its index does not.
GW_GRADIENT("out wrt in")
__global__ void larger_grid(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = in[x];
}
//= d_in[x] +=: atomic
//= d_out[y * w + x] =: plain
//= read d_out[y * w + x]: plain

GW_GRADIENT("out wrt in")
__global__ void pitch_too_short(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= w && y < h) out[y * (w + 1) + x] = in[y * w + x];
}
//= d_in[y * w + x] +=: atomic
//= d_out[y * (w + 1) + x] =: plain
//= read d_out[y * (w + 1) + x]: plain

GW_GRADIENT("out wrt in")
__global__ void gather(float *out, const float *in, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[list[i]];
}
//= d_in[list[i]] +=: atomic
//= d_out[i] =: plain
//= read d_out[i]: plain

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
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = sinf(in[i]);
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

// ---- behind pointers in memory ----
struct data {
    float *out;
    const float *grid, *other;
    const int *index;
    int n;
};
struct cell {
    const float *weight;
    float *sum;
};

GW_GRADIENT("d.out wrt d.grid, d.other")
__global__ void members(data d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < d.n) d.out[i] = d.grid[i] * d.other[i + 1];
}
//= d_d.grid[i] +=: plain
//= d_d.other[i + 1] +=: plain
//= d_d.out[i] =: plain
//= read d_d.out[i]: plain

GW_GRADIENT("d.out wrt d.grid")
__global__ void neighbours_of_a_member(data d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < d.n) d.out[i] = d.grid[i] * d.grid[i + 1];
}
//= d_d.grid[i] +=: atomic
//= d_d.grid[i + 1] +=: atomic
//= d_d.out[i] =: plain
//= read d_d.out[i]: plain

GW_GRADIENT("d.out wrt d.grid")
__global__ void index_in_a_member(data d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < d.n) d.out[i] = d.grid[d.index[i]];
}
//= d_d.grid[d.index[i]] +=: atomic
//= d_d.out[i] =: plain
//= read d_d.out[i]: plain

// One row for every second thread.
GW_GRADIENT("y wrt rows")
__global__ void two_rows(float *y, const float *const *rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = rows[i % 2][0];
}
//= d_rows[i % 2][0] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt rows")
__global__ void rows_by_thread_cells_by_block(float *y, const float *const *rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = rows[threadIdx.x][blockIdx.x] * rows[0][i];
}
//= d_rows[threadIdx.x][blockIdx.x] +=: atomic
//= d_rows[0][i] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt rows")
__global__ void a_row_for_each_block(float *y, const float *const *rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = rows[blockIdx.x][threadIdx.x];
}
//= d_rows[blockIdx.x][threadIdx.x] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt rows")
__global__ void a_row_for_all_blocks(float *y, const float *const *rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = rows[threadIdx.x][0] + rows[blockIdx.x][1];
}
//= d_rows[threadIdx.x][0] +=: atomic
//= d_rows[blockIdx.x][1] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// The struct is found by the block, the cell by nobody.
GW_GRADIENT("y wrt c.weight")
__global__ void one_struct_for_a_block(float *y, const cell *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = c[blockIdx.x].weight[0];
}
//= d_c[blockIdx.x].weight[0] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("c.sum wrt c.weight")
__global__ void one_struct_for_a_thread(const cell *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 3; k++) c[i].sum[k] = c[i].weight[0];
}
//= d_c[i].weight[0] +=: plain
//= d_c[i].sum[k] =: plain
//= read d_c[i].sum[k]: plain

// The same division of one number, once where it is known not to be negative: elsewhere it may be, and is then less
// than 0 for one thread and 8 for another.
GW_GRADIENT("y wrt a, b")
__global__ void quotient_of_two_types(float *y, const float *a, const float *b, const int *data) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = data[i], q = x / 4;
    float sum = 0;
    if (x >= 0 && x < 32) sum += a[8 * i + (unsigned)x / 4u];
    if (q < 8) sum += b[8 * i + q];
    y[i] = sum;
}
//= d_a[8 * i + x / 4] +=: plain
//= d_b[8 * i + q] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain
// ---- shared memory: threads of one block, between two barriers ----

// The leading zeros of x as an int and as a long long differ by 32, or not at all.
GW_GRADIENT("y wrt a")
__global__ void zeros_of_two_types(float *y, const float *a, const int *data) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = data[i];
    y[i] = a[i + __clzll((long long)x) - __clz(x)];
}
//= d_a[i + clz(x) - clz(x)] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void neighbours_in_shared(float *y, const float *x) {
    __shared__ float s[33];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t] * s[t + 1];
}
//= d_s[t + 1] +=: atomic
//= d_s[t] +=: atomic
//= d_s[t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[t]: plain
//= read d_y[t]: plain

// The store stands between other barriers than the load of the same cell: it keeps nobody away there.
GW_GRADIENT("y wrt x")
__global__ void own_cell_in_another_interval(float *y, const float *x, const int *at) {
    __shared__ float s[32];
    int t = threadIdx.x, k = at[t];
    s[k] = x[t];
    __syncthreads();
    y[t] = s[k] * s[31 - t];
}
//= d_s[31 - t] +=: atomic
//= d_s[k] +=: atomic
//= d_s[k] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[k]: plain
//= read d_y[t]: plain

// The same two accesses, with a barrier between them.
GW_GRADIENT("y wrt x")
__global__ void neighbours_apart(float *y, const float *x) {
    __shared__ float s[33];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    float a = s[t];
    __syncthreads();
    y[t] = a * s[t + 1];
}
//= d_s[t + 1] +=: plain
//= d_s[t] +=: plain
//= d_s[t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[t]: plain
//= read d_y[t]: plain

// A loop without a barrier at its end: its iterations would meet, and the reverse loop has one.
GW_GRADIENT("y wrt x")
__global__ void around_the_back_edge(float *y, const float *x, int n) {
    __shared__ float s[2][33];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        s[k % 2][t] = x[t];
        __syncthreads();
        sum += s[k % 2][t + 1];
    }
    y[t] = sum;
}
//= d_s[k % 2][t + 1] +=: plain
//= d_s[k % 2][t] =: plain
//= d_x[t] +=: atomic
//= d_y[t] =: plain
//= read d_s[k % 2][t]: plain
//= read d_y[t]: plain

// Barriers do not order threads of different blocks.
GW_GRADIENT("y wrt x")
__global__ void one_cell_for_a_thread_of_each_block(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[threadIdx.x];
    __syncthreads();
    y[i] = a * a;
}
//= d_x[threadIdx.x] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// An index from a list, unique in each interval only: threads take turns at a cell.
GW_GRADIENT("y wrt x")
__global__ void turns_at_a_list(float *y, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        y[list[i]] = x[list[i]] * x[list[i]];
        __syncthreads();
    }
}
//= d_x[list[i]] +=: atomic
//= d_y[list[i]] =: plain
//= read d_y[list[i]]: plain

// A thread's coordinate that is an index of an array is within it, where the array is reached.
GW_GRADIENT("y wrt x")
__global__ void as_long_as_the_tile(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0] * s[t];
}
//= d_s[0] +=: atomic
//= d_s[t] +=: atomic
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: plain
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

// Elsewhere it may be greater: beside a guard, behind a loop that may not run, in the row of an array of two dimensions.
GW_GRADIENT("y wrt x")
__global__ void longer_than_the_tile(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    if (t < 8) s[t] = 1;
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0] * x[blockIdx.x * 8 + t];
}
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

GW_GRADIENT("y wrt x")
__global__ void tile_that_may_be_unused(float *y, const float *x, int n) {
    __shared__ float s[8];
    int t = threadIdx.x;
    float sum = x[blockIdx.x * 8 + t];
    for (int k = 0; k < n; k++) {
        s[t] = x[k];
        __syncthreads();
        sum += s[k];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + t] = sum;
}
//= d_s[k] +=: atomic
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_x[k] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

GW_GRADIENT("y wrt x")
__global__ void beyond_the_row(float *y, const float *x) {
    __shared__ float s[2][8];
    int t = threadIdx.x;
    s[0][t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    y[blockIdx.x * blockDim.x + t] = s[0][t];
}
//= d_s[t / 8][t % 8] +=: plain
//= d_s[t / 8][t % 8] =: plain
//= d_x[blockIdx.x * 8 + t] +=: atomic
//= d_y[blockIdx.x * blockDim.x + t] =: plain
//= read d_s[t / 8][t % 8]: plain
//= read d_y[blockIdx.x * blockDim.x + t]: plain

// Rounds of a block are written out.
GW_GRADIENT("y wrt x")
__global__ void rounds(float *y, const float *x) {
    __shared__ float s[8];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 8 + t];
    __syncthreads();
    for (int o = 4; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
//= d_s[0] +=: plain
//= d_s[t + 1] +=: plain
//= d_s[t + 2] +=: plain
//= d_s[t + 4] +=: plain
//= d_s[t] =: plain
//= d_x[blockIdx.x * 8 + t] +=: plain
//= d_y[blockIdx.x] =: plain
//= read d_s[t]: plain
//= read d_s[t]: plain
//= read d_y[blockIdx.x]: plain

// ---- promises about lists: what must stay atomic ----
GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
__global__ void stated_of_another_list(float *e, const float *x, const int *list, const int *other) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i] = x[list[i]] * x[other[i]];
}
//= d_e[i] =: plain
//= d_x[list[i]] +=: atomic
//= d_x[other[i]] +=: atomic
//= read d_e[i]: plain

GW_GRADIENT("e wrt x") GW_SORTED(list)
__global__ void sorted_may_repeat(float *e, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i] = x[list[i]] * x[list[i]];
}
//= d_e[i] =: plain
//= d_x[list[i]] +=: atomic
//= read d_e[i]: plain

struct graph {
    const int *rows, *columns;
};
GW_GRADIENT("e wrt x") GW_INJECTIVE(g.rows)
__global__ void stated_of_another_member(float *e, const float *x, graph g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    e[i] = x[g.columns[i]] * x[g.columns[i]] * g.rows[i];
}
//= d_e[i] =: plain
//= d_x[g.columns[i]] +=: atomic
//= read d_e[i]: plain

GW_GRADIENT("e wrt x")
__global__ void ranges_of_which_nothing_is_stated(float *e, const float *x, const int2 *range) {
    float s = 0;
    for (int j = range[blockIdx.x].x + threadIdx.x; j < range[blockIdx.x].y; j += blockDim.x) s += x[j] * x[j];
    e[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= d_x[j] +=: atomic
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The block's range is its own, but each of its threads runs over all of it.
GW_GRADIENT("e wrt x") GW_DISJOINT_RANGES(range)
__global__ void whole_range_by_each_thread(float *e, const float *x, const int2 *range) {
    float s = 0;
    for (int j = range[blockIdx.x].x; j < range[blockIdx.x].y; j++) s += x[j] * x[j];
    e[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= d_x[j] +=: atomic
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Sorted rows, and a cell behind the row's end.
GW_GRADIENT("e wrt x") GW_SORTED(g.rows)
__global__ void row_and_the_next_cell(float *e, const float *x, graph g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = g.rows[i]; j <= g.rows[i + 1]; j++) s += x[j] * x[j];
    e[i] = s;
}
//= d_e[i] =: plain
//= d_x[j] +=: atomic
//= read d_e[i]: plain

// ---- and what need not ----
GW_GRADIENT("e wrt x") GW_INJECTIVE(list)
__global__ void stated_list(float *e, const float *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) e[i] = x[3 * list[i] + 1] * x[3 * list[i]];
}
//= d_e[i] =: plain
//= d_x[3 * list[i] + 1] +=: plain
//= d_x[3 * list[i]] +=: plain
//= read d_e[i]: plain

GW_GRADIENT("e wrt x") GW_DISJOINT_RANGES(range)
__global__ void range_of_a_block(float *e, const float *x, const int2 *range) {
    int t = threadIdx.x;
    float s = 0;
    for (int j = range[blockIdx.x].x + t; j < range[blockIdx.x].y; j += blockDim.x) s += x[j] * x[j];
    e[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= d_x[j] +=: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

GW_GRADIENT("e wrt x") GW_SORTED(g.rows)
__global__ void sorted_rows(float *e, const float *x, graph g, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int j = g.rows[i]; j < g.rows[i + 1]; j++) s += x[j] * x[j];
    e[i] = s;
}
//= d_e[i] =: plain
//= d_x[j] +=: plain
//= read d_e[i]: plain

// ---- one iteration for all threads: between barriers of a loop ----
GW_GRADIENT("e wrt x")
__global__ void in_step(float *e, const float *x, int n) {
    __shared__ float s[96];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        s[t] = x[k * 32 + t];
        if (t < 64) s[t + 32] = 0;
        __syncthreads();
        for (int m = 0; m < 3; m++) {
            sum += s[t + 2 * m] * s[t + 2 * m];
            __syncthreads();
        }
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[k * 32 + t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + 2 * m] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// The barrier stands between the two: in the reverse, s[t + 8k] of an iteration meets s[(t ^ 1) + 8(k + 1)] of the one before.
GW_GRADIENT("e wrt x")
__global__ void out_of_step(float *e, const float *x, int n, float w) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int k = t; k < 256; k += blockDim.x) s[k] = x[k];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[t + 8 * k] * w;
        __syncthreads();
        sum += s[(t ^ 1) + 8 * (k + 1)];
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[k] =: plain
//= read d_s[k]: plain
//= d_x[k] +=: atomic
//= d_s[t + 8 * k] +=: plain
//= d_s[(t ^ 1) + 8 * (k + 1)] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// An inner loop without a barrier is run by each thread at its own pace.
GW_GRADIENT("e wrt x")
__global__ void inner_pace(float *e, const float *x, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < 4; m++) sum += s[t + m] * s[t + m];
        __syncthreads();
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + m] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A barrier under a condition, even the same for all, is not passed in each iteration.
GW_GRADIENT("e wrt x")
__global__ void some_barriers(float *e, const float *x, int n, int often) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += s[t + k] * s[t + k];
        if (often) __syncthreads();
    }
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[t] +=: atomic
//= d_s[t + 32] =: plain
//= d_s[t + k] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// A row in steps of 8 from its end: the first quotient is at least 1 where the loop runs, so the row is not left.
GW_GRADIENT("e wrt x")
__global__ void down_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t + 7) / 8 - 1; k >= 0; k--) sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: plain
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// One step too far, into the next row; and where the loop runs for a quotient of 0, which a division of -7 .. 7 gives.
GW_GRADIENT("e wrt x")
__global__ void past_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t + 7) / 8; k >= 0; k--) sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain
GW_GRADIENT("e wrt x")
__global__ void before_the_row(float *e, const float *x, int n) {
    int t = threadIdx.x;
    if (t >= 8) return;
    float sum = 0;
    for (int k = (n - t) / 8; k >= 0; k--) sum += x[blockIdx.x * n + t + k * 8] * x[blockIdx.x * n + t + k * 8];
    e[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
//= d_x[blockIdx.x * n + t + k * 8] +=: atomic
//= d_e[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_e[blockIdx.x * blockDim.x + threadIdx.x]: plain

// Rounds of a product are recorded: of t + o and t < o the tape has o, which is the same in the block.
GW_GRADIENT("e wrt x")
__global__ void tree_of_products(float *e, const float *x) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (t < o) part[t] *= part[t + o];
        __syncthreads();
    }
    if (t == 0) e[blockIdx.x] = part[0];
}
//= d_part[t] =: plain
//= read d_part[t]: plain
//= d_x[blockIdx.x * blockDim.x + t] +=: plain
//= d_part[t] =: plain
//= read d_part[t]: plain
//= d_part[t + o] +=: plain
//= d_part[0] +=: plain
//= d_e[blockIdx.x] =: plain
//= read d_e[blockIdx.x]: plain
