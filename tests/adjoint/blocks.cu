// Cells that the threads of a block add to, and no other block does: summed over the block, and added by one
// thread without an atomic (rewriters/accumulate/grid.c), on request and with --deterministic. First what must
// stay atomic, or take another rung. The table of decisions with --prefer=block is checked by
// tests/ownership/decisions.py; only what several threads add to is of interest in it.
#include "../support/check.cuh"

typedef double real;
struct quad {
    real a, b, c, d;
};
CHECK_CELLS(quad, CHECK_CELL(quad, a), CHECK_CELL(quad, b), CHECK_CELL(quad, c), CHECK_CELL(quad, d))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- what must not be one block's plain addition ----

// Two blocks have one cell.
BOTH("y wrt x, k")
__global__ void half_as_many(real *y, const real *x, const real *k, int n) {
    int i = HERE;
    real own = k[blockIdx.x / 2];
    if (i < n) y[i] = x[i] * own * own;
}
//= d_k[blockIdx.x / 2] +=: warp

// The neighbour's block has it, too.
BOTH("y wrt k")
__global__ void neighbours(real *y, const real *k, int n) {
    int i = HERE;
    real own = k[blockIdx.x], next = k[blockIdx.x + 1];
    if (i < n) y[i] = own * next;
}
//= d_k[blockIdx.x] +=: warp
//= d_k[blockIdx.x + 1] +=: warp

// No other block comes to these cells, but its own threads do at another place, each at one of two.
BOTH("y wrt k")
__global__ void elsewhere(real *y, const real *k, int n) {
    int i = HERE, first = 2 * (int)blockIdx.x;
    real own = k[first];
    if (i < n) y[i] = own * own * k[first + (int)(threadIdx.x & 1)];
}
//= d_k[first] +=: grid
//= d_k[first + (threadIdx.x & 1)] +=: atomic

// The cell is known in a branch only, which the first warps do not take.
BOTH("y wrt x, k")
__global__ void later_warps(real *y, const real *x, const real *k, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (threadIdx.x >= 40) v *= k[4 * blockIdx.x + at[0]];
    y[i] = v;
}
//= d_k[4 * blockIdx.x + ...] +=: warp

// Threads leave a loop at different times, so the block does not come together.
BOTH("y wrt x, k")
__global__ void by_length(real *y, const real *x, const real *k, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < (int)threadIdx.x % 4; j++) sum += k[8 * (int)blockIdx.x + j] * x[i] * (j + 1);
    y[i] = sum;
}
//= d_k[8 * blockIdx.x + j] +=: warp

// ---- one plain addition a block ----
BOTH("y wrt x, k") GW_ACCUMULATE(k, block)
__global__ void one_a_block(real *y, const real *x, const real *k, int n) {
    int i = HERE;
    real own = k[blockIdx.x];
    if (i < n) y[i] = x[i] * own * own;
}
//= d_k[blockIdx.x] +=: block

// Fields of one struct are summed together.
BOTH("y wrt x, q") GW_ACCUMULATE(q, block)
__global__ void record(real *y, const real *x, const quad *q, int n) {
    int i = HERE;
    quad own = q[blockIdx.x];
    if (i < n) y[i] = own.a * x[i] + own.b * x[i] * x[i] + own.c * own.d;
}
//= d_q[blockIdx.x].a +=: block
//= d_q[blockIdx.x].b +=: block
//= d_q[blockIdx.x].c +=: block
//= d_q[blockIdx.x].d +=: block

// A row of the block's own: constants tell its cells apart; j and m may be one number, so they are not summed
// together.
BOTH("y wrt k") GW_ACCUMULATE(k, block)
__global__ void row(real *y, const real (*k)[8], int m, int n) {
    int i = HERE;
    real sum = k[blockIdx.x][1] * k[blockIdx.x][2] * (i % 7);
    for (int j = 0; j < 3; j++) {
        real a = k[blockIdx.x][j], b = k[blockIdx.x][m];
        if ((i + j) % 4 != 2) sum += a * a * b;
    }
    if (i < n) y[i] = sum;
}
//= d_k[blockIdx.x][1] +=: block
//= d_k[blockIdx.x][2] +=: block
//= d_k[blockIdx.x][j] +=: block
//= d_k[blockIdx.x][m] +=: block

