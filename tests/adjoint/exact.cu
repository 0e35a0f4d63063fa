// Sums that are exact: asked for here; what --deterministic gives them stands in
// tests/ownership/fixed_order.cu, the bits in tests/contract/exact_sums.py, what is refused in
// tests/refused/no_exact.cu.
#include "../support/check.cuh"

#include <tuple>

typedef double real;
struct quad {
    real a, b, c, d;
};
CHECK_CELLS(quad, CHECK_CELL(quad, a), CHECK_CELL(quad, b), CHECK_CELL(quad, c), CHECK_CELL(quad, d))
struct point {
    real p[2], q;
};
CHECK_CELLS(point, CHECK_CELL(point, p[0]), CHECK_CELL(point, p[1]), CHECK_CELL(point, q))
struct row {
    real v[4];
};
CHECK_CELLS(row, CHECK_CELL(row, v[0]), CHECK_CELL(row, v[1]), CHECK_CELL(row, v[2]), CHECK_CELL(row, v[3]))
struct span {
    int x, y;
};
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- the host knows how many cells there are ----

// What memory says, cut to a few; floats beside doubles, one cell for all.
JOINED("y wrt x, f, k") GW_ACCUMULATE(x, exact) GW_ACCUMULATE(f, exact) GW_ACCUMULATE(k, exact)
__global__ void bins(real *y, const real *x, const float *f, real k, const int *hash, int n) {
    int i = HERE;
    if (i < n) y[i] = x[hash[i] & 7] * f[(unsigned)hash[i] % 5] * k + x[i % 3];
}
//= d_k[0] +=: exact
//= d_x[hash[i] & 7] +=: exact
//= d_f[hash[i] % 5] +=: exact
//= d_x[i % 3] +=: exact
__global__ void bins_wide(real *y, const real *x, const real *f, real k, const int *hash, int n) {
    int i = HERE;
    if (i < n) y[i] = x[hash[i] & 7] * f[(unsigned)hash[i] % 5] * k + x[i % 3];
}

// Members of structs, and of arrays in them; cells that are the thread's own stay plain.
JOINED("y wrt p, q, w") GW_ACCUMULATE(p, exact) GW_ACCUMULATE(q, exact)
__global__ void members(real *y, const quad *p, const point *q, const point *w, int n) {
    int t = threadIdx.x;
    real own = w[HERE].q * w[HERE].p[t % 2];
    if (t < n) y[HERE] = p[t].a * p[t].d * q[t / 2].p[0] + q[t / 2].p[t % 2] * q[3].q + own;
}
//= d_p[t].a +=: exact
//= d_p[t].d +=: exact
//= d_q[t / 2].p[0] +=: exact
//= d_q[t / 2].p[t % 2] +=: exact
//= d_q[3].q +=: exact

// In loops, upward and downward; an index that the host may take for less than 0.
JOINED("y wrt x, w") GW_SPLIT_GRADIENT("y wrt x, w") GW_ACCUMULATE(x, exact) GW_ACCUMULATE(w, exact)
__global__ void chains(real *y, const real *x, const real *w, int n, int m) {
    real v = 1;
    for (int j = n - 1; j >= 0; j -= 2) v = sin(v * x[j]) + v;
    for (int j = threadIdx.x; j < n; j += 3) v = v * v * w[j] + w[n - 1];
    if ((int)threadIdx.x < m) v *= w[m - 1 - (int)threadIdx.x];
    y[HERE] = v;
}
//= d_x[j] +=: exact
//= d_w[j] +=: exact
//= d_w[j] +=: exact
//= d_w[m - 1 - j] +=: exact
//= d_x[j] +=: exact
//= d_w[j] +=: exact
//= d_w[j] +=: exact
//= d_w[m - 1 - j] +=: exact

JOINED("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void halved(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i / 2] * x[i / 2];
}
//= d_x[i / 2] +=: exact

// Rows of threads and copies beside them.
JOINED("y wrt x, w, v") GW_ACCUMULATE(x, slots) GW_ACCUMULATE(w, exact) GW_ACCUMULATE(v, copies)
__global__ void beside_others(real *y, const real *x, const real *w, const real *v, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[list[i]] * w[threadIdx.x] * v[threadIdx.x % 4];
}
//= d_x[list[i]] +=: slots
//= d_w[threadIdx.x] +=: exact
//= d_v[threadIdx.x % 4] +=: copies

