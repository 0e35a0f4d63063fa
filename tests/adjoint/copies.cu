// Arrays that blocks share, of which blocks take turns at copies: asked for, and (at the end) by themselves,
// where a launch without workspace does without. What is refused: tests/refused/no_copies.cu.
#include "../support/check.cuh"

typedef double real;
struct quad {
    real a, b, c, d;
};
CHECK_CELLS(quad, CHECK_CELL(quad, a), CHECK_CELL(quad, b), CHECK_CELL(quad, c), CHECK_CELL(quad, d))
struct point {
    real p[2], q;
};
CHECK_CELLS(point, CHECK_CELL(point, p[0]), CHECK_CELL(point, p[1]), CHECK_CELL(point, q))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// A block a row: longer than the block, shorter, and none of it.
JOINED("y wrt x, gain, bias") GW_ACCUMULATE(gain, copies) GW_ACCUMULATE(bias, copies)
__global__ void scale_rows(real *y, const real *x, const real *gain, const real *bias, int width) {
    const real *row = x + blockIdx.x * width;
    for (int k = threadIdx.x; k < width; k += blockDim.x) y[blockIdx.x * width + k] = row[k] * row[k] * gain[k] + bias[k];
}
//= d_gain[k] +=: copies
//= d_bias[k] +=: copies

// A warp a row: the warps meet in each cell, and sum in the block's shared memory; one has no row.
JOINED("y wrt x, gain, bias") GW_ACCUMULATE(gain, copies) GW_ACCUMULATE(bias, copies)
__global__ void scale_by_warps(real *y, const real *x, const real *gain, const real *bias, int rows,
                               int width) {
    const int row = HERE / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    for (int k = lane; k < width; k += 32) y[row * width + k] = x[row * width + k] * gain[k] + bias[k];
}
//= d_gain[k] +=: copies
//= d_bias[k] +=: copies

// The same without a row's own numbers: the loop is turned round, its variable made of a quotient by a length that only the launch knows.
JOINED("y wrt gain") GW_ACCUMULATE(gain, copies)
__global__ void weigh_rows(real *y, const real *gain, const real *x, int width) {
    for (int k = threadIdx.x; k < width; k += blockDim.x) y[blockIdx.x * width + k] = gain[k] * x[blockIdx.x * width + k];
}
//= d_gain[k] +=: copies

// Two additions to one array, of which the host knows different bounds; some threads add nothing.
JOINED("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void two_places(real *y, const real *x, int n, int m) {
    int t = threadIdx.x;
    if (HERE % 3 != 1) y[HERE] = x[t] * x[2 * t + 1];
    else if (t < n) y[HERE] = x[m - 1 - t] * x[t];
}
//= d_x[t] +=: copies
//= d_x[2 * t + 1] +=: copies
//= d_x[m - 1 - t] +=: copies
//= d_x[t] +=: copies

// What memory says, cut to a few.
JOINED("y wrt x, w, v, u") GW_ACCUMULATE(x, copies) GW_ACCUMULATE(w, copies) GW_ACCUMULATE(v, copies) GW_ACCUMULATE(u, copies)
__global__ void bins(real *y, const real *x, const real *w, const real *v, const real *u, const int *hash, const unsigned *key, int n) {
    int i = HERE, h = hash[i];
    if (i < n) y[i] = x[h & 7] * w[key[i] % 6] * v[min(max(h, 0), 4)] * u[h % 2 ? 1u : (unsigned)h % 5];
}
//= d_x[h & 7] +=: copies
//= d_w[key[i] % 6] +=: copies
//= d_v[min(max(h, 0), 4)] +=: copies
//= d_u[...] +=: copies

// Members of structs, and of arrays in them.
JOINED("y wrt p, q") GW_ACCUMULATE(p, copies) GW_ACCUMULATE(q, copies)
__global__ void members(real *y, const quad *p, const point *q, int n) {
    int t = threadIdx.x;
    if (t < n) y[HERE] = p[t].a * p[t].d * q[t / 2].p[0] + q[t / 2].p[1] * q[3].q;
}
//= d_p[t].a +=: copies
//= d_p[t].d +=: copies
//= d_q[t / 2].p[0] +=: copies
//= d_q[t / 2].p[1] +=: copies
//= d_q[3].q +=: copies

