// Additions to cells that a sorted list tells, in rows at its positions, which need no sort; and such that keep it. Built with --deterministic
// (and, as every file here, without: then they are atomic). The table of decisions is that of --prefer=slots, checked by
// tests/ownership/decisions.py; a promise that does not hold is in tests/ownership/promises.cu.
#include "../support/check.cuh"

#include <cstdlib>

typedef double real;
struct point {
    real x, y, z;
};
CHECK_CELLS(point, CHECK_CELL(point, x), CHECK_CELL(point, y), CHECK_CELL(point, z))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ==== what keeps the sort ====

// Nobody said that keys are sorted; somebody said it of another list; what is sorted is not the key.
JOINED("y wrt x")
__global__ void unsorted(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * x[ids[i]];
}
//= d_x[ids[i]] +=: slots

JOINED("y wrt x") GW_SORTED(others)
__global__ void other_list(real *y, const real *x, const int *ids, const int *others, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * (others[i] + 1);
}
//= d_x[ids[i]] +=: slots

JOINED("y wrt x, v") GW_SORTED(ids)
__global__ void of_entries(real *y, const real *x, const real *v, const int *ids, const int *map, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i] % 5] * v[map[ids[i]]];
}
//= d_x[ids[i] % 5] +=: slots
//> d_x[ids[i] % 5]: slots (rows of each thread, sorted and summed behind the kernel)
//= d_v[map[ids[i]]] +=: slots

// Two threads at one position, some at one, all of a block, all of another number.
JOINED("y wrt x, v, w") GW_SORTED(ids)
__global__ void shared_positions(real *y, const real *x, const real *v, const real *w, const int *ids, int n, int m) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i / 2]] * v[ids[i % m]] * w[ids[i & ~1]];
}
//= d_x[ids[i / 2]] +=: slots
//= d_v[ids[i % m]] +=: slots
//= d_w[ids[i & -2]] +=: slots
//> d_x[ids[i / 2]]: slots (rows of each thread, sorted and summed behind the kernel: not proved that each thread and iteration has another position in ids)

JOINED("y wrt x, v") GW_SORTED(ids)
__global__ void of_block(real *y, const real *x, const real *v, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[blockIdx.x]] * v[ids[threadIdx.x]];
}
//= d_x[ids[blockIdx.x]] +=: slots
//= d_v[ids[threadIdx.x]] +=: slots

// A thread comes to one position several times; threads come to their neighbours' positions.
JOINED("y wrt x, v") GW_SORTED(ids)
__global__ void windows(real *y, const real *x, const real *v, const int *ids, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < m; j++) sum += x[ids[i]] * (j + 1) * v[ids[i + j]] * y[i];
    y[i] = sum;
}
//= d_x[ids[i]] +=: slots
//= d_v[ids[i + j]] +=: slots

// A position that a list tells, one that wraps around, one of a narrow type, rows that overlap since nobody stays within them.
JOINED("y wrt x, v, w") GW_SORTED(ids)
__global__ void told_positions(real *y, const real *x, const real *v, const real *w, const int *ids, const int *map, unsigned n) {
    unsigned i = HERE;
    if (i < n) y[i] = x[ids[map[i]]] * v[ids[i * i % 64]] * w[ids[(unsigned char)(2 * i)]];
}
//= d_x[ids[map[i]]] +=: slots
//> d_x[ids[map[i]]]: slots (rows of each thread, sorted and summed behind the kernel: the launch knows no bounds of the position in ids)
//= d_v[ids[i * i % 64]] +=: slots
//= d_w[ids[(unsigned char)(2 * i)]] +=: slots

JOINED("y wrt x") GW_SORTED(ids)
__global__ void overlapping_rows(real *y, const real *x, const int *ids, int width) {
    int c = threadIdx.x, row = HERE / (int)blockDim.x;
    y[HERE] = x[ids[row * width + c]];
}
//= d_x[ids[row * width + c]] +=: slots

