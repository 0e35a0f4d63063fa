// Additions whose number nobody knows at the launch, in rows of warps or of threads at positions of a list:
// built with --deterministic (and, as every file here, without: then they are atomic). What is refused stands
// in tests/ownership/unplaced.cu and tests/refused/no_place.cu.
#include "../support/check.cuh"

#include <cstdlib>
#include <tuple>

typedef double real;
struct point {
    real x, y;
};
CHECK_CELLS(point, CHECK_CELL(point, x), CHECK_CELL(point, y))
struct span {
    int x, y;
};

// ---- by staged copies of a list, as in a rasteriser; lanes pass over what they do not touch ----
JOINED("out wrt p") GW_DISJOINT_RANGES(range)
__global__ void staged(real *out, const real *x, const point *p, const int *ids, const span *range) {
    __shared__ int s_id[64];
    __shared__ real s_x[64];
    int t = (int)threadIdx.x;
    span r = range[blockIdx.x];
    real sum = 0;
    for (int base = r.x; base < r.y; base += 64) {
        if (base + t < r.y) {
            int id = ids[base + t];
            s_id[t] = id;
            s_x[t] = x[id];
        }
        __syncthreads();
        for (int j = 0; j < min(64, r.y - base); j++) {
            real v = s_x[j] * (t + 1);
            if (v < 4) continue;
            sum += v * v * p[s_id[j]].x + v * p[s_id[j]].y;
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// ---- each thread goes as far as it will in each batch; floats and keys are words of one instruction ----
JOINED("out wrt x") GW_DISJOINT_RANGES(range)
__global__ void own_ends(float *out, const float *x, const int *ids, const span *range, const int *ends) {
    __shared__ int s_id[64];
    int t = (int)threadIdx.x;
    span r = range[blockIdx.x];
    int end = ends[blockIdx.x * 64 + t];
    float sum = 0;
    for (int base = r.x; base < r.y; base += 64) {
        if (base + t < r.y) s_id[t] = ids[base + t];
        __syncthreads();
        int n = min(min(64, r.y - base), end - base);
        for (int j = 0; j < n; j++) {
            float v = x[s_id[j]];
            sum += v * v * (t % 5 + 1);
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// ---- by the list itself; the ranges of a sorted list; a column in each of two arrays, of an odd and an even
// number of cells ----
JOINED("out wrt x, w") GW_SORTED(row)
__global__ void direct(real *out, const real *x, const real *w, const int *ids, const int *row) {
    real sum = 0, own = 0.1 * (threadIdx.x + 1);
    for (int k = row[blockIdx.x]; k < row[blockIdx.x + 1]; k++) {
        const real *y = x + 3 * ids[k];
        if ((k + threadIdx.x / 40) % 3 == 0) continue;
        sum += y[0] * own + y[1] * y[2] * w[ids[k]];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- keys that ascend along the positions: positions are not sorted ----
JOINED("out wrt x, w") GW_SORTED(row) GW_SORTED(ids)
__global__ void ascending(real *out, const real *x, const real *w, const int *ids, const int *row) {
    real sum = 0, own = 0.1 * (threadIdx.x + 1);
    for (int k = row[blockIdx.x]; k < row[blockIdx.x + 1]; k++) {
        if ((k + threadIdx.x / 40) % 3 == 0) continue;
        sum += x[2 * ids[k]] * own + x[2 * ids[k] + 1] * w[ids[k]];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- two keys at each position ----
JOINED("out wrt x, w")
GW_DISJOINT_RANGES(range) __global__ void two_lists(real *out, const real *x, const real *w, const int *ids,
                                                    const int *others, const span *range) {
    real sum = 0;
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++)
        sum += x[ids[k]] * w[others[k]] * (threadIdx.x + 1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- blocks of more axes, floats ----
JOINED("out wrt x") GW_DISJOINT_RANGES(range)
__global__ void tiles(float *out, const float *x, const int *ids, const span *range) {
    float sum = 0;
    int tile = blockIdx.y * gridDim.x + blockIdx.x, t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int k = range[tile].x; k < range[tile].y; k++) sum += x[ids[k]] * x[ids[k]] * (t % 7);
    out[tile * blockDim.x * blockDim.y + t] = sum;
}

// ---- more columns than fill a sector of memory ----
JOINED("out wrt x") GW_DISJOINT_RANGES(range)
__global__ void five_columns(real *out, const real *x, const int *ids, const span *range) {
    real sum = 0, own = 0.1 * (threadIdx.x + 1);
    for (int k = range[blockIdx.x].x; k < range[blockIdx.x].y; k++) {
        const real *y = x + 5 * ids[k];
        if ((k + threadIdx.x / 32) % 3 == 0) continue;
        sum += y[0] * y[1] * own + y[2] * y[3] + y[4] * own;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- rows of threads: a sparse matrix by rows ----
JOINED("y wrt w, x") GW_SORTED(row)
__global__ void csr(real *y, const real *w, const real *x, const int *col, const int *row, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    real s = 0;
    for (int j = row[i]; j < row[i + 1]; j++) s += w[j] * x[col[j]];
    y[i] = s;
}

// Several rows a thread, each with rows of its own.
JOINED_COARSE("y wrt w, x", 3) GW_SORTED(row)
__global__ void csr_coarse(real *y, const real *w, const real *x, const int *col, const int *row, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    real s = 0;
    for (int j = row[i]; j < row[i + 1]; j++) s += w[j] * x[col[j]];
    y[i] = s * s;
}

// In halves: rows are the second one's.
GW_SPLIT_GRADIENT("y wrt w, x") GW_SORTED(row)
__global__ void csr_halves(real *y, const real *w, const real *x, const int *col, const int *row, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    real s = 0;
    for (int j = row[i]; j < row[i + 1]; j++) s += w[j] * x[col[j]];
    y[i] = s * s;
}

// From row to row in steps of the grid, backward; numbers of 64 bits; some entries count for nothing.
JOINED("y wrt w, x")
GW_DISJOINT_RANGES(range) __global__
    void csr_stride(real *y, const real *w, const real *x, const long long *col, const span *range, int rows) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        real s = 0;
        for (int j = range[i].y - 1; j >= range[i].x; j--)
            if (col[j] % 4) s += w[j] * x[col[j]] * x[col[j]];
        y[i] = s;
    }
}

// Lanes share a row; several components of an entry are columns of one group.
JOINED("y wrt w, x") GW_SORTED(row)
__global__ void csr_lanes(real *y, const real *w, const float *x, const int *col, const int *row, int rows) {
    int i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= rows) return;
    real s = 0;
    for (int j = row[i] + (int)threadIdx.x; j < row[i + 1]; j += (int)blockDim.x) {
        const float *v = x + 3 * col[j];
        s += w[j] * v[0] * v[1] + v[2];
    }
    atomicAdd(&y[i], s);
}

// The key's own bits: of an entry without a sign, at two places.
JOINED("y wrt x") GW_SORTED(row)
__global__ void csr_unsigned(float *y, const float *x, const unsigned *col, const unsigned *row, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float s = 0;
    for (unsigned j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * x[col[j] + 1];
    y[i] = s;
}

// ---- bags of rows of a table: a thread for each bag and column ----
JOINED("out wrt table")
GW_SORTED(start) __global__
    void bag_flat(real *out, const real *table, const int *index, const int *start, int bags, int width) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= bags * width) return;
    int b = t / width, c = t % width;
    real s = 0;
    for (int j = start[b]; j < start[b + 1]; j++) s += table[index[j] * width + c];
    out[t] = s * s;
}

JOINED("out wrt table, w")
GW_SORTED(start) __global__
    void bag_block(real *out, const real *table, const real *w, const int *index, const int *start, int width) {
    int b = blockIdx.x;
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        real s = 0;
        for (int j = start[b]; j < start[b + 1]; j++) s += table[(size_t)index[j] * width + c] * w[c];
        out[b * width + c] = s;
    }
}

JOINED("out wrt table")
GW_DISJOINT_RANGES(range) __global__
    void bag_plane(real *out, const real *table, const int *index, const span *range, int bags, int width) {
    int b = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bags || c >= width) return;
    real s = 0;
    for (int j = range[b].x; j < range[b].y; j++) s += table[index[j] * width + c];
    out[b * width + c] = s;
}

// A thread goes through the columns of its bag.
JOINED("out wrt table")
GW_SORTED(start) __global__
    void bag_thread(real *out, const real *table, const int *index, const int *start, int bags, int width) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= bags) return;
    for (int j = start[b]; j < start[b + 1]; j++)
        for (int c = 0; c < width; c++) out[b * width + c] += table[index[j] * width + c];
}

// Two reads of one entry; the column of the second is never that of another thread's first.
JOINED("out wrt table")
GW_SORTED(start) __global__
    void bag_mirrored(real *out, const real *table, const int *index, const int *start, int bags, int width) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= bags * width) return;
    int b = t / width, c = t - b * width;
    real s = 0;
    for (int j = start[b]; j < start[b + 1]; j++)
        s += table[2 * (index[j] * width + c)] * table[2 * (index[j] * width + c) + 1];
    out[t] = s;
}

// ---- rows of the second half of a split gradient, of threads and of warps, beside its tape ----
JOINED("out wrt x, w") GW_SPLIT_GRADIENT("out wrt x, w")
__global__ void halves(real *out, const real *x, const real *w, const int *at, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real v = x[at[i]];
    for (int k = 0; k < steps; k++) v = v * v * w[k];
    out[i] = v;
}

#include "list_slots.grad.cuh"

__global__ void own_ends_wide(real *out, const real *x, const int *ids, const span *range, const int *ends) {
    __shared__ int s_id[64];
    int t = (int)threadIdx.x;
    span r = range[blockIdx.x];
    int end = ends[blockIdx.x * 64 + t];
    real sum = 0;
    for (int base = r.x; base < r.y; base += 64) {
        if (base + t < r.y) s_id[t] = ids[base + t];
        __syncthreads();
        int n = min(min(64, r.y - base), end - base);
        for (int j = 0; j < n; j++) {
            real v = x[s_id[j]];
            sum += v * v * (t % 5 + 1);
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

__global__ void tiles_wide(real *out, const real *x, const int *ids, const span *range) {
    real sum = 0;
    int tile = blockIdx.y * gridDim.x + blockIdx.x, t = threadIdx.y * blockDim.x + threadIdx.x;
    for (int k = range[tile].x; k < range[tile].y; k++) sum += x[ids[k]] * x[ids[k]] * (t % 7);
    out[tile * blockDim.x * blockDim.y + t] = sum;
}

__global__ void csr_unsigned_wide(real *y, const real *x, const unsigned *col, const unsigned *row, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    real s = 0;
    for (unsigned j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * x[col[j] + 1];
    y[i] = s;
}

__global__ void csr_lanes_wide(real *y, const real *w, const real *x, const int *col, const int *row,
                               int rows) {
    int i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= rows) return;
    real s = 0;
    for (int j = row[i] + (int)threadIdx.x; j < row[i + 1]; j += (int)blockDim.x) {
        const real *v = x + 3 * col[j];
        s += w[j] * v[0] * v[1] + v[2];
    }
    atomicAdd(&y[i], s);
}

#ifdef GRADWRIGHT_SLOTS_CUH
static const size_t positions = 1000; // as many as any list here has, and more

#define POSITIONS (positions) // what the launch is told
#else
#define POSITIONS ()
#endif

#define LIST_CASE(name, reference, tolerance, grid, block, ...)                                                \
    CHECK_TOLD(name, name, reference, tolerance, grid, block, POSITIONS, __VA_ARGS__)

static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list;
    for (int i = 0; i < n; i++) list.push_back((i * factor + i / 7) % below);
    return list;
}

static std::vector<int> runs(int n, int each) {
    std::vector<int> list;
    for (int i = 0; i < n; i++) list.push_back(i / each);
    return list;
}

// Some empty, not in order, with gaps between them.
static const std::vector<span> five = {{130, 330}, {0, 65}, {70, 70}, {340, 341}, {66, 129}};
static const std::vector<span> one = {{130, 145}};
static const std::vector<int> rows = {2, 60, 60, 61, 200};

LIST_CASE(staged, staged, 1e-8, 5, 64, out(320),
          given(std::vector<real>{0.3, 0.1, 0.25, 0.7, 0.2, 0.15, 0.4, 0.05, 0.5}), in(9),
          given(numbers(360, 5, 9)), given(five))
CHECK_TOLD(direct_1, direct, direct, 1e-8, 4, 1, POSITIONS, out(4), in(27), in(9), given(numbers(200, 5, 9)),
             given(rows))
CHECK_TOLD(direct_45, direct, direct, 1e-8, 4, 45, POSITIONS, out(180), in(27), in(9),
             given(numbers(200, 5, 9)), given(rows))
CHECK_TOLD(direct_96, direct, direct, 1e-8, 4, 96, POSITIONS, out(384), in(27), in(9),
             given(numbers(200, 5, 9)), given(rows))
CHECK_TOLD(ascending_1, ascending, ascending, 1e-8, 4, 1, POSITIONS, out(4), in(18), in(9),
             given(runs(200, 24)), given(rows))
CHECK_TOLD(ascending_45, ascending, ascending, 1e-8, 4, 45, POSITIONS, out(180), in(18), in(9),
             given(runs(200, 37)), given(rows))
CHECK_TOLD(ascending_96, ascending, ascending, 1e-8, 4, 96, POSITIONS, out(384), in(200), in(100),
             given(runs(200, 2)), given(rows))
LIST_CASE(two_lists, two_lists, 1e-8, 5, 45, out(225), in(9), in(11), given(numbers(360, 5, 9)),
          given(numbers(360, 4, 11)), given(five))
LIST_CASE(own_ends, own_ends_wide, 1e-4, 5, 64, out(320), in(9), given(numbers(360, 5, 9)), given(five),
          given(numbers(320, 5, 361)))
LIST_CASE(tiles, tiles_wide, 1e-4, dim3(5, 1), dim3(8, 6), out(240), in(9), given(numbers(360, 5, 9)),
          given(five))
CHECK_TOLD(five_columns_32, five_columns, five_columns, 1e-8, 5, 32, POSITIONS, out(160), in(45),
             given(numbers(360, 5, 9)), given(five))
CHECK_TOLD(five_columns_80, five_columns, five_columns, 1e-8, 5, 80, POSITIONS, out(400), in(45),
             given(numbers(360, 5, 9)), given(five))
// 9 warps, of which 8 are loaded at once; 32 warps, of which no mask fits beside a position
CHECK_TOLD(tiles_288, tiles, tiles_wide, 1e-4, 1, dim3(16, 18), POSITIONS, out(288), in(9),
             given(numbers(360, 5, 9)), given(one))
CHECK_TOLD(tiles_1024, tiles, tiles_wide, 1e-4, 1, dim3(32, 32), POSITIONS, out(1024), in(9),
             given(numbers(360, 5, 9)), given(one))

static std::vector<int> starts(int n) { // of ranges of 0 to 6 entries
    std::vector<int> list(1, 3);
    for (int i = 0; i < n; i++) list.push_back(list.back() + (i * 5 + i / 3) % 7);
    return list;
}
static std::vector<span> ranges(int n) { // from the last to the first
    std::vector<int> list = starts(n);
    std::vector<span> of;
    for (int i = n - 1; i >= 0; i--) of.push_back({list[i], list[i + 1]});
    return of;
}
template <class T> static std::vector<T> as(const std::vector<int> &list) {
    return std::vector<T>(list.begin(), list.end());
}

CHECK_TOLD(csr_1, csr, csr, 1e-8, 5, 1, POSITIONS, out(5), in(40), in(9), given(numbers(40, 5, 9)),
             given(starts(5)), 5)
CHECK_TOLD(csr_45, csr, csr, 1e-8, 2, 45, POSITIONS, out(80), in(300), in(9), given(numbers(300, 5, 9)),
             given(starts(80)), 80)
CHECK_TOLD(csr_256, csr, csr, 1e-8, 1, 256, POSITIONS, out(80), in(300), in(9), given(numbers(300, 5, 9)),
             given(starts(80)), 80)
CHECK_TOLD(csr_coarse_45, csr_coarse, csr_coarse, 1e-8, 2, 45, POSITIONS, out(80), in(300), in(9),
             given(numbers(300, 5, 9)), given(starts(80)), 80)
CHECK_TOLD(csr_coarse_96, csr_coarse, csr_coarse, 1e-8, 1, 96, POSITIONS, out(80), in(300), in(9),
             given(numbers(300, 5, 9)), given(starts(80)), 80)
CHECK_TOLD(csr_stride_1, csr_stride, csr_stride, 1e-8, 1, 1, POSITIONS, out(80), in(300), in(9),
             given(as<long long>(numbers(300, 5, 9))), given(ranges(80)), 80)
CHECK_TOLD(csr_stride_32, csr_stride, csr_stride, 1e-8, 2, 32, POSITIONS, out(80), in(300), in(9),
             given(as<long long>(numbers(300, 5, 9))), given(ranges(80)), 80)
CHECK_TOLD(csr_unsigned, csr_unsigned, csr_unsigned_wide, 1e-4, 2, 45, POSITIONS, out(80), in(10),
             given(as<unsigned>(numbers(300, 5, 9))), given(as<unsigned>(starts(80))), 80)
CHECK_TOLD(csr_lanes_4, csr_lanes, csr_lanes_wide, 1e-4, 10, dim3(4, 8), POSITIONS, inout(80), in(300), in(27),
             given(numbers(300, 5, 9)), given(starts(80)), 80)
CHECK_TOLD(csr_lanes_32, csr_lanes, csr_lanes_wide, 1e-4, 40, dim3(32, 2), POSITIONS, inout(80), in(300),
             in(27), given(numbers(300, 5, 9)), given(starts(80)), 80)
CHECK_TOLD(bag_flat_5, bag_flat, bag_flat, 1e-8, 2, 45, POSITIONS, out(75), in(45), given(numbers(100, 5, 9)),
             given(starts(15)), 15, 5)
CHECK_TOLD(bag_flat_64, bag_flat, bag_flat, 1e-8, 6, 64, POSITIONS, out(330), in(297),
             given(numbers(100, 5, 9)), given(starts(10)), 10, 33)
CHECK_TOLD(bag_flat_none, bag_flat, bag_flat, 1e-8, 2, 45, POSITIONS, inout(4), inout(4),
             given(numbers(100, 5, 9)), given(starts(15)), 15, 0)
CHECK_TOLD(bag_block_7, bag_block, bag_block, 1e-8, 8, 7, POSITIONS, out(80), in(90), in(10),
             given(numbers(100, 5, 9)), given(starts(8)), 10)
CHECK_TOLD(bag_block_96, bag_block, bag_block, 1e-8, 8, 96, POSITIONS, out(80), in(90), in(10),
             given(numbers(100, 5, 9)), given(starts(8)), 10)
CHECK_TOLD(bag_plane, bag_plane, bag_plane, 1e-8, dim3(2, 3), dim3(8, 6), POSITIONS, out(150), in(90),
             given(numbers(100, 5, 9)), given(ranges(15)), 15, 10)
CHECK_TOLD(bag_thread, bag_thread, bag_thread, 1e-8, 2, 45, POSITIONS, inout(800), in(90),
             given(numbers(300, 5, 9)), given(starts(80)), 80, 10)
CHECK_TOLD(bag_mirrored, bag_mirrored, bag_mirrored, 1e-8, 2, 45, POSITIONS, out(75), in(90),
             given(numbers(100, 5, 9)), given(starts(15)), 15, 5)

CHECK_JOINED(halves_joined, halves, halves, 1e-8, 2, 45, 0, out(80), in(9, 0.8, 1.1), in(3, 0.8, 1.1),
             given(numbers(80, 5, 9)), 80, 3)

TEST(halves) {
    const int n = 80, steps = 3;
    const std::vector<real> values = {0.9, 1.05, 0.8, 1.1, 0.95, 1.0, 0.85, 1.02, 0.93}, ones(n, 1.0);
    check::array<real> out(ones), x(values), w(std::vector<real>{0.9, 1.1, 0.8}), d_out(ones), again(ones),
        d_x(values), d_w(std::vector<real>(3, 0.5)), want_x(values), want_w(std::vector<real>(3, 0.5));
    check::array<int> at(numbers(n, 5, 9));
    check::device_bytes space(halves_workspace_bytes(2, 45, out, x, w, at, n, steps)),
        tape(halves_tape_bytes(2, 45, out, x, w, at, n, steps));
    EXPECT_STATUS(halves_grad_launch(2, 45, 0, 0, out, x, w, at, n, steps, again, want_x, want_w, space.data(),
                                     space.size()),
                  GW_OK);
    EXPECT_STATUS(halves_fwd_launch(2, 45, 0, 0, out, x, w, at, n, steps, tape.data(), tape.size()), GW_OK);
#ifdef GRADWRIGHT_SLOTS_CUH
    const size_t bytes = halves_bwd_workspace_bytes(2, 45, out, x, w, at, n, steps);
    check::device_bytes rows(bytes);
    EXPECT_STATUS(halves_bwd_launch(2, 45, 0, 0, out, x, w, at, n, steps, d_out, d_x, d_w, tape.data(),
                                    tape.size(), rows.data(), bytes - 1),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(halves_bwd_launch(2, 45, 0, 0, out, x, w, at, n, steps, d_out, d_x, d_w, tape.data(),
                                    tape.size(), rows.data(), bytes),
                  GW_OK);
#else
    EXPECT_STATUS(
        halves_bwd_launch(2, 45, 0, 0, out, x, w, at, n, steps, d_out, d_x, d_w, tape.data(), tape.size()),
        GW_OK);
#endif
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_x.get()[i], want_x.get()[i], 1e-10);
    for (size_t i = 0; i < 3; i++) EXPECT_NEAR(d_w.get()[i], want_w.get()[i], 1e-10);
}

#ifdef GRADWRIGHT_LIST_SLOTS_CUH
TEST(same_bits) {
    std::vector<float> ones(5 * 256), values(9);
    check::generator random{5};
    for (float &v : ones) v = (float)random.uniform(-1, 1);
    for (float &v : values) v = (float)random.uniform(0.1, 1);
    check::array<float> out(ones), x(values);
    check::array<int> ids(numbers(360, 5, 9));
    check::array<span> range(five);
    std::vector<float> first;
    for (int run = 0; run < 4; run++) {
        check::array<float> d_out(ones), d_x(std::vector<float>(9, 0.0f));
        check::device_bytes space(tiles_workspace_bytes(dim3(5, 1), dim3(16, 16), out, x, ids, range, 360));
        space.fill(37 * run);
        check::permute(run * 11);
        EXPECT_STATUS(tiles_grad_launch(dim3(5, 1), dim3(16, 16), 0, 0, out, x, ids, range, d_out, d_x, 360,
                                        space.data(), space.size()),
                      GW_OK);
        EXPECT_DEVICE_OK();
        if (!run) first = d_x.get();
        EXPECT(d_x.get() == first);
    }
    check::permute(0);
}

TEST(same_bits_of_threads) {
    const int bags = 60, width = 7, entries = 300;
    check::generator random{9};
    std::vector<real> seed(bags * width), values(9 * width);
    for (real &v : seed) v = random.uniform(-1, 1);
    for (real &v : values) v = random.uniform(0.1, 1);
    check::array<real> out(std::vector<real>(bags * width)), table(values), w(std::vector<real>(entries, 0.3));
    check::array<int> index(numbers(entries, 5, 9)), start(starts(bags));
    std::vector<real> first[2];
    for (int run = 0; run < 4; run++) {
        check::array<real> d_out(seed), d_table(std::vector<real>(9 * width, 0.0)), d_y(seed),
            d_w(std::vector<real>(entries, 0.0)), d_x(std::vector<real>(9 * width, 0.0));
        check::device_bytes space(
            bag_flat_workspace_bytes(7, 64, out, table, index, start, bags, width, entries)),
            rows(csr_workspace_bytes(2, 32, out, w, table, index, start, bags, entries));
        space.fill(37 * run), rows.fill(37 * run);
        check::permute(run * 11);
        EXPECT_STATUS(bag_flat_grad_launch(7, 64, 0, 0, out, table, index, start, bags, width, d_out, d_table,
                                           entries, space.data(), space.size()),
                      GW_OK);
        EXPECT_STATUS(csr_grad_launch(2, 32, 0, 0, out, w, table, index, start, bags, d_y, d_w, d_x, entries,
                                      rows.data(), rows.size()),
                      GW_OK);
        EXPECT_DEVICE_OK();
        const std::vector<real> got[] = {d_table.get(), d_x.get()};
        for (int i = 0; i < 2; i++) {
            if (!run) first[i] = got[i];
            EXPECT(got[i] == first[i]);
        }
    }
    check::permute(0);
}

TEST(halves_of_places) {
    const int n = 80, entries = 300;
    const std::vector<real> ones(n, 1.0), zeros(entries, 0.0);
    std::vector<real> values(entries);
    check::generator random{4};
    for (real &v : values) v = random.uniform(0.1, 1);
    check::array<real> y(ones), w(values), x(values), d_y(ones), again(ones), d_w(zeros), d_x(zeros),
        want_w(zeros), want_x(zeros);
    check::array<int> col(numbers(entries, 5, 9)), row(starts(n));
    check::device_bytes space(csr_coarse_workspace_bytes(2, 45, y, w, x, col, row, n, entries)),
        tape(csr_halves_tape_bytes(2, 45, y, w, x, col, row, n)),
        rows(csr_halves_bwd_workspace_bytes(2, 45, y, w, x, col, row, n, entries));
    EXPECT_STATUS(csr_coarse_grad_launch(2, 45, 0, 0, y, w, x, col, row, n, again, want_w, want_x, entries,
                                         space.data(), space.size()),
                  GW_OK);
    EXPECT_STATUS(csr_halves_fwd_launch(2, 45, 0, 0, y, w, x, col, row, n, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(csr_halves_bwd_launch(2, 45, 0, 0, y, w, x, col, row, n, d_y, d_w, d_x, entries, tape.data(),
                                        tape.size(), rows.data(), rows.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < entries; i++) EXPECT_NEAR(d_w.get()[i], want_w.get()[i], 1e-10);
    for (int i = 0; i < 9; i++) EXPECT_NEAR(d_x.get()[i], want_x.get()[i], 1e-10);
}

// Rows for each number within a position; none without positions, too many for any memory.
TEST(rows_of_threads) {
    check::array<real> out(std::vector<real>(80)), table(std::vector<real>(90)),
        d_out(std::vector<real>(80, 1.0)), d_table(std::vector<real>(90, 0.0));
    check::array<int> index(numbers(100, 5, 9)), start(std::vector<int>(9, 0));
    auto bytes = [&](int bags, int width, size_t positions) {
        return bag_flat_workspace_bytes(2, 64, out, table, index, start, bags, width, positions);
    };
    EXPECT(bytes(8, 10, 0) == 0 && bytes(8, 0, 100) > 0 && bytes(8, 0, 100) == bytes(8, 1, 100));
    EXPECT(bytes(8, 10, 1000) > 8 * bytes(8, 1, 1000));
    EXPECT_STATUS(bag_flat_grad_launch(2, 64, 0, 0, out, table, index, start, 8, 10, d_out, d_table,
                                       SIZE_MAX / 4, d_table, bytes(8, 10, 100)),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(
        bag_flat_grad_launch(2, 64, 0, 0, out, table, index, start, 8, 10, d_out, d_table, 0, nullptr, 0),
        GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_table.get() == std::vector<real>(90, 0.0) && d_out.get() == std::vector<real>(80, 0.0));
}

// Wherever the workspace begins.
TEST(places) {
    std::vector<real> ones(5 * 64, 1.0), values(45);
    check::generator random{3};
    for (real &v : values) v = random.uniform(0.1, 1);
    check::array<real> out(ones), x(values);
    check::array<int> ids(numbers(360, 5, 9));
    check::array<span> range(five);
    std::vector<real> first;
    const size_t bytes = five_columns_workspace_bytes(5, 64, out, x, ids, range, 360);
    check::device_bytes space(bytes + 32);
    for (size_t from = 0; from < 32; from += GW_WORKSPACE_ALIGNMENT) {
        check::array<real> d_out(ones), d_x(std::vector<real>(45, 0.0));
        space.fill(0x55);
        EXPECT_STATUS(five_columns_grad_launch(5, 64, 0, 0, out, x, ids, range, d_out, d_x, 360,
                                               (char *)space.data() + from, bytes),
                      GW_OK);
        EXPECT_DEVICE_OK();
        if (!from) first = d_x.get();
        EXPECT(d_x.get() == first);
        std::vector<unsigned char> behind(32 - from);
        check::cuda_ok(cudaMemcpy(behind.data(), (char *)space.data() + from + bytes, behind.size(),
                                  cudaMemcpyDeviceToHost));
        for (unsigned char byte : behind) EXPECT(byte == 0x55);
    }
}

// Nothing is added where the launch fails, and lists without positions have no adjoint.
TEST(workspace) {
    const std::vector<span> empty = {{7, 7}, {0, 0}};
    check::array<float> out(std::vector<float>(128, 1.0f)), x(std::vector<float>(9, 1.0f)),
        d_out(std::vector<float>(128, 1.0f)), d_x(std::vector<float>(9, 0.0f));
    check::array<int> ids(numbers(360, 5, 9));
    check::array<span> range(empty);
    const size_t bytes = tiles_workspace_bytes(2, 64, out, x, ids, range, 360);
    check::device_bytes space(bytes);
    EXPECT_STATUS(tiles_grad_launch(2, 64, 0, 0, out, x, ids, range, d_out, d_x, 360, space.data(), bytes - 1),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(tiles_grad_launch(2, 64, 0, 0, out, x, ids, range, d_out, d_x, 360, nullptr, bytes),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(
        tiles_grad_launch(2, 64, 0, 0, out, x, ids, range, d_out, d_x, SIZE_MAX / 2, space.data(), bytes),
        GW_ERROR_WORKSPACE);
    EXPECT(d_out.get() == std::vector<float>(128, 1.0f));
    EXPECT(tiles_workspace_bytes(2, 64, out, x, ids, range, 0) == 0);
    EXPECT_STATUS(tiles_grad_launch(2, 64, 0, 0, out, x, ids, range, d_out, d_x, 0, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == std::vector<float>(9, 0.0f) && d_out.get() == std::vector<float>(128, 0.0f));
}
#endif

TEST_MAIN