// One cell; numbers of both widths, unsigned and 64-bit indices, behind each other in one launch.
JOINED("y wrt k, f, u, w") GW_ACCUMULATE(k, copies) GW_ACCUMULATE(f, copies) GW_ACCUMULATE(u, copies) GW_ACCUMULATE(w, copies)
__global__ void all_kinds(real *y, real k, const float *f, const real *u, const real *w, size_t n, unsigned m) {
    real sum = 0;
    for (size_t j = threadIdx.x; j < n; j += blockDim.x) sum += w[j] * w[j] * k;
    for (unsigned j = 0; j < m; j++) sum += u[j + threadIdx.x / 2] * f[j];
    y[HERE] = sum;
}
//= d_k[0] +=: copies
//= d_f[j] +=: copies
//= d_u[j + threadIdx.x / 2] +=: copies
//= d_w[j] +=: copies
__global__ void all_kinds_wide(real *y, real k, const real *f, const real *u, const real *w, size_t n, unsigned m) {
    real sum = 0;
    for (size_t j = threadIdx.x; j < n; j += blockDim.x) sum += w[j] * w[j] * k;
    for (unsigned j = 0; j < m; j++) sum += u[j + threadIdx.x / 2] * f[j];
    y[HERE] = sum;
}

// Downward, and in a loop whose records are taken the other way round.
JOINED("y wrt x, w") GW_SPLIT_GRADIENT("y wrt x, w") GW_ACCUMULATE(x, copies) GW_ACCUMULATE(w, copies)
__global__ void chains(real *y, const real *x, const real *w, int n) {
    real v = 1;
    for (int j = n - 1; j >= 0; j -= 2) v = sin(v * x[j]) + v;
    for (int j = threadIdx.x; j < n; j += 3) v = v * v * w[j] + w[n - 1];
    y[HERE] = v;
}
//= d_x[j] +=: copies
//= d_w[j] +=: copies
//= d_w[j] +=: copies
//= d_x[j] +=: copies
//= d_w[j] +=: copies
//= d_w[j] +=: copies

// A bound that is less than 0, or cells by the thousand: what blocks add goes to the array itself.
JOINED("y wrt x") GW_ACCUMULATE(x, copies)
__global__ void perhaps_below(real *y, const real *x, int m) {
    int t = threadIdx.x;
    if (t < m) y[HERE] = x[m - 1 - t] * x[m - 1 - t];
}
//= d_x[m - 1 - t] +=: copies

// Rows of threads beside them.
JOINED("y wrt x, w") GW_ACCUMULATE(x, slots) GW_ACCUMULATE(w, copies)
__global__ void beside_rows(real *y, const real *x, const real *w, const int *list, int n) {
    int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[list[i]] * w[threadIdx.x];
}
//= d_x[list[i]] +=: slots
//= d_w[threadIdx.x] +=: copies

// One thread for two.
JOINED("y wrt x, w") GW_ACCUMULATE(w, copies) GW_COARSEN(2)
__global__ void coarsened(real *y, const real *x, const real *w, int n) {
    int t = threadIdx.x;
    real sum = 0;
    for (int j = 0; j < n; j++) sum += w[t + j] * x[HERE] * w[t + j];
    y[HERE] = sum;
}
//= d_w[t + j] +=: copies

// By itself; the tape takes a workspace. Not where the block tells the cell.
JOINED("y wrt x, w")
__global__ void recorded(real *y, const real *x, const real *w, int n, int width) {
    real v = x[threadIdx.x];
    for (int j = 0; j < n; j++) v = sin(v * v) * 0.5 + x[threadIdx.x];
    y[HERE] = v * w[threadIdx.x % 4] + w[blockIdx.x / 512 * width + threadIdx.x];
}
//= d_x[threadIdx.x] +=: copies
//= d_w[threadIdx.x % 4] +=: copies
//= d_w[blockIdx.x / 512 * width + threadIdx.x] +=: atomic

// The same where copies are all that the workspace has: the kernel can be launched without one.
JOINED("y wrt x, w")
__global__ void scale_one(real *y, const real *x, const real *w) { y[HERE] = x[HERE] * w[threadIdx.x % 4]; }
//= d_w[threadIdx.x % 4] +=: copies

// A kernel that does not ask for its block is made for one.
JOINED("y wrt x, w")
__global__ void one_block(real *y, const real *x, const real *w) {
    const int t = threadIdx.x;
    y[t] = x[t] * w[t % 4];
}
//= d_x[t] +=: atomic
//= d_w[t % 4] +=: atomic