// A loop that is left by what it finds.
JOINED("y wrt x") GW_SORTED(ids)
__global__ void left(real *y, const real *x, const int *ids, int n, int most) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    int k = 0;
    while (k < most && ids[8 * i + k] != 5) {
        sum += x[ids[8 * i + k]] * x[ids[8 * i + k]];
        k++;
    }
    y[i] = sum;
}
//= d_x[ids[8 * i + k]] +=: slots

// A number that is made narrower need not ascend as the list does.
JOINED("y wrt x") GW_SORTED(ids)
__global__ void narrowed(real *y, const real *x, const long long *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[(int)(ids[i] & 15)];
}
//= d_x[(int)(ids[i] & 15)] +=: slots

// ==== what needs none ====
JOINED("y wrt x") GW_SORTED(ids)
__global__ void sorted(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * x[ids[i]];
}
//= d_x[ids[i]] +=: sorted_slots

// The list's own beside another; columns of one row; neighbours' cells in a group of their own.
JOINED("y wrt x, p, color, v") GW_SORTED(ids)
__global__ void records(real *y, const real *x, const point *p, const real *color, const real *v, const int *ids, const int *others, int n) {
    int i = HERE;
    if (i >= n) return;
    int id = ids[i];
    y[i] = x[id] * p[id].x * color[3 * id] + p[id].y * color[3 * id + 1] * x[id + 1] + p[id].z * v[others[i]];
}
//= d_x[id] +=: sorted_slots
//= d_p[id].x +=: sorted_slots
//= d_color[3 * id] +=: sorted_slots
//= d_p[id].y +=: sorted_slots
//= d_color[3 * id + 1] +=: sorted_slots
//= d_x[id + 1] +=: sorted_slots
//= d_p[id].z +=: sorted_slots
//= d_v[others[i]] +=: slots

// In any order of threads; positions that lie apart, that begin elsewhere, in front of the list's first; too far apart for rows.
JOINED("y wrt x, v, w, u") GW_SORTED(ids)
__global__ void placed(real *y, const real *x, const real *v, const real *w, const real *u, const int *ids, int first, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[n - 1 - i]] * v[ids[3 * i + 1]] * w[ids[first + i]] * u[ids[20 * i]];
}
//= d_x[ids[n - 1 - i]] +=: sorted_slots
//> d_x[ids[n - 1 - i]]: slots (rows at positions of ids, which is sorted: summed behind the kernel as they stand)
//= d_v[ids[3 * i + 1]] +=: sorted_slots
//= d_w[ids[first + i]] +=: sorted_slots
//= d_u[ids[20 * i]] +=: sorted_slots

// Keys of other types.
JOINED("y wrt x, v, w, u") GW_SORTED(wide) GW_SORTED(narrow) GW_SORTED(plain) GW_SORTED(widest)
__global__ void widths(real *y, const real *x, const real *v, const real *w, const real *u, const long long *wide, const unsigned char *narrow, const unsigned *plain,
                       const unsigned long long *widest, int n) {
    int i = HERE;
    if (i < n) y[i] = x[wide[i]] * v[narrow[i]] * w[plain[i]] * u[2 * widest[i] + 1];
}
//= d_x[wide[i]] +=: sorted_slots
//= d_v[narrow[i]] +=: sorted_slots
//= d_w[plain[i]] +=: sorted_slots
//= d_u[2 * widest[i] + 1] +=: sorted_slots

// Positions of other types.
JOINED("y wrt x, v, w") GW_SORTED(ids)
__global__ void wide_positions(real *y, const real *x, const real *v, const real *w, const int *ids, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[ids[n - 1 - i]] * v[ids[(long long)i + 2]] * w[ids[(unsigned)i]];
}
//= d_x[ids[n - 1 - i]] +=: sorted_slots
//= d_v[ids[i + 2]] +=: sorted_slots
//= d_w[ids[(unsigned int)i]] +=: sorted_slots

// As many times as there are; some of them.
JOINED("y wrt x, v") GW_SORTED(ids)
__global__ void strides(real *y, const real *x, const real *v, const int *ids, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) {
        real sum = x[ids[i]] * x[ids[i]];
        if ((i ^ 5) % 3) sum += v[ids[i]] * v[ids[i]];
        y[i] = sum;
    }
}
//= d_x[ids[i]] +=: sorted_slots
//= d_v[ids[i]] +=: sorted_slots