// Planes of blocks; a barrier of the kernel's own between two sums.
BOTH("y wrt x, k") GW_ACCUMULATE(k, block)
__global__ void planes(real *y, const real *x, const real *k, int n) {
    __shared__ real s[256];
    int block = blockIdx.y * gridDim.x + blockIdx.x, t = threadIdx.y * blockDim.x + threadIdx.x,
        threads = blockDim.x * blockDim.y;
    real own = k[block];
    s[t] = x[block * threads + t] * own;
    __syncthreads();
    real other = s[threads - 1 - t];
    if (t < n) y[block * threads + t] = other * other * k[block];
}
//= d_k[block] +=: block

// A shared array of which the threads have all cells.
BOTH("y wrt x") GW_ACCUMULATE(s, block)
__global__ void shared_cells(real *y, const real *x, int n) {
    __shared__ real s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = x[4 * (int)blockIdx.x + (int)threadIdx.x];
    if (blockDim.x < 4 && threadIdx.x == 0)
        for (int c = blockDim.x; c < 4; c++) s[c] = 0.5;
    __syncthreads();
    int i = HERE;
    real own = (threadIdx.x % 5) * s[0] * s[1] + s[2] * s[3];
    if (threadIdx.x % 3 != 1) own *= s[n & 3];
    if (i < n) y[i] = own;
}
//= d_s[0] +=: block
//= d_s[1] +=: block
//= d_s[2] +=: block
//= d_s[3] +=: block
//= d_s[n & 3] +=: block

// Bodies of a tile, of which each thread passes over some; the last tile has fewer.
struct body {
    real x, y, m;
    int kind;
};
CHECK_CELLS(body, CHECK_CELL(body, x), CHECK_CELL(body, y), CHECK_CELL(body, m))
BOTH("f wrt b") GW_ACCUMULATE(s, block)
__global__ void bodies(real *f, const body *b, int n) {
    __shared__ body s[64];
    int i = HERE;
    body me = b[min(i, n - 1)];
    real ax = 0, ay = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        if (j < n) s[threadIdx.x] = b[j];
        __syncthreads();
        for (int k = 0; k < (int)blockDim.x && base + k < n; k++) {
            if (base + k == i || s[k].kind == 2) continue;
            real dx = s[k].x - me.x, dy = s[k].y - me.y, r = 1 / sqrt(dx * dx + dy * dy + 0.1);
            ax += s[k].m * dx * r * r * r;
            ay += s[k].m * dy * r * r * r;
        }
        __syncthreads();
    }
    if (i < n) {
        f[2 * i] = ax;
        f[2 * i + 1] = ay * me.m;
    }
}
//= d_b[min(i, n - 1)].m +=: atomic
//= d_b[min(i, n - 1)].x +=: atomic
//= d_b[min(i, n - 1)].y +=: atomic
//= d_b[j].m +=: atomic
//= d_b[j].x +=: atomic
//= d_b[j].y +=: atomic
//= d_s[k].x +=: block
//= d_s[k].y +=: block
//= d_s[k].m +=: block

#include "blocks.grad.cuh"

