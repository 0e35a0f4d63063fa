// Additions to cells that only run time tells, in rows of each thread's own: built with --deterministic (and,
// as every file here, without: then they are atomic). The table of decisions is that of --prefer=slots, checked
// by tests/ownership/decisions.py; what is refused stands in tests/refused/no_slots*.cu.
#include "../support/check.cuh"

#include <cstdlib>

typedef double real;
struct point {
    real x, y, z;
};
CHECK_CELLS(point, CHECK_CELL(point, x), CHECK_CELL(point, y), CHECK_CELL(point, z))
struct pair {
    real v[2], w;
};
CHECK_CELLS(pair, CHECK_CELL(pair, v[0]), CHECK_CELL(pair, v[1]), CHECK_CELL(pair, w))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- at most once in a thread ----
JOINED("y wrt x")
__global__ void gathered(real *y, const real *x, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[at[i]] * x[at[i]];
}
//= d_x[at[i]] +=: slots

// A cell of the thread's own, and one that is any thread's.
JOINED("y wrt x")
__global__ void own_and_other(real *y, const real *x, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[at[i]];
}
//= d_x[i] +=: slots
//= d_x[at[i]] +=: slots

JOINED("y wrt x, k")
__global__ void halved(real *y, const real *x, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] + x[i / 2] * k;
}
//= d_k[0] +=: slots
//= d_x[i] +=: slots
//= d_x[i / 2] +=: slots

// Indices of every width; what is added to the number is part of the column.
JOINED("y wrt a, b, c, d")
__global__ void widths(real *y, const real *a, const real *b, const real *c, const real *d, const int *at,
                       const unsigned char *narrow, const unsigned *wide, const long long *widest, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = a[at[i] + 3] * b[narrow[i]] * c[wide[i] / 2] + d[2 * widest[i] + 1] * a[at[i] + 3];
}
//= d_a[at[i] + 3] +=: slots
//= d_b[narrow[i]] +=: slots
//= d_c[wide[i] / 2] +=: slots
//= d_d[2 * widest[i] + 1] +=: slots

// Unsigned numbers of 64 bits: the key is the same 64 bits, also where both kinds make one index.
JOINED("y wrt a, b")
__global__ void unsigned_numbers(real *y, const real *a, const real *b, const unsigned long long *at, int n) {
    int i = HERE;
    if (i >= n) return;
    const unsigned long long k = at[i];
    y[i] = a[k] * b[2 * k + 1] + a[(long long)k + 1] * b[2 * (long long)k + 1];
}
//= d_a[k] +=: slots
//= d_b[2 * k + 1] +=: slots
//= d_a[k + 1] +=: slots
//= d_b[2 * k + 1] +=: slots

// Columns of one row: members of several objects, of one type.
JOINED("y wrt p, color, w")
__global__ void records(real *y, const point *p, const real *color, const real *w, const int *ids, int n) {
    int i = HERE;
    if (i >= n) return;
    int id = ids[i];
    y[i] = p[id].x * color[3 * id] + p[id].y * color[3 * id + 1] * color[3 * id + 2] + p[id].z * w[id];
}
//= d_p[id].x +=: slots
//= d_p[id].y +=: slots
//= d_p[id].z +=: slots
//= d_color[3 * id] +=: slots
//= d_color[3 * id + 1] +=: slots
//= d_color[3 * id + 2] +=: slots
//= d_w[id] +=: slots

// No columns of one row: neighbours' cells are each other's, and x[3 * id + 3] is x[3 * (id + 1)].
JOINED("y wrt x")
__global__ void neighbours(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i >= n) return;
    int id = ids[i];
    y[i] = x[id] * x[id + 1] + x[3 * id] * x[3 * id + 3] * x[3 * id + 1];
}
//= d_x[id] +=: slots
//= d_x[id + 1] +=: slots
//= d_x[3 * id] +=: slots
//= d_x[3 * id + 1] +=: slots
//= d_x[3 * id + 3] +=: slots

// An array in a struct, at a constant place.
JOINED("y wrt p")
__global__ void arrays(real *y, const pair *p, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = p[ids[i]].v[0] * p[ids[i]].v[1] * p[ids[i] + 1].w;
}
//= d_p[ids[i]].v[0] +=: slots
//= d_p[ids[i]].v[1] +=: slots
//= d_p[ids[i] + 1].w +=: slots