// A thread's own stretch of the list, upward and downward.
JOINED("y wrt x") GW_SORTED(ids)
__global__ void stretches(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 1;
    for (int j = 4; j >= 0; j--) sum = sum * 0.5 + x[ids[5 * i + j]] * sum;
    y[i] = sum;
}
//= d_x[ids[5 * i + j]] +=: sorted_slots

// Pixels of a picture.
JOINED("y wrt x") GW_SORTED(ids)
__global__ void planes(real *y, const real *x, const int *ids, int width, int height) {
    int column = HERE, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) y[row * width + column] = x[ids[row * width + column]] * x[ids[row * width + column]];
}
//= d_x[ids[row * width + column]] +=: sorted_slots

// Floats; what one thread does is the work of two.
JOINED("y wrt x") GW_SORTED(ids)
__global__ void floats(float *y, const float *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * x[ids[i]];
}
//= d_x[ids[i]] +=: sorted_slots

JOINED("y wrt x") GW_SORTED(ids) GW_COARSEN(2)
__global__ void coarsened(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * x[ids[i]];
}
//= d_x[ids[i]] +=: sorted_slots

// ---- halves; a list in a struct ----
JOINED("y wrt x") GW_SPLIT_GRADIENT("y wrt x") GW_SORTED(ids)
__global__ void halves(real *y, const real *x, const int *ids, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[ids[i]];
    for (int k = 0; k < steps; k++) v = v * v;
    y[i] = v;
}
//= d_x[ids[i]] +=: sorted_slots
//= d_x[ids[i]] +=: sorted_slots

struct bag_data {
    real *out;
    const real *grid;
    const int *index;
    int n;
};
JOINED("d.out wrt d.grid") GW_SORTED(d.index)
__global__ void by_struct(bag_data d) {
    int i = HERE;
    if (i < d.n) d.out[i] = d.grid[d.index[i]] * d.grid[d.index[i]];
}
//= d_d.grid[d.index[i]] +=: sorted_slots
//> d_d.grid[d.index[i]]: slots (rows at positions of d.index, which is sorted: summed behind the kernel as they stand)

// A struct behind a pointer; a list of its own for each row has no order of keys as a whole.
struct sorted_list {
    const int *at;
    int n;
};
JOINED("y wrt x, v") GW_SORTED(list.at) GW_SORTED(lists)
__global__ void by_pointer(real *y, const real *x, const real *v, const sorted_list *list, const int *const *lists) {
    int i = HERE;
    if (i < list->n) y[i] = x[list->at[i]] * v[lists[i % 2][i]];
}
//= d_x[list[0].at[i]] +=: sorted_slots
//= d_v[lists[i % 2][i]] +=: slots

template <class T, int N>
JOINED("y wrt x") GW_SORTED(ids)
__global__ void of_type(T *y, const T *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[N * i + 1]] * x[ids[N * i + 1]];
}
//= d_x[ids[3 * i + 1]] +=: sorted_slots
template __global__ void of_type<real, 3>(real *, const real *, const int *, int);

#include "sorted_slots.grad.cuh"

__global__ void floats_wide(real *y, const real *x, const int *ids, int n) {
    int i = HERE;
    if (i < n) y[i] = x[ids[i]] * x[ids[i]];
}

// Each number once, or many times, or not at all.
template <class T = int> static std::vector<T> ascending(int n, int below) {
    std::vector<T> list;
    check::generator random{(unsigned)(n + below)};
    const int each = n / below + 1;
    for (int k = 0; (int)list.size() < n; k++)
        for (int left = k + 1 < below ? (int)(random.next() % 3) * each / (k % 4 == 3 ? 4 : 1) : n; left > 0 && (int)list.size() < n; left--) list.push_back((T)k);
    return list;
}
static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list;
    for (int i = 0; i < n; i++) list.push_back((i * factor + i / 7) % below);
    return list;
}