#define SIZES(kernel, ...)                                                \
    CHECK_CASE(kernel##_1, kernel, kernel, 1e-8, 3, 1, __VA_ARGS__)       \
    CHECK_CASE(kernel##_45, kernel, kernel, 1e-8, 2, 45, __VA_ARGS__)     \
    CHECK_CASE(kernel##_64, kernel, kernel, 1e-8, 2, 64, __VA_ARGS__)     \
    CHECK_CASE(kernel##_256, kernel, kernel, 1e-8, 1, 256, __VA_ARGS__)

SIZES(half_as_many, out(90), in(90), in(3), 80)
SIZES(neighbours, out(90), in(5), 80)
SIZES(elsewhere, out(90), in(6), 80)
CHECK_CASE(later_warps, later_warps, later_warps, 1e-8, 2, 96, out(190), in(190), in(9),
           given(std::vector<int>{2}), 180)
CHECK_CASE(by_length, by_length, by_length, 1e-8, 2, 45, out(90), in(90), in(16), 80)
SIZES(one_a_block, out(90), in(90), in(3), 80)
SIZES(record, out(90), in(90), in(3), 80)
static std::vector<double> counted(int n) {
    std::vector<double> of;
    for (int i = 0; i < n; i++) of.push_back(0.5 + i * 5 % 16 / 16.0);
    return of;
}
TEST(row) { /* rows are no cells of check.cuh's: against differences by hand */
    const int n = 80, blocks = 2, threads = 45;
    std::vector<double> cells = counted(8 * blocks), seed = counted(n), got;
    check::array<double> y{std::vector<double>(90)}, k{cells}, d_y{std::vector<double>(90)},
        d_k{std::vector<double>(8 * blocks)};
    auto rows = [](double *at) { return reinterpret_cast<double(*)[8]>(at); };
    auto objective = [&](const std::vector<double> &x) {
        k.set(x);
        row<<<blocks, threads>>>(y, rows(k), 2, n);
        const std::vector<double> values = y.get();
        double sum = 0;
        for (int i = 0; i < n; i++) sum += seed[i] * values[i];
        return sum;
    };
    std::vector<double> seeds(seed);
    seeds.resize(90);
    d_y.set(seeds);
    EXPECT_STATUS(row_grad_launch(blocks, threads, 0, 0, y, rows(k), 2, n, d_y, rows(d_k), nullptr, 0), GW_OK);
    got = d_k.get();
    for (size_t c = 0; c < cells.size(); c++) {
        std::vector<double> up = cells, down = cells;
        up[c] += 1e-4;
        down[c] -= 1e-4;
        EXPECT(std::fabs(got[c] - (objective(up) - objective(down)) / 2e-4) < 1e-6);
    }
    trial.report("d_k[1]", got[1]);
}
CHECK_CASE(planes, planes, planes, 1e-8, dim3(2, 3), dim3(5, 9), out(270), in(270), in(6), 40)
CHECK_CASE(planes_full, planes, planes, 1e-8, dim3(3, 1), dim3(16, 4), out(192), in(192), in(3), 64)
SIZES(shared_cells, out(90), in(12), 80)

static std::vector<body> some_bodies(int n) {
    std::vector<body> list;
    for (int i = 0; i < n; i++) list.push_back({0.3 * (i % 7), 0.17 * (i % 11), 0.5 + 0.1 * (i % 3), i % 4});
    return list;
}
CHECK_CASE(bodies_1, bodies, bodies, 1e-8, 3, 1, out(6), in_given(some_bodies(3)), 3)
CHECK_CASE(bodies_16, bodies, bodies, 1e-8, 3, 16, out(80), in_given(some_bodies(40)), 40)
CHECK_CASE(bodies_45, bodies, bodies, 1e-8, 2, 45, out(160), in_given(some_bodies(80)), 80)
CHECK_CASE(bodies_64, bodies, bodies, 1e-8, 2, 64, out(240), in_given(some_bodies(120)), 120)

#ifdef GRADWRIGHT_SLOTS_CUH
TEST(same_bits) {
    const int n = 120;
    check::generator random{3};
    std::vector<double> seed(2 * n);
    for (double &v : seed) v = random.uniform(-1, 1);
    check::array<double> f{std::vector<double>(2 * n)};
    check::array<body> b{some_bodies(n)};
    std::vector<double> first;
    for (int run = 0; run < 4; run++) {
        check::array<double> d_f{seed};
        check::array<body> d_b{std::vector<body>(n)};
        check::device_bytes space(bodies_workspace_bytes(2, 64, f, b, n));
        check::permute(run * 11);
        EXPECT_STATUS(bodies_grad_launch(2, 64, 0, 0, f, b, n, d_f, d_b, space.data(), space.size()), GW_OK);
        EXPECT_DEVICE_OK();
        std::vector<double> got;
        for (const body &one : d_b.get()) got.insert(got.end(), {one.x, one.y, one.m});
        if (!run) first = got;
        EXPECT(got == first);
    }
    check::permute(0);
}
#endif
TEST_MAIN