// An array inside a struct has no cells of the keys 0 and 1.
JOINED("y wrt p")
__global__ void inside_arrays(real *y, const pair *p, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = p[1].v[at[i] - 7] * p[3].v[8 - at[i]] + p[2 * at[i] - 13].v[1];
}
//= d_p[1].v[at[i] - 7] +=: slots
//= d_p[3].v[8 - at[i]] +=: slots
//= d_p[2 * at[i] - 13].v[1] +=: slots

// One cell for all threads: nothing to sort.
JOINED("y wrt x, k, w")
__global__ void scalars(real *y, const real *x, real k, const real *w, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k + w[0] * w[2];
}
//= d_k[0] +=: slots
//= d_w[0] +=: slots
//= d_w[2] +=: slots

JOINED("y wrt x")
__global__ void narrow_numbers(float *y, const float *x, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[at[i]] * x[at[i]];
}
//= d_x[at[i]] +=: slots

// Floats and doubles apart.
JOINED("y wrt x, v")
__global__ void of_two_types(real *y, const real *x, const float *v, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[at[i]] * x[at[i]] * v[at[i]];
}
//= d_x[at[i]] +=: slots
//= d_v[at[i]] +=: slots

// More columns than a row has.
JOINED("y wrt x")
__global__ void many(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i >= n) return;
    const real *p = x + 20 * ids[i];
    y[i] = p[0] * p[1] + p[2] * p[3] + p[4] * p[5] + p[6] * p[7] + p[8] * p[9] + p[10] * p[11] + p[12] * p[13] +
           p[14] * p[15] + p[16] * p[17];
}
//= d_x[20 * ids[i]] +=: slots
//= d_x[20 * ids[i] + 1] +=: slots
//= d_x[20 * ids[i] + 2] +=: slots
//= d_x[20 * ids[i] + 3] +=: slots
//= d_x[20 * ids[i] + 4] +=: slots
//= d_x[20 * ids[i] + 5] +=: slots
//= d_x[20 * ids[i] + 6] +=: slots
//= d_x[20 * ids[i] + 7] +=: slots
//= d_x[20 * ids[i] + 8] +=: slots
//= d_x[20 * ids[i] + 9] +=: slots
//= d_x[20 * ids[i] + 10] +=: slots
//= d_x[20 * ids[i] + 11] +=: slots
//= d_x[20 * ids[i] + 12] +=: slots
//= d_x[20 * ids[i] + 13] +=: slots
//= d_x[20 * ids[i] + 14] +=: slots
//= d_x[20 * ids[i] + 15] +=: slots
//= d_x[20 * ids[i] + 16] +=: slots
//= d_x[20 * ids[i] + 17] +=: slots

// Three dimensions; both sides of a branch.
JOINED("y wrt x")
__global__ void planes(real *y, const real *x, const int *at, int n) {
    int i = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x +
                  (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z);
    if (i >= n) return;
    if (i % 3) y[i] = x[at[i]] * x[0];
    else y[i] = x[at[i] + 1] * x[at[i] + 1];
}
//= d_x[at[i]] +=: slots
//= d_x[0] +=: slots
//= d_x[at[i] + 1] +=: slots

// ---- in loops ----

// Rows of an embedding that are summed; the last bags are shorter.
JOINED("y wrt table")
__global__ void bags(real *y, const real *table, const int *ids, int n, int length, int width) {
    int i = HERE;
    if (i >= n * width) return;
    int bag = i / width, c = i % width;
    real sum = 0;
    for (int j = 0; j < length; j++) {
        if (bag * 7 + j > 30) break;
        real v = table[ids[bag * length + j] * width + c];
        sum += v * v * (j + 1);
    }
    y[i] = sum;
}
//= d_table[ids[bag * length + j] * width + c] +=: slots

// Loops in loops, a step of two, a loop that counts down, a condition in each.
JOINED("y wrt x, w")
__global__ void nested(real *y, const real *x, const real *w, const int *ids, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = m; j > 0; j--)
        for (int k = 1; k < 4; k += 2)
            if ((i + j + k) % 3) sum += x[ids[i + j]] * w[(i ^ k) % 5] * x[ids[i + k]];
    y[i] = sum;
}
//= d_x[ids[i + j]] +=: slots
//= d_x[ids[i + k]] +=: slots
//= d_w[(i ^ k) % 5] +=: slots