template <int N> JOINED("y wrt x, w")
__global__ void scale_any(real *y, const real *x, const real *w) { y[HERE] = x[HERE] * w[threadIdx.x % N]; }
template __global__ void scale_any<4>(real *, const real *, const real *);
//= d_w[threadIdx.x % 4] +=: copies

#include "copies.grad.cuh"

static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list((size_t)n);
    for (int i = 0; i < n; i++) list[(size_t)i] = i * factor % below;
    return list;
}
static std::vector<unsigned> keys(int n) {
    std::vector<unsigned> list((size_t)n);
    for (int i = 0; i < n; i++) list[(size_t)i] = 4000000000u + 7u * (unsigned)i;
    return list;
}
static std::vector<real> reals(int n) {
    std::vector<real> list((size_t)n);
    for (int i = 0; i < n; i++) list[(size_t)i] = 0.5 + i * 5 % 9 / 10.0;
    return list;
}
static std::vector<int> hashes(int n) {
    std::vector<int> list = numbers(n, 11, 23);
    for (int &h : list) h -= 6;
    return list;
}

CHECK_KERNEL(scale_rows, 3, 8, out(3 * 21), in(3 * 21), in(21), in(21), 21)
CHECK_KERNEL(scale_by_warps, 3, 96, out(8 * 37), in(8 * 37), in(37), in(37), 8, 37)
CHECK_KERNEL(weigh_rows, 3, 8, out(3 * 21), in(21), fixed(3 * 21, 0.5, 1.5), 21)
CHECK_CASE(scale_short_rows, scale_rows, scale_rows, 1e-8, 70, 8, out(70 * 5), in(70 * 5), in(5), in(5), 5)
CHECK_CASE(scale_one_row, scale_rows, scale_rows, 1e-8, 1, 8, out(21), in(21), in(21), in(21), 21)
CHECK_KERNEL(two_places, 4, 12, out(48), in(25), 7, 19)
CHECK_KERNEL(bins, 5, 16, out(80), in(8), in(6), in(5), in(5), given(hashes(80)), given(keys(80)), 77)
CHECK_KERNEL(members, 5, 9, out(45), in(9), in(5), 8)
CHECK_FLOAT(all_kinds, all_kinds_wide, 1e-4, 3, 8, out(24), active(0.75), in(6), in(9), in(11), (size_t)11, 6u)
CHECK_KERNEL(chains, 3, 7, out(21), in(6), in(6), 6)
CHECK_KERNEL(perhaps_below, 3, 8, out(24), in(5), 5)
CHECK_KERNEL(beside_rows, 3, 8, out(24), in(9), in(8), given(numbers(24, 5, 9)), 23)
CHECK_KERNEL(coarsened, 3, 8, out(24), in(24), in(12), 5)
CHECK_KERNEL(recorded, 3, 4, out(12), in(4), in(24), 100, 4)
CHECK_KERNEL(scale_one, 3, 8, out(24), in(24), in(4))
CHECK_KERNEL(one_block, 1, 8, out(8), in(8), in(4))
CHECK_INSTANCE_JOINED(scale_any_4, scale_any, (4), 3, 8, 0, out(24), in(24), in(4))

// Rows that are longer than a block's sums, too.
static check::registration of_sums("sums", [](check::trial &trial) {
    for (const int width : {1536, 1537}) {
        const int rows = 6;
        const size_t cells = (size_t)(rows * width);
        std::vector<double> values(cells), seeds(cells), along((size_t)width), all((size_t)width);
        for (size_t k = 0; k < cells; k++) {
            values[k] = (double)(k % 7), seeds[k] = (double)(k % 5);
            along[k % (size_t)width] += seeds[k] * values[k], all[k % (size_t)width] += seeds[k];
        }
        const std::vector<double> none(cells);
        check::array<double> y(none), x(values), gain(all), bias(all), d_y(seeds), d_x(none);
        check::array<double> d_gain(std::vector<double>((size_t)width)), d_bias(d_gain.get());
        const size_t bytes = scale_by_warps_workspace_bytes(2, 96, y, x, gain, bias, rows, width);
        check::array<char> workspace(std::vector<char>(bytes + 1));
        EXPECT_STATUS(scale_by_warps_grad_launch(2, 96, 0, 0, y, x, gain, bias, rows, width, d_y, d_x, d_gain,
                                                 d_bias, workspace, bytes),
                      GW_OK);
        EXPECT(bytes > 0 && d_bias.get() == all && d_gain.get() == along);
    }
});

