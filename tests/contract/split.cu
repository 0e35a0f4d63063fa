// Split gradients: what the halves ask of their callers, a loss between them, tapes that do not fit.
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

TEST_MAIN