// One thread for two: a value each.
JOINED("y wrt x, w") GW_ACCUMULATE(w, exact) GW_COARSEN(2)
__global__ void coarsened(real *y, const real *x, const real *w, int n) {
    int t = threadIdx.x;
    real sum = 0;
    for (int j = 0; j < n; j++) sum += w[t + j] * x[HERE] * w[j];
    y[HERE] = sum;
}
//= d_w[t + j] +=: exact
//= d_w[j] +=: exact

// Shared memory and barriers around it.
JOINED("y wrt x, w") GW_ACCUMULATE(w, exact)
__global__ void staged(real *y, const real *x, const real *w, int n) {
    __shared__ real s[8];
    int t = threadIdx.x;
    s[t] = x[HERE] * w[t];
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < n; j++) sum += s[(t + j) % 8] * w[j % 8];
    y[HERE] = sum;
}
//= d_w[t] +=: exact
//= d_w[j % 8] +=: exact

// A sum that several threads read: all of the block settle it together.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void added_to(real *y, const real *x, const int *to, const int *from, int n) {
    __shared__ real s[8], r[8];
    int t = threadIdx.x, i = HERE;
    if (t < 8) s[t] = r[t] = 0;
    __syncthreads();
    atomicAdd(&s[to[i]], x[i] * x[i]);
    __syncwarp();
    if (i % 3) atomicAdd(&r[to[t]], x[i]);
    __syncthreads();
    if (i < n) y[i] = s[from[i]] * s[from[i] / 2] + r[from[i]];
}
//= d_r[from[i]] +=: atomic
//= d_s[from[i]] +=: exact
//= d_s[from[i] / 2] +=: exact

template <int N> JOINED("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void of_template(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i % N] * x[i % N] * x[N];
}
//= d_x[i % 3] +=: exact
//= d_x[3] +=: exact
//= d_x[i % 5] +=: exact
//= d_x[5] +=: exact
template __global__ void of_template<3>(real *, const real *, int);
template __global__ void of_template<5>(real *, const real *, int);

// ---- the caller says how many there are ----

JOINED("y wrt x, q") GW_ACCUMULATE(x, exact) GW_ACCUMULATE(q, exact)
__global__ void gather_two(real *y, const real *x, const point *q, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * q[list[n - 1 - i]].q + q[i].p[i % 2];
}
//= d_x[list[i]] +=: exact
//= d_q[list[n - 1 - i]].q +=: exact

// Loops of which nobody knows how often they run: additions are counted.
JOINED("y wrt w, x") GW_SPLIT_GRADIENT("y wrt w, x") GW_ACCUMULATE(x, exact)
__global__ void csr(real *y, const real *w, const real *x, const int *column, const span *range, int rows) {
    int i = HERE;
    if (i >= rows) return;
    real s = 0;
    for (int j = range[i].x; j < range[i].y; j++) s += w[i] * x[column[j]];
    y[i] = s;
}
//= d_x[column[j]] +=: exact
//= d_x[column[j]] +=: exact

JOINED("y wrt x") GW_ACCUMULATE(x, exact)
__global__ void walk(real *y, const real *x, const int *next, int n) {
    int at = HERE;
    real s = 0;
    while (at < n && next[at] > at) {
        s += x[at] * x[at];
        at = next[at];
    }
    y[HERE] = s;
}
//= d_x[at] +=: exact

// Arrays that members of a struct lead to.
struct grids {
    real *fine, *coarse;
};
JOINED("y wrt g.fine, g.coarse") GW_ACCUMULATE(g.fine, exact) GW_ACCUMULATE(g.coarse, exact)
__global__ void in_struct(real *y, grids g, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = g.fine[list[i]] * g.coarse[i / 4] + g.fine[list[n - 1 - i]];
}
//= d_g.fine[list[i]] +=: exact
//= d_g.coarse[i / 4] +=: exact
//= d_g.fine[list[n - 1 - i]] +=: exact

// Numbers of both types in one array, beside what is none.
struct entry {
    float a;
    int tag;
    real b;
};
JOINED("y wrt e") GW_ACCUMULATE(e, exact)
__global__ void of_two_types(real *y, const entry *e, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = e[list[i]].b * e[list[i]].a * (float)e[list[n - 1 - i]].tag;
}
//= d_e[list[i]].b +=: exact
//= d_e[list[i]].a +=: exact

// The kernel reads and zeroes the adjoint of what it overwrites, before it adds to others.
JOINED("x wrt x") GW_ACCUMULATE(x, exact)
__global__ void in_place(real *x, const int *to, const int *from, int n) {
    int i = HERE;
    if (i < n) x[to[i]] = x[n + from[i]] * x[n + from[i] / 2];
}
//= d_x[n + from[i]] +=: exact
//= d_x[n + from[i] / 2] +=: exact