// A loop whose states are on a tape in the workspace, in front of the rows.
JOINED("y wrt x")
__global__ void behind_a_tape(real *y, const real *x, const int *ids, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[ids[i]];
    for (int k = 0; k < steps; k++) v = v * v * x[ids[(i + k) % n]];
    y[i] = v;
}
//= d_x[ids[i]] +=: slots
//= d_x[ids[(i + k) % n]] +=: slots

// While a counter runs.
JOINED("y wrt x")
__global__ void counted_while(real *y, const real *x, const int *ids, int n, int most) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    int k = 0;
    while (k < most && ids[i + k] != 5) {
        sum += x[ids[i + k]] * x[ids[i + k]];
        k++;
    }
    y[i] = sum;
}
//= d_x[ids[i + k]] +=: slots

// ---- cells that the lanes of a warp share: with --deterministic their sum is one row ----
JOINED("y wrt x, w")
__global__ void all_rows(real *y, const real *x, const real *w, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real own = x[i] * x[i], sum = 0;
    for (int j = 0; j < m; j++) sum += w[j] * own * (own + j);
    y[i] = sum * own;
}
//= d_w[j] +=: slots

// Each lane runs another number of times, and the list's cells are known only to those that do.
JOINED("y wrt x, p, color")
__global__ void some_rows(real *y, const real *x, const point *p, const real *color, const int *ids, int n,
                          int m) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < m - i % 4; j++) {
        if ((i + j) % 3 == 0) continue;
        int id = ids[j];
        sum += p[id].x * x[i] * color[3 * id] + p[id].y * color[3 * id + 1] * color[3 * id + 2];
        if ((i ^ j) & 2) sum += p[id].z * x[i];
    }
    y[i] = sum;
}
//= d_p[id].x +=: slots
//= d_p[id].y +=: slots
//= d_p[id].z +=: slots
//= d_color[3 * id] +=: slots
//= d_color[3 * id + 1] +=: slots
//= d_color[3 * id + 2] +=: slots

// By the block's number, a truth value, and the lane's own cell beside them.
JOINED("y wrt x, w, v")
__global__ void of_blocks(real *y, const real *x, const real *w, const real *v, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = w[blockIdx.x] * x[at[i]] + v[blockIdx.x > 0] * w[blockIdx.x + 7] * v[x[i] > 0.5];
}
//= d_x[at[i]] +=: slots
//= d_w[blockIdx.x] +=: slots
//= d_w[blockIdx.x + 7] +=: slots
//= d_v[blockIdx.x > 0] +=: slots
//= d_v[x[i] > ...] +=: slots

// Barriers around, a tile of the block's.
JOINED("y wrt x")
__global__ void staged(real *y, const real *x, const int *ids, int tiles) {
    __shared__ real s[32];
    int t = (int)threadIdx.x;
    real sum = 0;
    for (int tile = 0; tile < tiles; tile++) {
        s[t] = x[ids[32 * tile + t]] * x[ids[32 * tile + t]];
        __syncthreads();
        sum += s[(t + 1) % 32] * (tile + 1);
        __syncthreads();
    }
    y[HERE] = sum;
}
//= d_x[ids[32 * tile + t]] +=: slots

// All threads of a row of the matrix add to one cell: gathered over the grid where the order is free.
JOINED("y wrt a, b")
__global__ void product(real *y, const real *a, const real *b, int n, int m, int depth) {
    int i = HERE;
    if (i >= n * m) return;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[i / m * depth + k] * b[k * m + i % m];
    y[i] = sum;
}
//= d_a[i / m * depth + k] +=: slots
//= d_b[k * m + i % m] +=: slots

// ---- through pointers in a struct, templates ----
struct grid_data {
    real *out;
    const real *grid;
    const point *poles;
    const int *index;
    int n;
};
JOINED("d.out wrt d.grid, d.poles")
__global__ void by_struct(grid_data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = d.grid[d.index[i]] * d.poles[d.index[i]].x * d.poles[d.index[i] + 1].y;
}
//= d_d.grid[d.index[i]] +=: slots
//= d_d.poles[d.index[i]].x +=: slots
//= d_d.poles[d.index[i] + 1].y +=: slots