// The workspace shows the copies: a launch with few cells has them, others have none.
static size_t bytes_of(dim3 grid, int width) { return scale_rows_workspace_bytes(grid, 8, nullptr, nullptr, nullptr, nullptr, width); }
TEST(how_many) {
    EXPECT(bytes_of(1, 21) == 0);                                 /* no block to take turns with */
    EXPECT(bytes_of(3, 0) == 2 * 2 * 8 * sizeof(real));           /* of one cell, though the loop never runs */
    EXPECT(bytes_of(3, 21) == 2 * 2 * 24 * sizeof(real));         /* no more than blocks, a power of two */
    EXPECT(bytes_of(4, 21) == 2 * 4 * 24 * sizeof(real));
    EXPECT(bytes_of(dim3(50, 40), 21) == 2 * 256 * 24 * sizeof(real));
    EXPECT(bytes_of(5000, 1024) == 2 * 8 * 1024 * sizeof(real));
    EXPECT(bytes_of(5000, 4096) == 2 * 2 * 4096 * sizeof(real));
    EXPECT(bytes_of(5000, 4097) == 0);                            /* a second copy would be beyond what all slices need */
    EXPECT(bytes_of(5000, 2147483647) == 0);
    EXPECT(bytes_of(3, -5) == bytes_of(3, 0));
    EXPECT(weigh_rows_workspace_bytes(3, 8, nullptr, nullptr, nullptr, 21) == 2 * 24 * sizeof(real)); /* 8 threads, 3 trips at most */
    EXPECT(perhaps_below_workspace_bytes(3, 8, nullptr, nullptr, 5) == 0);
    EXPECT(perhaps_below_workspace_bytes(3, 8, nullptr, nullptr, 8) == 2 * 8 * sizeof(real));
    const size_t tape = recorded_workspace_bytes(1, 4, nullptr, nullptr, nullptr, 100, 4), one = 1023 * tape;
    EXPECT(recorded_workspace_bytes(1023, 4, nullptr, nullptr, nullptr, 100, 4) == one);
    const size_t more = recorded_workspace_bytes(1024, 4, nullptr, nullptr, nullptr, 100, 4) - one - tape;
    EXPECT(more == 2 * 256 * 8 * sizeof(real) || more == 0); /* 0: in the build in which every update is atomic; who takes copies is in the table above */
}

// So many blocks that copies are taken without a mark: twice what half of them do, which take none.
TEST(by_itself) {
    const int blocks = 1030, n = 100;
    const std::vector<real> seeds(4 * blocks, 1.0), zeros(4, 0.0);
    check::array<real> y(seeds), d_y(seeds), x(reals(4)), w(reals(4)), d_x(zeros), d_w(zeros), half_x(zeros), half_w(zeros);
    check::device_bytes space(recorded_workspace_bytes(blocks, 4, y, x, w, n, 0));
    space.fill(0xA5);
    EXPECT_STATUS(recorded_grad_launch(blocks, 4, 0, 0, y, x, w, n, 0, d_y, d_x, d_w, space.data(), space.size()), GW_OK);
    d_y.set(seeds);
    EXPECT_STATUS(recorded_grad_launch(blocks / 2, 4, 0, 0, y, x, w, n, 0, d_y, half_x, half_w, space.data(), space.size()), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 4; i++) {
        EXPECT(half_w.get()[i] != 0);
        EXPECT_NEAR(d_x.get()[i] / half_x.get()[i], 2, 1e-10);
        EXPECT_NEAR(d_w.get()[i] / half_w.get()[i], 2, 1e-10);
    }
}

