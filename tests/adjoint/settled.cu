// Exact sums that the kernel itself needs, most of them to shared memory: rounded into a cell where its thread
// reads it. The bits stand in tests/contract/exact_sums.py, what is refused in tests/refused/no_exact.cu.
#include "../support/check.cuh"

#include <tuple>

typedef double real;
struct point {
    real p[2], q;
};
CHECK_CELLS(point, CHECK_CELL(point, p[0]), CHECK_CELL(point, p[1]), CHECK_CELL(point, q))
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// The barrier of the primal.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void listed(real *y, const real *x, const int *at, int n) {
    __shared__ real s[16];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    __syncthreads();
    if (i < n) y[i] = s[at[i]] * s[at[n - 1 - i]];
}
//= d_s[at[i]] +=: exact
//= d_s[at[n - 1 - i]] +=: exact

// Floats; another shape of grid and block.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void flat(float *y, const float *x, const int *at) {
    __shared__ float s[16];
    int t = threadIdx.y * blockDim.x + threadIdx.x,
        i = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y) + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[i]] * s[at[i] / 2];
}
//= d_s[at[i]] +=: exact
//= d_s[at[i] / 2] +=: exact
__global__ void flat_wide(real *y, const real *x, const int *at) {
    __shared__ real s[16];
    int t = threadIdx.y * blockDim.x + threadIdx.x,
        i = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * (blockDim.x * blockDim.y) + t;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[i]] * s[at[i] / 2];
}

// Each round settles its own; threads that leave early take part.
JOINED("y wrt x, w") GW_SPLIT_GRADIENT("y wrt x, w") GW_ACCUMULATE(s, exact)
__global__ void rounds(real *y, const real *x, const real *w, const int *at, int m, int n) {
    __shared__ real s[8];
    int t = threadIdx.x, i = HERE;
    real sum = 0;
    for (int base = 0; base < m; base += 8) {
        if (t < 8) s[t] = base + t < m ? x[blockIdx.x * m + base + t] * w[i] : 0;
        __syncthreads();
        for (int j = 0; j < t % 3 + 1; j++)
            sum += s[at[i + j] & 7] * s[(t + j) & 7];
        __syncthreads();
    }
    if (i >= n) return;
    y[i] = sum * w[i];
}
//= d_s[at[i + j] & 7] +=: exact
//= d_s[t + j & 7] +=: exact
//= d_s[at[i + j] & 7] +=: exact
//= d_s[t + j & 7] +=: exact

// What is made of sums goes to sums again.
JOINED("y wrt x") GW_ACCUMULATE(s, exact) GW_ACCUMULATE(r, exact)
__global__ void twice(real *y, const real *x, const int *at) {
    __shared__ real s[8], r[2][8];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i];
    __syncthreads();
    r[t & 1][t] = s[at[i]] * s[at[i]];
    r[~t & 1][t] = s[at[i] ^ 1];
    __syncthreads();
    y[i] = r[at[i] & 1][at[t]] * r[at[t] & 1][at[i]];
}
//= d_s[at[i]] +=: exact
//= d_s[at[i] ^ 1] +=: exact
//= d_r[at[i] & 1][at[t]] +=: exact
//= d_r[at[t] & 1][at[i]] +=: exact

// One array that is stored over; what stands between is the thread's own.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void over(real *y, const real *x, const int *at) {
    __shared__ real s[8];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * 3;
    __syncthreads();
    real v = s[at[i]] * s[t];
    __syncthreads();
    s[t] = v * v;
    __syncthreads();
    y[i] = s[at[i]] * v;
}
//= d_s[at[i]] +=: exact
//= d_s[t] +=: exact
//= d_s[at[i]] +=: exact

// A warp alone, in a branch.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void of_lanes(real *y, const real *x, const int *at) {
    __shared__ real s[64];
    int t = threadIdx.x, i = HERE;
    s[t] = 0;
    __syncthreads();
    if (t < 32) {
        s[t] = x[i] * x[i];
        __syncwarp();
        real v = s[at[t]] * s[at[t] / 2];
        __syncwarp();
        s[t] += v;
        __syncwarp();
        y[i] = s[at[i]];
    }
}
//= d_s[at[i]] +=: exact
//= d_s[at[t]] +=: exact
//= d_s[at[t] / 2] +=: exact