// A thread's sum of one iteration is there for the next.
JOINED("x wrt x") GW_ACCUMULATE(x, exact)
__global__ void iterations(real *x, const int *to, const int *from, int m, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x)
        if (i < n) x[to[i]] = x[from[i] % m] * 2 + x[n + m];
}
//= d_x[from[i] % m] +=: exact
//= d_x[n + m] +=: exact

// What a block's threads hand over to each other.
JOINED("x wrt x") GW_ACCUMULATE(x, exact)
__global__ void handed_over(real *x, const int *at) {
    int own = 8 * (int)blockIdx.x, i = own + (int)threadIdx.x;
    x[i] = x[i] * 3;
    __syncthreads();
    real v = x[own + at[threadIdx.x]] + x[own + at[threadIdx.x] / 2];
    __syncthreads();
    x[i] = v + x[i];
}
//= d_x[own + at[threadIdx.x]] +=: exact
//= d_x[own + at[threadIdx.x] / 2] +=: exact

// Members that are read are other cells than those that are added to.
JOINED("y, q wrt x, q") GW_ACCUMULATE(q, exact)
__global__ void beside_members(real *y, point *q, const real *x, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = q[at[i]].q * x[i];
    q[i].p[1] = x[i] * x[i];
    y[i] *= q[at[n - 1 - i]].q;
}
//= d_q[at[i]].q +=: exact
//= d_q[at[n - 1 - i]].q +=: exact

// Two indices vary.
JOINED("y wrt a") GW_ACCUMULATE(a, exact)
__global__ void two_indices(real *y, const row *a, const int *at, const int *column, int n) {
    int i = HERE;
    if (i < n) y[i] = a[at[i]].v[column[i]] * a[at[i]].v[column[i]];
}
//= d_a[at[i]].v[column[i]] +=: exact

#include "exact.grad.cuh"

static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list((size_t)n);
    for (int i = 0; i < n; i++)
        list[(size_t)i] = i * factor % below;
    return list;
}
static std::vector<int> shifted(int n, int by) {
    std::vector<int> list = numbers(n, 7, n);
    for (int &at : list)
        at += by;
    return list;
}
static std::vector<int> hashes(int n) {
    std::vector<int> list = numbers(n, 11, 23);
    for (int &h : list)
        h += 100;
    return list;
}

CHECK_FLOAT(bins, bins_wide, 1e-5, 5, 16, out(80), in(8), in(5), active(0.75), given(hashes(80)), 77)
CHECK_KERNEL(members, 5, 9, out(45), in(9), in(5), in(45), 8)
CHECK_KERNEL(chains, 3, 7, out(21), in(6), in(6), 6, 5)
CHECK_KERNEL(halved, 2, 32, out(64), in(3), 5)
CHECK_KERNEL(beside_others, 3, 8, out(24), in(9), in(8), in(4), given(numbers(24, 5, 9)), 23)
CHECK_KERNEL(coarsened, 3, 8, out(24), in(24), in(12), 5)
CHECK_KERNEL(added_to, 3, 32, out(96), in(96), given(numbers(96, 7, 8)), given(numbers(96, 3, 8)), 90)
CHECK_KERNEL(staged, 3, 8, out(24), in(24), in(8), 11)
CHECK_INSTANCE_JOINED(of_3, of_template, (3), 3, 8, 0, out(24), in(4), 23)
CHECK_INSTANCE_JOINED(of_5, of_template, (5), 3, 8, 0, out(24), in(6), 23)

/* `cells`: how many there are, in round brackets. */
#define TOLD_CASE(name, cells, grid, block, ...)                                                               \
    CHECK_TOLD(name, name, name, 1e-8, grid, block, cells, __VA_ARGS__)

static const std::vector<span> spans = {{0, 9}, {9, 9}, {30, 20}, {5, 40}, {2, 3}, {0, 0}, {44, 50}};

TOLD_CASE(gather_two, (9, 40), 5, 8, out(40), in(9), in(40), given(numbers(40, 7, 9)), 39)
TOLD_CASE(csr, (9), 2, 4, out(7), in(7), in(9), given(numbers(50, 5, 9)), given(spans), 7)
TOLD_CASE(walk, (24), 3, 8, out(24), in(24), given(numbers(24, 5, 24)), 22)
TOLD_CASE(in_place, (41), 3, 8, inout(41), given(numbers(24, 7, 24)), given(numbers(24, 5, 9)), 24)
CHECK_KERNEL(iterations, 2, 5, inout(33), given(shifted(24, 8)), given(numbers(24, 5, 9)), 8, 24)
TOLD_CASE(handed_over, (32), 4, 8, inout(32), given(numbers(8, 5, 8)))
TOLD_CASE(beside_members, (24), 3, 8, out(24), inout(24), in(24), given(numbers(24, 5, 9)), 23)
TOLD_CASE(two_indices, (5), 3, 8, out(24), in(5), given(numbers(24, 7, 5)), given(numbers(24, 3, 4)), 23)