// With a workspace, with none, and launched as a kernel: the same sums. One that is too small, or where no double
// can lie, is refused as ever.
TEST(spare) {
    const int blocks = 1024, cells = 4 * blocks;
    const std::vector<real> seeds(cells, 1.0), zeros(4, 0.0), old(cells, 0.0);
    std::vector<real> values(cells), want(4, 0.0);
    for (int i = 0; i < cells; i++) want[i % 4] += values[i] = i % 7 + 1;
    check::array<real> y(seeds), x(values), w(reals(4)), d_y(seeds), d_x(old), d_w(zeros);
    const size_t bytes = scale_one_workspace_bytes(blocks, 4, y, x, w);
    /* 0: in the build in which every update is atomic */
    EXPECT(bytes == 256 * 8 * sizeof(real) || bytes == 0);
    EXPECT(scale_one_workspace_bytes(blocks - 1, 4, y, x, w) == 0);
    const std::vector<unsigned char> filler(bytes + 8, 0xA5);
    check::array<unsigned char> space(filler);
    unsigned char *const begin = space;
    struct {
        unsigned char *at;
        size_t size;
        bool taken;
    } given[] = {{begin, bytes, true}, {begin, bytes + 8, true}, {nullptr, 0, false}};
    for (const auto &g : given) {
        space.set(filler), d_y.set(seeds), d_w.set(zeros);
        const gw_status status = scale_one_grad_launch(blocks, 4, 0, 0, y, x, w, d_y, d_x, d_w, g.at, g.size);
        EXPECT_STATUS(status, GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(d_w.get() == want);
        EXPECT((space.get() != filler) == (g.taken && bytes));
    }
    for (size_t off : {0, 4}) {
        const size_t size = off ? bytes : bytes - 1;
        if (bytes == 0) break;
        d_y.set(seeds), d_w.set(zeros);
        EXPECT_STATUS(scale_one_grad_launch(blocks, 4, 0, 0, y, x, w, d_y, d_x, d_w, begin + off, size),
                      GW_ERROR_WORKSPACE);
        EXPECT(d_w.get() == zeros);
    }
    d_y.set(seeds), d_w.set(zeros);
    scale_one_grad<<<blocks, 4>>>(y, x, w, d_y, d_x, d_w);
    EXPECT_DEVICE_OK();
    EXPECT(d_w.get() == want);
    /* as by the runtime's own call, which counts no arguments */
    d_y.set(seeds), d_w.set(zeros);
    real *at[] = {y, x, w, d_y, d_x, d_w};
    void *arguments[] = {&at[0], &at[1], &at[2], &at[3], &at[4], &at[5]};
#ifdef GRADWRIGHT_COPIES_CUH // not while the tool reads the source, to which the kernel is a template
    void (*const kernel)(real *, const real *, const real *, real *, real *, real *) = scale_one_grad;
    EXPECT(cudaLaunchKernel((const void *)kernel, blocks, 4, arguments, 0, 0) == cudaSuccess);
#endif
    EXPECT_DEVICE_OK();
    EXPECT(d_w.get() == want);
}

TEST(too_little) {
    check::array<real> y(reals(24)), x(reals(24)), gain(reals(8)), bias(reals(8)), d_y(reals(24)), d_x(reals(24)), d_gain(reals(8)), d_bias(reals(8));
    const size_t bytes = scale_rows_workspace_bytes(3, 8, y, x, gain, bias, 8);
    check::device_bytes space(bytes);
    EXPECT_STATUS(scale_rows_grad_launch(3, 8, 0, 0, y, x, gain, bias, 8, d_y, d_x, d_gain, d_bias, space.data(), bytes - 1), GW_ERROR_WORKSPACE);
    EXPECT(d_gain.get() == reals(8));
    EXPECT_STATUS(scale_rows_grad_launch(3, 8, 0, 0, y, x, gain, bias, 8, d_y, d_x, d_gain, d_bias, space.data(), bytes), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_gain.get() != reals(8));
}

// The second half has its copies in a workspace of its own.
TEST(halves) {
    const int n = 6;
    check::array<real> y(reals(21)), x(reals(n)), w(reals(n)), d_y(reals(21)), again(reals(21)), d_x(reals(n)), d_w(reals(n)), want_x(reals(n)), want_w(reals(n));
    check::device_bytes space(chains_workspace_bytes(3, 7, y, x, w, n)), tape(chains_tape_bytes(3, 7, y, x, w, n));
    const size_t bytes = chains_bwd_workspace_bytes(3, 7, y, x, w, n);
    check::device_bytes copies(bytes);
    copies.fill(0xA5);
    EXPECT(bytes > 0);
    EXPECT_STATUS(chains_grad_launch(3, 7, 0, 0, y, x, w, n, again, want_x, want_w, space.data(), space.size()), GW_OK);
    EXPECT_STATUS(chains_fwd_launch(3, 7, 0, 0, y, x, w, n, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(chains_bwd_launch(3, 7, 0, 0, y, x, w, n, d_y, d_x, d_w, tape.data(), tape.size(), copies.data(), bytes - 1), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(chains_bwd_launch(3, 7, 0, 0, y, x, w, n, d_y, d_x, d_w, tape.data(), tape.size(), copies.data(), bytes), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < n; i++) {
        EXPECT_NEAR(d_x.get()[i], want_x.get()[i], 1e-10);
        EXPECT_NEAR(d_w.get()[i], want_w.get()[i], 1e-10);
    }
}
TEST_MAIN