// One test for all sizes: what it is made of is compiled once.
#define SIZES(kernel, tolerance, ...)                                                                            \
    CHECK_ROW(sizes_of_##kernel, #kernel,                                                                        \
              for (const check::launch &where : {launch(7, 1), launch(2, 45), launch(1, 64)})                    \
                  check::run_row(t, gw_row_check, CHECK_ROW_JOINED(kernel, kernel, tolerance, where), {__VA_ARGS__}))

SIZES(unsorted, 1e-8, out(50), in(9), given(numbers(90, 5, 9)), 50)
SIZES(other_list, 1e-8, out(50), in(9), given(numbers(90, 5, 9)), given(ascending(90, 9)), 50)
SIZES(of_entries, 1e-8, out(50), in(9), in(9), given(ascending(90, 9)), given(numbers(9, 5, 9)), 50)
SIZES(shared_positions, 1e-8, out(50), in(9), in(9), in(9), given(ascending(90, 9)), 50, 7)
SIZES(of_block, 1e-8, out(50), in(9), in(9), given(ascending(90, 9)), 50)
SIZES(windows, 1e-8, out(50), in(9), in(9), given(ascending(90, 9)), 50, 4)
SIZES(told_positions, 1e-8, out(50), in(9), in(9), in(9), given(ascending(256, 9)), given(numbers(90, 7, 64)), 50u)
SIZES(left, 1e-8, out(30), in(9), given(ascending(500, 9)), 30, 6)
CHECK_CASE(overlapping_rows, overlapping_rows, overlapping_rows, 1e-8, 5, 8, out(40), in(9), given(ascending(90, 9)), 3)
SIZES(narrowed, 1e-8, out(50), in(16), given(ascending<long long>(90, 40)), 50)

SIZES(sorted, 1e-8, out(50), in(9), given(ascending(90, 9)), 50)
CHECK_CASE(sorted_one, sorted, sorted, 1e-8, 2, 45, out(50), in(9), given(std::vector<int>(90, 3)), 50)
CHECK_CASE(sorted_own, sorted, sorted, 1e-8, 2, 45, out(50), in(90), given(ascending(90, 90)), 50)
CHECK_CASE(sorted_many, sorted, sorted, 1e-8, 4, 1024, out(3000), in(30), given(ascending(4096, 30)), 3000)
CHECK_CASE(sorted_many_own, sorted, sorted, 1e-8, 5, 512, out(2500), in(2000), given(ascending(4096, 2000)), 2500)
SIZES(records, 1e-8, out(50), in(10), in(9), in(27), in(9), given(ascending(90, 9)), given(numbers(90, 5, 9)), 50)
SIZES(placed, 1e-8, out(50), in(9), in(9), in(9), in(9), given(ascending(1100, 9)), 37, 50)
SIZES(widths, 1e-8, out(40), in(12), in(9), in(9), in(20), given(ascending<long long>(90, 12)), given(ascending<unsigned char>(90, 9)), given(ascending<unsigned>(90, 9)),
      given(ascending<unsigned long long>(90, 9)), 40)
SIZES(wide_positions, 1e-8, out(50), in(9), in(9), in(9), given(ascending(100, 9)), (size_t)50)
SIZES(strides, 1e-8, out(250), in(9), in(9), given(ascending(260, 9)), 250)
SIZES(stretches, 1e-8, out(50), in(9), given(ascending(450, 9)), 50)
CHECK_CASE(planes, planes, planes, 1e-8, dim3(3, 2), dim3(8, 6), out(20 * 9), in(12), given(ascending(180, 12)), 20, 9)
CHECK_CASE(planes_narrow, planes, planes, 1e-8, dim3(2, 2), dim3(5, 3), out(7 * 6), in(4), given(ascending(42, 4)), 7, 6)
CHECK_FLOAT(floats, floats_wide, 1e-4, 3, 32, out(90), in(9), given(ascending(96, 9)), 90)
CHECK_CASE(coarsened_64, coarsened, coarsened, 1e-8, 2, 64, out(100), in(9), given(ascending(128, 9)), 100)
CHECK_CASE(coarsened_6, coarsened, coarsened, 1e-8, 9, 6, out(50), in(9), given(ascending(128, 9)), 50)
CHECK_JOINED(halves_joined, halves, halves, 1e-7, 2, 45, 0, out(80), in(9, 0.8, 1.1), given(ascending(90, 9)), 80, 3)