static std::vector<real> reals(int n) {
    std::vector<real> list((size_t)n);
    for (int i = 0; i < n; i++)
        list[(size_t)i] = 0.5 + i * 5 % 9 / 10.0;
    return list;
}

enum { FLOAT_BYTES = 80, BYTES = 544 }; // an accumulator's

TEST(halves) {
    const int n = 7;
    const std::vector<real> ones(n, 1.0), zeros(9, 0.0);
    check::array<real> y(ones), w(reals(n)), x(reals(9)), d_y(ones), again(ones), d_w(zeros), d_x(zeros),
        want_w(zeros), want_x(zeros);
    check::array<int> column(numbers(50, 5, 9));
    check::array<span> range(spans);
    check::device_bytes space(csr_workspace_bytes(2, 4, y, w, x, column, range, n, 9)),
        tape(csr_tape_bytes(2, 4, y, w, x, column, range, n)),
        sums(csr_bwd_workspace_bytes(2, 4, y, w, x, column, range, n, 9));
    EXPECT(sums.size() == 16 + 9 * BYTES);
    EXPECT_STATUS(csr_grad_launch(2, 4, 0, 0, y, w, x, column, range, n, again, want_w, want_x, 9, space.data(),
                                  space.size()),
                  GW_OK);
    EXPECT_STATUS(csr_fwd_launch(2, 4, 0, 0, y, w, x, column, range, n, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(csr_bwd_launch(2, 4, 0, 0, y, w, x, column, range, n, d_y, d_w, d_x, 9, tape.data(),
                                 tape.size(), sums.data(), sums.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == want_x.get() && d_x.get() != zeros && d_w.get() == want_w.get());
}

// Each array that a member leads to has its cells.
TEST(members_of_structs) {
    const int n = 23;
    const std::vector<real> ones((size_t)n, 1.0);
    const std::vector<int> at = numbers(n, 7, 9);
    check::array<real> y(ones), fine(reals(9)), coarse(reals(6)), d_y(ones), d_fine(std::vector<real>(9, 0.0)),
        d_coarse(std::vector<real>(6, 0.0));
    check::array<int> list(at);
    const grids g = {fine, coarse}, d_g = {d_fine, d_coarse};
    check::device_bytes space(in_struct_workspace_bytes(3, 8, y, g, list, n, 9));
    EXPECT(space.size() == 16 + 9 * BYTES + 16 + 6 * BYTES);
    EXPECT_STATUS(in_struct_grad_launch(3, 8, 0, 0, y, g, list, n, d_y, d_g, 9, space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> want_fine(9, 0.0), want_coarse(6, 0.0);
    for (int i = 0; i < n; i++) {
        want_fine[(size_t)at[(size_t)i]] += reals(6)[(size_t)(i / 4)];
        want_fine[(size_t)at[(size_t)(n - 1 - i)]] += 1;
        want_coarse[(size_t)(i / 4)] += reals(9)[(size_t)at[(size_t)i]];
    }
    for (size_t i = 0; i < 9; i++)
        EXPECT_NEAR(d_fine.get()[i], want_fine[i], 1e-13);
    for (size_t i = 0; i < 6; i++)
        EXPECT_NEAR(d_coarse.get()[i], want_coarse[i], 1e-13);
}

// What is no number keeps its bytes.
TEST(numbers_of_two_types) {
    const int n = 20;
    const std::vector<int> at = numbers(n, 7, 9);
    const std::vector<real> ones((size_t)n, 1.0);
    std::vector<entry> values, zeros;
    for (int i = 0; i < 9; i++)
        values.push_back({0.25f * (float)i, i % 4 - 1, 1.0 / (i + 1)}), zeros.push_back({0, i, 0});
    check::array<real> y(ones), d_y(ones);
    check::array<entry> e(values), d_e(zeros);
    check::array<int> list(at);
    check::device_bytes space(of_two_types_workspace_bytes(3, 8, y, e, list, n, 9));
    EXPECT(space.size() == 16 + 9 * 4 * FLOAT_BYTES + 16 + 9 * 2 * BYTES);
    EXPECT_STATUS(of_two_types_grad_launch(3, 8, 0, 0, y, e, list, n, d_y, d_e, 9, space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> a(9, 0.0), b(9, 0.0);
    for (int i = 0; i < n; i++) {
        const size_t own = (size_t)at[(size_t)i];
        const int tag = values[(size_t)at[(size_t)(n - 1 - i)]].tag;
        a[own] += (real)(float)(values[own].b * tag), b[own] += values[own].a * tag;
    }
    for (size_t i = 0; i < 9; i++) {
        EXPECT_NEAR(d_e.get()[i].a, a[i], 1e-6);
        EXPECT_NEAR(d_e.get()[i].b, b[i], 1e-13);
        EXPECT(d_e.get()[i].tag == (int)i);
    }
}

// What it takes; nothing is added where it does not serve, nor where the array has no cells.
TEST(workspace) {
    check::array<real> y(std::vector<real>(24, 1.0)), x(reals(20)), w(reals(9)),
        d_y(std::vector<real>(24, 1.0)), d_x(std::vector<real>(20, 0.0));
    check::array<int> at(numbers(24, 7, 5)), column(numbers(24, 3, 4));
    const row *a = (const row *)x.data();
    row *d_a = (row *)d_x.data();
    const size_t bytes = two_indices_workspace_bytes(3, 8, y, a, at, column, 23, 5);
    EXPECT(bytes == 16 + 5 * 4 * BYTES);
    EXPECT(two_indices_workspace_bytes(3, 8, y, a, at, column, 23, 0) == 0);
    EXPECT(two_indices_workspace_bytes(3, 8, y, a, at, column, 23, SIZE_MAX / 4) == SIZE_MAX);
    check::device_bytes space(bytes + 32);
    EXPECT_STATUS(
        two_indices_grad_launch(3, 8, 0, 0, y, a, at, column, 23, d_y, d_a, 5, space.data(), bytes - 1),
        GW_ERROR_WORKSPACE);
    EXPECT_STATUS(
        two_indices_grad_launch(3, 8, 0, 0, y, a, at, column, 23, d_y, d_a, SIZE_MAX / 4, space.data(), bytes),
        GW_ERROR_WORKSPACE);
    EXPECT_STATUS(two_indices_grad_launch(3, 8, 0, 0, y, a, at, column, 23, d_y, d_a, 5, nullptr, bytes),
                  GW_ERROR_WORKSPACE);
    EXPECT(d_y.get() == std::vector<real>(24, 1.0) && d_x.get() == std::vector<real>(20, 0.0));
    EXPECT_STATUS(two_indices_grad_launch(3, 8, 0, 0, y, a, at, column, 0, d_y, d_a, 0, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == std::vector<real>(20, 0.0));
    std::vector<real> first;
    for (size_t from = 0; from < 32; from += GW_WORKSPACE_ALIGNMENT) { // wherever it begins
        check::array<real> seed(std::vector<real>(24, 1.0)), got(std::vector<real>(20, 0.0));
        space.fill(0x55);
        EXPECT_STATUS(two_indices_grad_launch(3, 8, 0, 0, y, a, at, column, 23, seed, (row *)got.data(), 5,
                                              (char *)space.data() + from, bytes),
                      GW_OK);
        EXPECT_DEVICE_OK();
        if (!from) first = got.get();
        EXPECT(got.get() == first && first != std::vector<real>(20, 0.0));
        std::vector<unsigned char> behind(32 - from);
        check::cuda_ok(cudaMemcpy(behind.data(), (char *)space.data() + from + bytes, behind.size(),
                                  cudaMemcpyDeviceToHost));
        for (unsigned char byte : behind)
            EXPECT(byte == 0x55);
    }
}

// The host takes an array for longer than it is where threads behind its end leave: what is not added to is not
// touched.
TEST(longer_than_the_array) {
    const int n = 5;
    check::array<real> y(std::vector<real>(64, 1.0)), x(reals(4)), d_y(std::vector<real>(64, 1.0));
    check::array<real> d_x(std::vector<real>(64, -0.0));
    check::device_bytes space(halved_workspace_bytes(2, 32, y, x, n));
    EXPECT(space.size() == 16 + 32 * BYTES);
    EXPECT_STATUS(halved_grad_launch(2, 32, 0, 0, y, x, n, d_y, d_x, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 3; i++)
        EXPECT(d_x.get()[i] != 0);
    for (size_t i = 3; i < 64; i++)
        EXPECT(std::signbit(d_x.get()[i]));
}
TEST_MAIN
