// Split gradients: what the halves ask of their callers, a loss between them, tapes that do not fit.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_SPLIT_GRADIENT("y wrt x, k")
GW_GRADIENT("y wrt x, k")
__global__ void powers(real *y, const real *x, real k, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int s = 0; s < steps; s++) v = v * v * k;
    y[i] = v * k;
}

// Two on one kernel, both with names.
GW_SPLIT_GRADIENT("of_x = y wrt x")
GW_SPLIT_GRADIENT("of_k = y wrt k")
__global__ void product(real *y, const real *x, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * k;
}

// A thread reads what another one stored to the caller's memory before a barrier, and its value is needed: the
// joined form would have to store there, and is refused.
GW_SPLIT_GRADIENT("y wrt x via buffer")
__global__ void handed_over(real *y, real *buffer, const real *x) {
    int t = threadIdx.x;
    buffer[t] = x[t] * x[t];
    __syncthreads();
    y[t] = buffer[31 - t] * buffer[t];
}

template <int N> GW_SPLIT_GRADIENT("out wrt in")
__global__ void channels(real *out, const real *in, int n) {
    int i = HERE;
    if (i >= n) return;
    real s = 1;
    for (int c = 0; c < N; c++) s *= in[i * N + c];
    out[i] = s * s;
}

// One thread stores what a row's lanes, or its block's threads, all have: the second half loads it, and keeps
// nothing. The same in one part, for the numbers.
#define ROW_SUM                                                                                               \
    for (int k = lane; k < width; k += 32) sum += exp(x[row * width + k]);                                    \
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o)
#define SHARES for (int k = lane; k < width; k += 32) y[row * width + k] = exp(x[row * width + k]) / sum
GW_SPLIT_GRADIENT("y wrt x with all")
GW_GRADIENT("shares_joined = y wrt x")
__global__ void shares(real *y, real *all, const real *x, int rows, int width) {
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    real sum = 0;
    if (row >= rows) return;
    ROW_SUM;
    if (lane == 0) all[row] = sum;
    SHARES;
}
// Cooperative groups number the lanes, the third one stores, and only where there is an array.
GW_SPLIT_GRADIENT("y wrt x with all")
__global__ void shares_by_groups(real *y, real *all, const real *x, int rows, int width) {
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    const int lane = warp.thread_rank(), row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    real sum = 0;
    if (row >= rows) return;
    for (int k = lane; k < width; k += 32) sum += exp(x[row * width + k]);
    sum = cooperative_groups::reduce(warp, sum, cooperative_groups::plus<real>());
    if (warp.thread_rank() == 3 && all != nullptr) all[row] = sum;
    SHARES;
}
// A block a row. Its second warp has the number, too.
GW_SPLIT_GRADIENT("y wrt x with all")
__global__ void shares_by_blocks(real *y, real *all, const real *x, int width) {
    __shared__ real parts[64];
    const int row = blockIdx.x, t = threadIdx.x;
    real part = 0;
    for (int k = t; k < width; k += 64) part += exp(x[row * width + k]);
    parts[t] = part;
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o) parts[t] += parts[t + o];
        __syncthreads();
    }
    const real sum = parts[0];
    if (t == 0) all[row] = sum;
    for (int k = t; k < width; k += 64) y[row * width + k] = exp(x[row * width + k]) / sum;
}

#include "split.grad.cuh"

enum { N = 40, STEPS = 3 };
typedef std::vector<double> numbers;

struct powers_case {
    numbers start = numbers(N);
    check::array<double> y{numbers(N)}, x{numbers(N)}, d_y{numbers(N)}, d_x{numbers(N)}, d_k{numbers(1)};
    powers_case() {
        for (int i = 0; i < N; i++) start[i] = 0.5 + 0.01 * i;
        x = check::array<double>(start);
    }
};

TEST(a_loss_between_the_halves) {
    powers_case c;
    const dim3 grid(2), block(32);
    check::device_bytes tape(powers_tape_bytes(grid, block, c.y.data(), c.x.data(), 1.1, N, STEPS));
    EXPECT_STATUS(
        (powers_fwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 1.1, N, STEPS, tape.data(), tape.size())),
        GW_OK);
    // L = sum of y^2 / 2, so its adjoint is y.
    c.d_y.set(c.y.get());
    EXPECT_STATUS((powers_bwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 1.1, N, STEPS, c.d_y.data(),
                                     c.d_x.data(), c.d_k.data(), tape.data(), tape.size())),
                  GW_OK);
    // v = k^7 x^8, y = k^8 x^8
    double d_k = 0;
    for (int i = 0; i < N; i++) {
        double y = std::pow(1.1 * c.start[i], 8);
        EXPECT_NEAR(c.d_x.get()[i], y * 8 * y / c.start[i], 1e-12);
        d_k += y * 8 * y / 1.1;
    }
    EXPECT_NEAR(c.d_k.get()[0], d_k, 1e-12);
}

