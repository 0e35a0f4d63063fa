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

// Indices that a helper function computes have its name: what two threads meet at is spelled out.
__device__ inline int at(int width, int i, int j) { return j * width + i; }
GW_GRADIENT("out wrt in")
__global__ void five_points(float *out, const float *in, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= width - 1 || j >= height - 1) return;
    out[at(width, i, j)] = in[at(width, i - 1, j)] + in[at(width, i + 1, j)] + in[at(width, i, j - 1)];
}
//= d_in[at] +=: atomic
//= d_in[at] +=: atomic
//= d_in[at] +=: atomic
//= d_out[at] =: plain
//= read d_out[at]: plain
//> in[j * width + (i - 1)]
//> in[(j - 1) * width + i]

// The name is that of another number in the derivative.
GW_GRADIENT("out wrt in")
__global__ void beside(float *out, const float *in, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    out[at(width, i, j)] = in[4 * at(width, i + 1, j)] + in[i];
}
//= d_in[4 * at] +=: atomic
//= d_in[i] +=: atomic
//= d_out[at] =: plain
//= read d_out[at]: plain
//> in[4 * (j * width + (i + 1))]

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

// The same division of one number, once where it is known not to be negative: elsewhere it may be, and is then
// less than 0 for one thread and 8 for another.
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

// A block for a row. What is added to the loop's index is computed in the loop, and tells the iteration
// nevertheless: the loop runs forward.
GW_GRADIENT("y wrt x")
__global__ void row_of_a_block(float *y, const float *x, int width) {
    int row = blockIdx.x;
    for (int k = threadIdx.x; k < width; k += blockDim.x)
        y[row * width + k] = x[row * width + k] * x[row * width + k];
}
//= d_x[row * width + k] +=: plain
//= d_y[row * width + k] =: plain
//= read d_y[row * width + k]: plain
//> assumes that signed index arithmetic of row_of_a_block does not overflow
//> assumes that distinct pointer parameters of row_of_a_block reach disjoint cells

// ---- why: what the index does not depend on comes first, then what about it is not known ----

// Blocks meet, in the loop that is turned round as in the primal.
GW_GRADIENT("y wrt gain")
__global__ void blocks_of_a_reversed_loop(float *y, const float *x, const float *gain, int width) {
    float s = 1;
    for (int k = threadIdx.x; k < width; k += blockDim.x) {
        s = s * 0.5f + s * s * gain[k];
        y[blockIdx.x * width + k] = s * x[k];
    }
}
//= d_gain[k] +=: atomic
//= d_y[blockIdx.x * width + k] =: plain
//= read d_y[blockIdx.x * width + k]: plain
//> d_gain[k] +=                      atomic  threads that differ only in blockIdx.x may meet, the index does
//not depend on it

// It would not help that no two entries of the list are equal.
GW_GRADIENT("y wrt x")
__global__ void list_by_thread(float *y, const float *x, const int *list) {
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[list[threadIdx.x]] * x[list[threadIdx.x]];
}
//= d_x[list[threadIdx.x]] +=: atomic
//= d_y[blockIdx.x * blockDim.x + threadIdx.x] =: plain
//= read d_y[blockIdx.x * blockDim.x + threadIdx.x]: plain
//> d_x[list[threadIdx.x]]: atomic (threads that differ only in blockIdx.x may meet, the index does not depend
//on it) [missing-coordinate]

// It is stated already: one entry has two threads.
GW_GRADIENT("y wrt x") GW_INJECTIVE(list)
__global__ void entry_of_two(float *y, const float *x, const int *list) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[list[i / 2]] * x[list[i / 2]];
}
//= d_x[list[i / 2]] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain
//> d_x[list[i / 2]]: atomic (not proved that two threads never meet at x[list[i / 2]]

// ---- memory that a cast sees as another type ----

// Structs by their numbers: the last one's neighbour has the first of the next.
GW_GRADIENT("y wrt x")
__global__ void numbers_of_neighbours(float *y, const float4 *x) {
    const float *from = reinterpret_cast<const float *>(x);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = from[4 * i] * from[4 * i + 4] + from[4 * i + 1] * from[4 * i + 1];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i].x +=: atomic
//= d_x[i + 1].x +=: atomic
//= d_x[i].y +=: plain

// By numbers that only a run knows.
GW_GRADIENT("y wrt x")
__global__ void numbers_by_a_run(float *y, const float2 *x, int n) {
    const float *from = reinterpret_cast<const float *>(x);
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x)
        y[j] = from[j] * from[j / 2];
}
//= d_y[j] =: plain
//= read d_y[j]: plain
//= d_x[(j - (j % 2 + 2) % 2) / 2].x +=: atomic
//= d_x[(j - (j % 2 + 2) % 2) / 2].y +=: atomic
//= d_x[(j / 2 - (j / 2 % 2 + 2) % 2) / 2].x +=: atomic
//= d_x[(j / 2 - (j / 2 % 2 + 2) % 2) / 2].y +=: atomic

// Halves of doubles: two threads copy the same ones, then each its own.
GW_GRADIENT("y, z wrt x, w")
__global__ void halves_of_neighbours(double *y, double *z, const double *x, const double *w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint4 v = reinterpret_cast<const uint4 *>(x)[i / 2];
    reinterpret_cast<uint4 *>(y)[i] = v;
    reinterpret_cast<uint4 *>(z)[i] = reinterpret_cast<const uint4 *>(w)[i];
}
//= d_x[i / 2 * 2 + 1] +=: atomic
//= d_x[i / 2 * 2] +=: atomic
//= d_y[i * 2 + 1] =: plain
//= d_y[i * 2] =: plain
//= read d_y[i * 2 + 1]: plain
//= read d_y[i * 2]: plain
//= d_w[i * 2 + 1] +=: plain
//= d_w[i * 2] +=: plain
//= d_z[i * 2 + 1] =: plain
//= d_z[i * 2] =: plain
//= read d_z[i * 2 + 1]: plain
//= read d_z[i * 2]: plain

// Pairs of floats that overlap.
GW_GRADIENT("y wrt x")
__global__ void pairs_of_neighbours(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double v = *reinterpret_cast<const double *>(x + 2 * (i / 3));
    *reinterpret_cast<double *>(y + 2 * i) = v;
}
//= d_x[i / 3 * 2 + 1] +=: atomic
//= d_x[i / 3 * 2] +=: atomic
//= d_y[i * 2 + 1] =: plain
//= d_y[i * 2] =: plain
//= read d_y[i * 2 + 1]: plain
//= read d_y[i * 2]: plain