TEST(by_struct) {
    const int n = 80;
    std::vector<real> values(9), want(9, 0.5);
    for (int i = 0; i < 9; i++) values[(size_t)i] = 0.25 * i + 1;
    const std::vector<int> list = ascending(n, 9);
    check::array<real> out(std::vector<real>(n, 0.0)), d_out(std::vector<real>(n, 1.0)), d_grid(want), grid(values);
    check::array<int> index(list);
    bag_data d = {out.data(), grid.data(), index.data(), n}, d_d = {d_out.data(), d_grid.data(), nullptr, 0};
    check::device_bytes space(by_struct_workspace_bytes(3, 32, d));
    EXPECT_STATUS(by_struct_grad_launch(3, 32, 0, 0, d, d_d, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    for (int id : list) want[(size_t)id] += 2 * values[(size_t)id];
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_grid.get()[i], want[i], 1e-12);
}

TEST(by_pointer) {
    const int n = 80;
    const std::vector<real> ones(n, 1.0), values(9, 2.0), none(9, 0.0);
    const std::vector<int> keys = ascending(n, 9), others = numbers(n, 5, 9);
    check::array<real> y(ones), d_y(ones), x(values), v(values), d_x(none), d_v(none);
    check::array<int> first(keys), second(others);
    check::array<sorted_list> list(std::vector<sorted_list>{{first.data(), n}});
    check::array<const int *> lists(std::vector<const int *>{first.data(), second.data()});
    check::device_bytes space(by_pointer_workspace_bytes(3, 32, y, x, v, list, lists));
    EXPECT_STATUS(by_pointer_grad_launch(3, 32, 0, 0, y, x, v, list, lists, d_y, d_x, d_v, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> want(9, 0.0), want_v(9, 0.0);
    for (size_t i = 0; i < (size_t)n; i++) want[(size_t)keys[i]] += 2, want_v[(size_t)(i % 2 ? others : keys)[i]] += 2;
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_x.get()[i], want[i], 1e-12);
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_v.get()[i], want_v[i], 1e-12);
}

TEST(of_type) {
    const int n = 80;
    const std::vector<real> ones(n, 1.0), values(9, 2.0);
    const std::vector<int> keys = ascending(3 * n, 9);
    check::array<real> y(ones), d_y(ones), x(values), d_x(std::vector<real>(9, 0.0));
    check::array<int> ids(keys);
    check::device_bytes space(of_type_workspace_bytes<real, 3>(3, 32, y.data(), x.data(), ids.data(), n));
    EXPECT_STATUS((of_type_grad_launch<real, 3>(3, 32, 0, 0, y.data(), x.data(), ids.data(), n, d_y.data(), d_x.data(), space.data(), space.size())), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> want(9, 0.0);
    for (size_t i = 0; i < (size_t)n; i++) want[(size_t)keys[3 * i + 1]] += 4;
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_x.get()[i], want[i], 1e-12);
}

// Positions in front of where the list's pointer points to.
TEST(in_front) {
    const int n = 50, first = -30;
    const std::vector<real> ones(n, 1.0), values(9, 2.0), none(9, 0.0);
    check::array<real> y(ones), x(values), d_y(ones), d_x(none), d_v(none), d_w(none), d_u(none);
    check::array<int> list(ascending(1100, 9));
    const int *ids = list.data() + 40;
    check::device_bytes space(placed_workspace_bytes(2, 32, y, x, x, x, x, ids, first, n));
    EXPECT_STATUS(placed_grad_launch(2, 32, 0, 0, y, x, x, x, x, ids, first, n, d_y, d_x, d_v, d_w, d_u, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> want(9, 0.0);
    for (int i = 0; i < n; i++) want[(size_t)list.get()[(size_t)(40 + first + i)]] += 8;
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_w.get()[i], want[i], 1e-12);
}

TEST(halves) {
    const int n = 80, steps = 3;
    const std::vector<real> values = {0.9, 1.05, 0.8, 1.1, 0.95, 1.0, 0.85, 1.02, 0.93}, ones(n, 1.0);
    check::array<real> y(ones), x(values), d_y(ones), again(ones), d_x(values), want(values);
    check::array<int> ids(ascending(90, 9));
    check::device_bytes space(halves_workspace_bytes(2, 45, y, x, ids, n, steps)), tape(halves_tape_bytes(2, 45, y, x, ids, n, steps));
    EXPECT_STATUS(halves_grad_launch(2, 45, 0, 0, y, x, ids, n, steps, again, want, space.data(), space.size()), GW_OK);
    EXPECT_STATUS(halves_fwd_launch(2, 45, 0, 0, y, x, ids, n, steps, tape.data(), tape.size()), GW_OK);
#ifdef GRADWRIGHT_SLOTS_CUH
    const size_t bytes = halves_bwd_workspace_bytes(2, 45, y, x, ids, n, steps);
    check::device_bytes rows(bytes);
    EXPECT_STATUS(halves_bwd_launch(2, 45, 0, 0, y, x, ids, n, steps, d_y, d_x, tape.data(), tape.size(), rows.data(), bytes - 1), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(halves_bwd_launch(2, 45, 0, 0, y, x, ids, n, steps, d_y, d_x, tape.data(), tape.size(), rows.data(), bytes), GW_OK);
#else
    EXPECT_STATUS(halves_bwd_launch(2, 45, 0, 0, y, x, ids, n, steps, d_y, d_x, tape.data(), tape.size()), GW_OK);
#endif
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 9; i++) EXPECT_NEAR(d_x.get()[i], want.get()[i], 1e-10);
}

#ifdef GRADWRIGHT_SLOTS_CUH
TEST(same_bits) {
    const int n = 6000, cells = 40;
    std::vector<float> values(cells), ones(n);
    check::generator random{5};
    for (float &v : values) v = (float)random.uniform(0.1, 1);
    for (float &v : ones) v = (float)random.uniform(-1, 1);
    check::array<float> y(ones), x(values);
    check::array<int> ids(ascending(n, cells));
    std::vector<float> first;
    for (int run = 0; run < 4; run++) {
        check::array<float> d_y(ones), d_x(std::vector<float>(cells, 0.0f));
        check::device_bytes space(floats_workspace_bytes(24, 256, y, x, ids, n));
        space.fill(37 * run);
        check::permute(run * 11);
        EXPECT_STATUS(floats_grad_launch(24, 256, 0, 0, y, x, ids, n, d_y, d_x, space.data(), space.size()), GW_OK);
        EXPECT_DEVICE_OK();
        if (!run) first = d_x.get();
        EXPECT(d_x.get() == first);
    }
    check::permute(0);
}

// Rows of positions where these are no more than some times the rows of threads, in numbers of every sign.
TEST(places) {
    const struct {
        unsigned long long each;
        long long low, high;
        bool placed;
        size_t rows;
    } list[] = {{1, 0, 63, true, 64},      {1, -5, 10, true, 16},          {1, 1000000000000, 1000000000063, true, 64},
                {1, 0, 255, true, 256},    {1, 0, 256, false, 64},         {3, 7, 7, true, 1},
                {1, 0, -1, false, 64},     {0, 0, 10, false, 0},           {1ull << 32, 0, UINT32_MAX, false, (size_t)64 << 32},
                {1, INT64_MIN, INT64_MAX, false, 64}, {1ull << 32, 1, UINT32_MAX, true, UINT32_MAX}};
    for (const auto &row : list) {
        const auto group = gw_sorted_slots_of<int32_t, float>(row.each, (unsigned long long)row.low, (unsigned long long)row.high, 1, dim3(2), dim3(32));
        EXPECT(group.gw_placed == row.placed && group.gw_reduced.rows == row.rows);
        EXPECT(group.gw_reduced.contiguous == (row.placed ? GW_REDUCE_ASCENDING : 0));
    }
    // nothing for a sort
    EXPECT(floats_workspace_bytes(64, 256, (float *)nullptr, (const float *)nullptr, (const int *)nullptr, 64 * 256) < (size_t)64 * 256 * 10);
}
#endif

TEST_MAIN