// Sums of a warp in one row, one of which always takes part: who takes part in the other is asked by nobody,
// and not computed.
JOINED("y wrt x, z, p")
__global__ void sometimes_beside_always(real *y, const real *x, const real *z, real p, const int *at) {
    int i = HERE;
    y[i] = p * p *
           erf(x[i] > 0.5 ? p > 1.2 ? 0.25 : x[i] - z[2] : x[i] * x[at[i]] / (fabs(copysign(x[i], p)) + 0.6));
}
//= d_p[0] +=: slots
//= d_x[i] +=: slots
//= d_z[2] +=: slots
//= d_x[at[i]] +=: slots

#include "slots.grad.cuh"

__global__ void gathered_wide(real *y, const real *x, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[at[i]] * x[at[i]];
}

__global__ void of_one_type(real *y, const real *x, const real *v, const int *at, int n) {
    int i = HERE;
    if (i < n) y[i] = x[at[i]] * x[at[i]] * v[at[i]];
}

template <class T = int> static std::vector<T> numbers(int n, int factor, int below, int from = 0) {
    std::vector<T> list;
    for (int i = 0; i < n; i++) list.push_back((T)(from + (i * factor + i / 7) % below));
    return list;
}

#define SIZES(kernel, tolerance, ...)                                       \
    CHECK_CASE(kernel##_1, kernel, kernel, tolerance, 7, 1, __VA_ARGS__)    \
    CHECK_CASE(kernel##_45, kernel, kernel, tolerance, 2, 45, __VA_ARGS__)  \
    CHECK_CASE(kernel##_64, kernel, kernel, tolerance, 1, 64, __VA_ARGS__)

SIZES(gathered, 1e-8, out(50), in(9), given(numbers(90, 5, 9)), 50)
CHECK_CASE(gathered_many, gathered, gathered, 1e-8, 4, 1024, out(3000), in(9), given(numbers(4096, 5, 9)), 3000)
SIZES(own_and_other, 1e-8, out(50), in(50), given(numbers(90, 5, 50)), 50)
SIZES(halved, 1e-8, out(50), in(50), active(0.7), 50)
SIZES(widths, 1e-8, out(40), in(12), in(9), in(5), in(20), given(numbers(40, 5, 9)),
      given(numbers<unsigned char>(40, 5, 9)), given(numbers<unsigned>(40, 5, 9)),
      given(numbers<long long>(40, 5, 9)), 40)
SIZES(unsigned_numbers, 1e-8, out(40), in(10), in(20), given(numbers<unsigned long long>(40, 5, 9)), 40)
SIZES(records, 1e-8, out(50), in(9), in(27), in(9), given(numbers(90, 5, 9)), 50)
SIZES(neighbours, 1e-8, out(50), in(30), given(numbers(90, 5, 9)), 50)
SIZES(arrays, 1e-8, out(50), in(10), given(numbers(90, 5, 9)), 50)
SIZES(inside_arrays, 1e-8, out(50), in(18), given(numbers(90, 5, 2, 7)), 50)
SIZES(scalars, 1e-8, out(50), in(50), active(0.7), in(3), 50)
CHECK_FLOAT(narrow_numbers, gathered_wide, 1e-4, 3, 32, out(90), in(9), given(numbers(96, 5, 9)), 90)
CHECK_FLOAT(of_two_types, of_one_type, 1e-4, 3, 32, out(90), in(9), in(9), given(numbers(96, 5, 9)), 90)
CHECK_KERNEL(sometimes_beside_always, 2, 45, out(90), in(90), in(3), active(1.1), given(numbers(90, 5, 90)))
SIZES(many, 1e-8, out(40), in(180), given(numbers(90, 5, 9)), 40)
CHECK_CASE(planes, planes, planes, 1e-8, dim3(2, 2), dim3(4, 3, 5), out(200), in(10), given(numbers(240, 5, 9)),
           200)
SIZES(bags, 1e-8, out(42), in(27), given(numbers(70, 5, 9)), 14, 5, 3)
SIZES(nested, 1e-8, out(30), in(9), in(5), given(numbers(90, 5, 9)), 30, 5)
SIZES(behind_a_tape, 1e-7, out(30), in(9, 0.8, 1.1), given(numbers(90, 5, 9)), 30, 4)
SIZES(counted_while, 1e-8, out(30), in(9), given(numbers(90, 5, 9)), 30, 6)
SIZES(all_rows, 1e-8, out(50), in(50), in(5), 50, 5)
SIZES(some_rows, 1e-8, out(50), in(50), in(9), in(27), given(numbers(20, 5, 9)), 50, 6)
SIZES(of_blocks, 1e-8, out(50), in(50), in(14), in(2), given(numbers(90, 5, 50)), 50)
CHECK_CASE(staged, staged, staged, 1e-8, 3, 32, out(96), in(9), given(numbers(160, 5, 9)), 5)
SIZES(product, 1e-8, out(42), in(24), in(28), 6, 7, 4)

// ---- a struct's pointers ----
TEST(by_struct) {
    const int n = 40;
    check::array<real> out(std::vector<real>(n, 0.0)), d_out(std::vector<real>(n, 1.0)),
        d_grid(std::vector<real>(9, 0.5));
    std::vector<real> values(9);
    std::vector<point> poles(10), none(10);
    for (int i = 0; i < 10; i++) poles[(size_t)i] = {1.0 + i, 2.0 - i, 0};
    for (int i = 0; i < 9; i++) values[(size_t)i] = 0.25 * i;
    check::array<real> grid(values);
    check::array<point> at(poles), d_at(none);
    std::vector<int> list = numbers(n, 5, 9);
    check::array<int> index(list);
    grid_data d = {out.data(), grid.data(), at.data(), index.data(), n},
              d_d = {d_out.data(), d_grid.data(), d_at.data(), nullptr, 0};
    check::device_bytes space(by_struct_workspace_bytes(2, 32, d));
    EXPECT_STATUS(by_struct_grad_launch(2, 32, 0, 0, d, d_d, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> want(9, 0.5), want_y(10, 0.0);
    for (int id : list) {
        want[(size_t)id] += poles[(size_t)id].x * poles[(size_t)id + 1].y;
        want_y[(size_t)id + 1] += values[(size_t)id] * poles[(size_t)id].x;
    }
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_grid.get()[i], want[i], 1e-12);
    for (size_t i = 0; i < 10; i++) EXPECT_NEAR(d_at.get()[i].y, want_y[i], 1e-12);
}

// ---- the same bits on every run ----
#ifdef GRADWRIGHT_SLOTS_CUH
TEST(same_bits) {
    const int n = 6000, cells = 40;
    std::vector<float> values(cells), ones(n);
    check::generator random{5};
    for (float &v : values) v = (float)random.uniform(0.1, 1);
    for (float &v : ones) v = (float)random.uniform(-1, 1);
    std::vector<int> list;
    for (int i = 0; i < n; i++)
        list.push_back((int)(random.next() % 100 < 60 ? random.next() % 3 : random.next() % cells));
    check::array<float> y(ones), x(values);
    check::array<int> at(list);
    std::vector<float> first;
    for (int run = 0; run < 4; run++) {
        check::array<float> d_y(ones), d_x(std::vector<float>(cells, 0.0f));
        check::device_bytes space(narrow_numbers_workspace_bytes(24, 256, y, x, at, n));
        space.fill(37 * run);
        check::permute(run * 11);
        EXPECT_STATUS(
            narrow_numbers_grad_launch(24, 256, 0, 0, y, x, at, n, d_y, d_x, space.data(), space.size()),
            GW_OK);
        EXPECT_DEVICE_OK();
        if (!run) first = d_x.get();
        EXPECT(d_x.get() == first);
    }
    check::permute(0);
}

TEST(too_small_a_workspace) {
    const int n = 50;
    check::array<real> y(std::vector<real>(n, 1.0)), x(std::vector<real>(9, 1.0)),
        d_y(std::vector<real>(n, 1.0)), d_x(std::vector<real>(9, 0.0));
    check::array<int> at(numbers(n, 5, 9));
    const size_t bytes = gathered_workspace_bytes(2, 32, y, x, at, n);
    check::device_bytes space(bytes);
    EXPECT_STATUS(gathered_grad_launch(2, 32, 0, 0, y, x, at, n, d_y, d_x, space.data(), bytes - 1),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(gathered_grad_launch(2, 32, 0, 0, y, x, at, n, d_y, d_x, nullptr, bytes), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(gathered_grad_launch(2, 32, 0, 0, y, x, at, n, d_y, d_x, (char *)space.data() + 4, bytes),
                  GW_ERROR_WORKSPACE);
    EXPECT(d_y.get() == std::vector<real>(n, 1.0) && d_x.get() == std::vector<real>(9, 0.0));
}
#endif

TEST_MAIN