// Both sides of a branch that threads disagree about read it.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void branches(real *y, const real *x, const int *at, int n) {
    __shared__ real s[32];
    int t = threadIdx.x, i = HERE;
    if (at[i] % 3)
        s[t] = x[i];
    else
        s[t] = x[i] * x[i];
    __syncwarp();
    if (i < n) y[i] = s[at[i]] + x[i];
}
//= d_s[at[i]] +=: exact

// Members, and one number.
JOINED("y wrt x, k") GW_ACCUMULATE(s, exact) GW_ACCUMULATE(one, exact)
__global__ void members(real *y, const real *x, real k, const int *at) {
    __shared__ point s[8];
    __shared__ real one;
    int t = threadIdx.x, i = HERE;
    s[t].p[0] = x[i] * x[i];
    s[t].p[1] = x[i] + 1;
    s[t].q = x[i] * k;
    if (t == 0) one = x[i] * k;
    __syncthreads();
    y[i] = s[at[i]].p[t & 1] * s[at[t]].q * one;
}
//= d_k[0] +=: grid
//= d_s[at[i]].p[t & 1] +=: exact
//= d_s[at[t]].q +=: exact
//= d_one +=: exact

// Nobody asks: with --deterministic, sums of warps that were collected, got no row and are taken apart again.
JOINED("y wrt x")
__global__ void collected(real *y, const real *x, const int *at, int n) {
    __shared__ real r[8], s[8];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    r[t] = x[i];
    __syncthreads();
    real v = s[at[t]] * r[blockIdx.x], w = s[blockIdx.x] * 3;
    __syncthreads();
    if (i < n) y[i] = v * r[t];
    y[i] += w * s[t];
}
//= d_s[at[t]] +=: atomic
//= d_r[blockIdx.x] +=: warp
//= d_s[blockIdx.x] +=: warp


// One thread for two.
JOINED("y wrt x") GW_ACCUMULATE(s, exact) GW_COARSEN(2)
__global__ void coarse(real *y, const real *x, const int *at) {
    __shared__ real s[16];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[i]] * s[at[i] / 2];
}
//= d_s[at[i]] +=: exact
//= d_s[at[i] / 2] +=: exact

template <int N> JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void of_template(real *y, const real *x, const int *at) {
    __shared__ real s[N];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[i] % N];
}
//= d_s[at[i] % 8] +=: exact
template __global__ void of_template<8>(real *, const real *, const int *);

// As long as the launch says, and the caller of it says how many numbers that is.
JOINED("y wrt x") GW_ACCUMULATE(s, exact)
__global__ void by_launch(real *y, const real *x, const int *at) {
    extern __shared__ real s[];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[at[i]] * s[at[i] / 2];
}
//= d_s[at[i]] +=: exact
//= d_s[at[i] / 2] +=: exact

#include "settled.grad.cuh"

enum { BYTES = 544 }; // an accumulator's

static std::vector<int> numbers(int n, int factor, int below) {
    std::vector<int> list((size_t)n);
    for (int i = 0; i < n; i++)
        list[(size_t)i] = i * factor % below;
    return list;
}

CHECK_KERNEL(listed, 3, 16, out(48), in(48), given(numbers(48, 5, 9)), 44)
CHECK_FLOAT(flat, flat_wide, 1e-5, dim3(2, 3, 2), dim3(4, 4), out(192), in(192), given(numbers(192, 5, 16)))
CHECK_KERNEL(rounds, 3, 16, out(48), in(60), in(48), given(numbers(52, 7, 23)), 20, 43)
CHECK_KERNEL(twice, 4, 8, out(32), in(32), given(numbers(32, 5, 8)))
CHECK_KERNEL(over, 4, 8, out(32), in(32), given(numbers(32, 5, 8)))
CHECK_KERNEL(of_lanes, 3, 64, out(192), in(192), given(numbers(192, 7, 32)))
CHECK_KERNEL(branches, 3, 32, out(96), in(96), given(numbers(96, 7, 32)), 90)
CHECK_KERNEL(members, 4, 8, out(32), in(32), active(0.6), given(numbers(32, 5, 8)))
CHECK_KERNEL(collected, 4, 8, out(32), in(32), given(numbers(8, 5, 8)), 29)
CHECK_KERNEL(coarse, 3, 16, out(48), in(48), given(numbers(48, 5, 16)))

