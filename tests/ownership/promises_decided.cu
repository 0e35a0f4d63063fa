// Promises about lists (GW_INJECTIVE, GW_SORTED, GW_DISJOINT_RANGES). The table of decisions is checked by
// decisions.py.
#include <gradwright/gradwright.h>

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