TEST(a_tape_that_is_too_small) {
    powers_case c;
    const dim3 grid(2), block(32);
    size_t needed = powers_tape_bytes(grid, block, c.y.data(), c.x.data(), 1.1, N, STEPS);
    check::device_bytes tape(needed);
    const numbers seed(N, 3.0);
    c.d_y.set(seed);
    EXPECT_STATUS(
        (powers_fwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 1.1, N, STEPS, tape.data(), needed - 1)),
        GW_ERROR_OVERFLOW);
    EXPECT_STATUS(
        (powers_fwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 1.1, N, STEPS, nullptr, needed)),
        GW_ERROR_OVERFLOW);
    EXPECT_STATUS((powers_bwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 1.1, N, STEPS, c.d_y.data(),
                                     c.d_x.data(), c.d_k.data(), tape.data(), needed - 8)),
                  GW_ERROR_OVERFLOW);
    EXPECT(std::strstr(gw_last_error(), "powers_bwd_launch: needs a tape of") != nullptr);
    EXPECT(c.y.get() == numbers(N) && c.d_y.get() == seed && c.d_x.get() == numbers(N));
}

TEST(named_requests) {
    powers_case c;
    const dim3 grid(2), block(32);
    check::device_bytes tape(of_x_tape_bytes(grid, block, c.y.data(), c.x.data(), 2, N) +
                             of_k_tape_bytes(grid, block, c.y.data(), c.x.data(), 2, N));
    c.d_y.set(numbers(N, 1.0));
    EXPECT_STATUS((of_x_fwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 2, N, tape.data(), tape.size())),
                  GW_OK);
    EXPECT_STATUS((of_x_bwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 2, N, c.d_y.data(), c.d_x.data(),
                                   tape.data(), tape.size())),
                  GW_OK);
    c.d_y.set(numbers(N, 1.0));
    EXPECT_STATUS((of_k_fwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 2, N, tape.data(), tape.size())),
                  GW_OK);
    EXPECT_STATUS((of_k_bwd_launch(grid, block, 0, 0, c.y.data(), c.x.data(), 2, N, c.d_y.data(), c.d_k.data(),
                                   tape.data(), tape.size())),
                  GW_OK);
    double d_k = 0;
    for (int i = 0; i < N; i++) {
        EXPECT_NEAR(c.d_x.get()[i], 4 * c.start[i], 1e-12);
        d_k += c.start[i] * c.start[i];
    }
    EXPECT_NEAR(c.d_k.get()[0], d_k, 1e-12);
}

TEST(what_another_thread_stored) {
    numbers start(32);
    for (int i = 0; i < 32; i++) start[i] = 1 + 0.1 * i;
    check::array<double> y(numbers(32)), buffer(numbers(32)), x(start), d_y(numbers(32, 1.0)),
        d_buffer(numbers(32)), d_x(numbers(32));
    check::device_bytes tape(handed_over_tape_bytes(1, 32, y.data(), buffer.data(), x.data()));
    EXPECT_STATUS(
        (handed_over_fwd_launch(1, 32, 0, 0, y.data(), buffer.data(), x.data(), tape.data(), tape.size())),
        GW_OK);
    EXPECT_STATUS((handed_over_bwd_launch(1, 32, 0, 0, y.data(), buffer.data(), x.data(), d_y.data(),
                                          d_buffer.data(), d_x.data(), tape.data(), tape.size())),
                  GW_OK);
    for (int i = 0; i < 32; i++) {
        double a = start[i], b = start[31 - i];
        EXPECT_NEAR(y.get()[i], a * a * b * b, 1e-12);
        EXPECT_NEAR(d_x.get()[i], 4 * a * b * b, 1e-12);
    }
}

TEST(instantiations) {
    numbers start(3 * N), zeros(N), ones(N, 1.0), zeros_in(3 * N);
    for (int i = 0; i < 3 * N; i++) start[i] = 1 + 0.01 * i;
    check::array<double> out(zeros), in(start), d_out(ones), d_in(zeros_in);
    check::device_bytes tape(channels_tape_bytes<3>(2, 32, out.data(), in.data(), N));
    channels<3><<<2, 32>>>(out.data(), in.data(), N);
    EXPECT_STATUS((channels_fwd_launch<3>(2, 32, 0, 0, out.data(), in.data(), N, tape.data(), tape.size())),
                  GW_OK);
    EXPECT_STATUS((channels_bwd_launch<3>(2, 32, 0, 0, out.data(), in.data(), N, d_out.data(), d_in.data(),
                                          tape.data(), tape.size())),
                  GW_OK);
    for (int i = 0; i < N; i++) {
        double s = start[3 * i] * start[3 * i + 1] * start[3 * i + 2];
        EXPECT_NEAR(d_in.get()[3 * i], 2 * s * s / start[3 * i], 1e-12);
    }
}