CHECK_INSTANCE_JOINED(of_8, of_template, (8), 3, 8, 0, out(24), in(24), given(numbers(24, 5, 17)))

static std::vector<real> reals(int n) {
    std::vector<real> list((size_t)n);
    for (int i = 0; i < n; i++)
        list[(size_t)i] = 0.5 + i * 5 % 9 / 10.0;
    return list;
}

static bool is_near(const std::vector<real> &x, const std::vector<real> &y) {
    for (size_t i = 0; i < x.size(); i++)
        if (!check::near(x[i], y[i], 1e-12, 1)) return false;
    return true;
}

// The second half has its accumulators in a workspace of its own.
TEST(halves) {
    const int blocks = 3, threads = 16, m = 20, n = 43, all = blocks * threads;
    const std::vector<real> ones((size_t)all, 1.0), zeros(60, 0.0);
    check::array<real> y(ones), x(reals(60)), w(reals(all)), d_y(ones), again(ones), d_x(zeros), want_x(zeros),
        d_w(zeros), want_w(zeros);
    check::array<int> at(numbers(52, 7, 23));
    check::device_bytes space(rounds_workspace_bytes(blocks, threads, y, x, w, at, m, n)),
        tape(rounds_tape_bytes(blocks, threads, y, x, w, at, m, n)),
        sums(rounds_bwd_workspace_bytes(blocks, threads, y, x, w, at, m, n));
    EXPECT(sums.size() == 16 + blocks * 8 * BYTES);
    EXPECT_STATUS(rounds_grad_launch(blocks, threads, 0, 0, y, x, w, at, m, n, again, want_x, want_w,
                                     space.data(), space.size()),
                  GW_OK);
    EXPECT_STATUS(rounds_fwd_launch(blocks, threads, 0, 0, y, x, w, at, m, n, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(rounds_bwd_launch(blocks, threads, 0, 0, y, x, w, at, m, n, d_y, d_x, d_w, tape.data(),
                                    tape.size(), sums.data(), sums.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    // A compiler may contract the products of two kernels in two ways.
    EXPECT(d_x.get() != zeros && is_near(d_x.get(), want_x.get()) && is_near(d_w.get(), want_w.get()));
}

enum { DYNAMIC = 12 };
TEST(by_launch) {
    const int blocks = 3, n = blocks * DYNAMIC;
    const std::vector<int> at = numbers(n, 5, DYNAMIC);
    const std::vector<real> values = reals(n);
    std::vector<real> want((size_t)n, 0.0);
    for (int i = 0; i < n; i++) {
        const int from = i / DYNAMIC * DYNAMIC, a = from + at[(size_t)i], b = from + at[(size_t)i] / 2;
        const real x = values[(size_t)a], z = values[(size_t)b];
        want[(size_t)a] += 2 * x * z * z, want[(size_t)b] += 2 * z * x * x;
    }
    check::array<real> y(values), x(values), d_y(std::vector<real>((size_t)n, 1.0)),
        d_x(std::vector<real>((size_t)n, 0.0));
    check::array<int> list(at);
    check::device_bytes space(by_launch_workspace_bytes(blocks, DYNAMIC, y, x, list, DYNAMIC));
    EXPECT(space.size() == 16 + blocks * DYNAMIC * BYTES);
    space.fill(0x77);
    EXPECT_STATUS(by_launch_grad_launch(blocks, DYNAMIC, DYNAMIC * sizeof(real), 0, y, x, list, d_y, d_x,
                                        DYNAMIC, space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < (size_t)n; i++)
        EXPECT_NEAR(d_x.get()[i], want[i], 1e-12);
}

TEST_MAIN