enum { ROWS = 5, WIDTH = 70 };
struct shares_case {
    check::array<double> y{numbers(ROWS * WIDTH)}, all{numbers(ROWS)}, x{numbers(ROWS * WIDTH)},
        d_y{numbers(ROWS * WIDTH)}, d_x{numbers(ROWS * WIDTH)};
    shares_case() {
        numbers start(ROWS * WIDTH), seed(ROWS * WIDTH);
        for (int i = 0; i < ROWS * WIDTH; i++) start[i] = 0.3 * std::sin(i), seed[i] = std::cos(0.7 * i);
        x.set(start), d_y.set(seed);
    }
};

/* What is kept beside the output is no number of a thread. */
template <class F, class B, class W>
static void same_shares(check::trial &trial, dim3 grid, dim3 block, F forward, B backward, W bytes) {
    shares_case c, joined;
    EXPECT_STATUS(shares_joined_launch(2, 96, 0, 0, joined.y.data(), joined.all.data(), joined.x.data(), ROWS,
                                       WIDTH, joined.d_y.data(), joined.d_x.data(), nullptr, 0),
                  GW_OK);
    const size_t size = bytes(grid, block, c);
    EXPECT(size < 300);
    check::device_bytes tape(size);
    EXPECT_STATUS(forward(grid, block, c, tape.data(), size), GW_OK);
    EXPECT_STATUS(backward(grid, block, c, tape.data(), size), GW_OK);
    for (int i = 0; i < ROWS * WIDTH; i++) EXPECT_NEAR(c.d_x.get()[i], joined.d_x.get()[i], 1e-14);
}
#define SHARES_OF(NAME, GRID, BLOCK, ...)                                                                     \
    same_shares(                                                                                               \
        trial, GRID, BLOCK,                                                                                    \
        [](dim3 g, dim3 b, shares_case &c, void *tape, size_t size) {                                          \
            return NAME##_fwd_launch(g, b, 0, 0, c.y.data(), c.all.data(), c.x.data(), __VA_ARGS__, tape,      \
                                     size);                                                                    \
        },                                                                                                     \
        [](dim3 g, dim3 b, shares_case &c, void *tape, size_t size) {                                          \
            return NAME##_bwd_launch(g, b, 0, 0, c.y.data(), c.all.data(), c.x.data(), __VA_ARGS__,            \
                                     c.d_y.data(), c.d_x.data(), tape, size);                                  \
        },                                                                                                     \
        [](dim3 g, dim3 b, shares_case &c) {                                                                   \
            return NAME##_tape_bytes(g, b, c.y.data(), c.all.data(), c.x.data(), __VA_ARGS__);                 \
        })

TEST(one_thread_stores_for_all) {
    SHARES_OF(shares, 2, 96, ROWS, WIDTH);
    SHARES_OF(shares_by_groups, 2, dim3(32, 3), ROWS, WIDTH);
    SHARES_OF(shares_by_blocks, ROWS, 64, WIDTH);
}

/* The second half reads what the first one had no room for. Without numbers there may be no arrays. */
TEST(an_output_that_stands_for_the_tape_is_null) {
    shares_case c;
    const dim3 block(32, 3);
    const size_t size = shares_by_groups_tape_bytes(2, block, c.y.data(), nullptr, c.x.data(), ROWS, WIDTH);
    check::device_bytes tape(size);
    const numbers seed = c.d_y.get();
    EXPECT_STATUS(shares_by_groups_fwd_launch(2, block, 0, 0, c.y.data(), nullptr, c.x.data(), ROWS, WIDTH,
                                              tape.data(), size),
                  GW_OK);
    EXPECT_STATUS(shares_by_groups_bwd_launch(2, block, 0, 0, c.y.data(), nullptr, c.x.data(), ROWS, WIDTH,
                                              c.d_y.data(), c.d_x.data(), tape.data(), size),
                  GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "shares_by_groups_bwd_launch: 'all' is null") != nullptr);
    EXPECT(c.d_y.get() == seed && c.d_x.get() == numbers(ROWS * WIDTH));
    EXPECT_STATUS(
        shares_by_groups_fwd_launch(2, block, 0, 0, nullptr, nullptr, nullptr, 0, WIDTH, tape.data(), size),
        GW_OK);
    EXPECT_STATUS(shares_by_groups_bwd_launch(2, block, 0, 0, nullptr, nullptr, nullptr, 0, WIDTH, nullptr,
                                              nullptr, tape.data(), size),
                  GW_OK);
}

/* A warp of such blocks has no lane that stores. */
TEST(warps_that_are_cut_otherwise) {
    shares_case c;
    const size_t size = shares_by_groups_tape_bytes(2, dim3(24, 4), c.y.data(), c.all.data(), c.x.data(), 2,
                                                    WIDTH);
    check::device_bytes tape(size);
    EXPECT_STATUS(shares_by_groups_bwd_launch(2, dim3(24, 4), 0, 0, c.y.data(), c.all.data(), c.x.data(), 2,
                                              WIDTH, c.d_y.data(), c.d_x.data(), tape.data(), size),
                  GW_ERROR_LAUNCH);
}

TEST_MAIN
