// How a gradient is called: <<<>>>, the launcher, the workspace, functions, and what is refused at run time.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
__global__ void square(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}

// y = x^(2^steps): needs each v on the way back, in a number that only the host's arguments tell.
GW_GRADIENT("y wrt x")
__global__ void repeated_square(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < steps; k++) v = v * v;
    y[i] = v;
}

// The index uses two axes: a launch with a third would let two threads own one cell.
GW_GRADIENT("y wrt x")
__global__ void two_axes(real *y, const real *x, int width, int height) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height) y[r * width + c] = x[r * width + c] * x[r * width + c];
}

GW_GRADIENT("wrt x, y")
__device__ real on_device(real x, real y) { return x * x * y + sin(y); }

GW_GRADIENT("wrt x, y")
__host__ __device__ real on_both(real x, real y) { return x > y ? x * y : x / y; }

GW_GRADIENT("wrt x")
static real on_host(real x, int steps) {
    for (int k = 0; k < 3; k++) x = x * x;
    return x * steps;
}

GW_GRADIENT("wrt a, b")
__device__ real dot(const real *a, const real *b, int n) {
    real sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

GW_GRADIENT("y wrt x")
__device__ void store_cube(real *y, const real *x) { *y = *x * *x * *x; }

#include "calls.grad.cuh"

static const int n = 20, grid = 2, block = 16;
static const std::vector<real> X = [] {
    check::generator random{9};
    std::vector<real> values(n);
    for (real &v : values) v = random.uniform(0.8, 1.1);
    return values;
}();
static const std::vector<real> ONES(n, 1.0), ZEROS(n, 0.0);

TEST(a_gradient_of_one_kernel_is_a_kernel) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    square_grad<<<grid, block>>>(y.data(), x.data(), n, d_y.data(), d_x.data());
    EXPECT_DEVICE_OK();
    std::vector<real> got = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 2 * X[i], 1e-14);
}

TEST(no_workspace_is_needed_where_nothing_is_kept) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT(square_workspace_bytes(grid, block, y, x, n) == 0);
    EXPECT_STATUS(square_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
}

TEST(a_stream_is_taken) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    cudaStream_t stream;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT_STATUS(square_grad_launch(grid, block, 0, stream, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
    EXPECT_NEAR(d_x.get()[n - 1], 2 * X[n - 1], 1e-14);
}

TEST(the_workspace_is_what_the_arguments_ask_for) {
    check::array<real> y(ONES), x(X);
    size_t small = repeated_square_workspace_bytes(grid, block, y, x, n, 2);
    size_t large = repeated_square_workspace_bytes(grid, block, y, x, n, 6);
    EXPECT(small > 0);
    EXPECT(large > small);
    // At most one value a step and thread.
    EXPECT(large <= (size_t)6 * grid * block * sizeof(real));
    EXPECT(repeated_square_workspace_bytes(2 * grid, block, y, x, n, 6) == 2 * large);
    EXPECT(repeated_square_workspace_bytes(grid, block, y, x, n, 0) == 0);
}

TEST(a_taped_loop_runs_in_the_callers_workspace) {
    const int steps = 5;
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    check::device_bytes space(repeated_square_workspace_bytes(grid, block, y, x, n, steps));
    space.fill(0xA5);
    EXPECT_STATUS(
        repeated_square_grad_launch(grid, block, 0, 0, y, x, n, steps, d_y, d_x, space.data(), space.size()),
        GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<real> got = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 32 * std::pow(X[i], 31), 1e-12);
}

TEST(a_workspace_may_be_larger_than_needed) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    check::device_bytes space(2 * repeated_square_workspace_bytes(grid, block, y, x, n, 3) + 64);
    EXPECT_STATUS(
        repeated_square_grad_launch(grid, block, 0, 0, y, x, n, 3, d_y, d_x, space.data(), space.size()),
        GW_OK);
    EXPECT_NEAR(d_x.get()[0], 8 * std::pow(X[0], 7), 1e-12);
}

TEST(a_workspace_that_is_too_small_is_an_error_and_nothing_is_touched) {
    check::array<real> y(X), x(X), d_y(ONES), d_x(X);
    size_t bytes = repeated_square_workspace_bytes(grid, block, y, x, n, 5);
    check::device_bytes space(bytes);
    EXPECT_STATUS(repeated_square_grad_launch(grid, block, 0, 0, y, x, n, 5, d_y, d_x, space.data(), bytes - 1),
                  GW_ERROR_WORKSPACE);
    std::string why = gw_last_error();
    EXPECT(why.find("repeated_square") != std::string::npos);
    EXPECT(why.find(std::to_string(bytes)) != std::string::npos);
    EXPECT_STATUS(repeated_square_grad_launch(grid, block, 0, 0, y, x, n, 5, d_y, d_x, nullptr, bytes),
                  GW_ERROR_WORKSPACE);
    EXPECT_STATUS(repeated_square_grad_launch(grid, block, 0, 0, y, x, n, 5, d_y, d_x, nullptr, 0),
                  GW_ERROR_WORKSPACE);
    EXPECT_DEVICE_OK();
    EXPECT(y.get() == X && x.get() == X && d_y.get() == ONES && d_x.get() == X);
}

TEST(a_launch_that_breaks_an_assumption_is_an_error_and_nothing_is_touched) {
    check::array<real> y(X), x(X), d_y(ONES), d_x(X);
    const dim3 wrong[] = {dim3(grid, 2), dim3(grid, 1, 2)};
    for (dim3 launched : wrong) {
        EXPECT_STATUS(square_grad_launch(launched, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0),
                      GW_ERROR_LAUNCH);
        EXPECT(std::strstr(gw_last_error(), "square") != nullptr);
        EXPECT(std::strstr(gw_last_error(), "gridDim") != nullptr);
    }
    EXPECT_STATUS(square_grad_launch(grid, dim3(8, 2), 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_ERROR_LAUNCH);
    EXPECT(std::strstr(gw_last_error(), "blockDim") != nullptr);
    EXPECT_DEVICE_OK();
    EXPECT(y.get() == X && x.get() == X && d_y.get() == ONES && d_x.get() == X);
}

TEST(a_launch_over_two_axes_is_right_and_a_third_is_refused) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT_STATUS(two_axes_grad_launch(dim3(2, 2), dim3(3, 2), 0, 0, y, x, 5, 4, d_y, d_x, nullptr, 0), GW_OK);
    std::vector<real> got = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 2 * X[i], 1e-14);
    EXPECT_STATUS(two_axes_grad_launch(dim3(2, 2, 2), dim3(3, 2), 0, 0, y, x, 5, 4, d_y, d_x, nullptr, 0),
                  GW_ERROR_LAUNCH);
}

TEST(a_status_ok_has_launched_everything) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    gw_report(GW_ERROR_LAUNCH, "%s", "an older error");
    EXPECT_STATUS(square_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT_NEAR(d_x.get()[0], 2 * X[0], 1e-14);
}

TEST(a_launch_that_cuda_refuses_is_an_error) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT_STATUS(square_grad_launch(1, 4096, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_ERROR_CUDA);
    EXPECT(std::strstr(gw_last_error(), "square") != nullptr);
    cudaGetLastError(); /* CUDA remembers it too, as after any launch */
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == ZEROS);
}

__global__ void use_on_device(real *out, real x, real y) {
    on_device_grad(x, y, &out[0], &out[1]);
    on_device_pullback(x, y, 2.0, &out[2], &out[3]);
}

TEST(a_function_that_returns_a_value_has_a_gradient_and_a_pullback) {
    check::array<real> out({0, 0, 100, 200});
    use_on_device<<<1, 1>>>(out, 3.0, 0.5);
    EXPECT_DEVICE_OK();
    std::vector<real> got = out.get();
    EXPECT_NEAR(got[0], 3, 1e-14);
    EXPECT_NEAR(got[1], 9 + std::cos(0.5), 1e-14);
    EXPECT_NEAR(got[2], 100 + 2 * 3, 1e-14);
    EXPECT_NEAR(got[3], 200 + 2 * (9 + std::cos(0.5)), 1e-14);
}

__global__ void use_on_both(real *out, real x, real y) { on_both_grad(x, y, &out[0], &out[1]); }

TEST(a_host_and_device_function_has_a_gradient_on_both) {
    check::array<real> out({0, 0});
    use_on_both<<<1, 1>>>(out, 3.0, 2.0);
    EXPECT_DEVICE_OK();
    real d_x = 0, d_y = 0;
    on_both_grad(3.0, 2.0, &d_x, &d_y);
    EXPECT(d_x == 2 && d_y == 3);
    EXPECT(out.get()[0] == d_x && out.get()[1] == d_y);
    d_x = d_y = 1;
    on_both_pullback(1.0, 4.0, 8.0, &d_x, &d_y);
    EXPECT_NEAR(d_x, 1 + 8.0 / 4, 1e-14);
    EXPECT_NEAR(d_y, 1 - 8.0 / 16, 1e-14);
}

TEST(a_host_function_has_a_gradient) {
    real d_x = 0.5;
    on_host_grad(1.1, 2, &d_x);
    EXPECT_NEAR(d_x, 0.5 + 2 * 8 * std::pow(1.1, 7), 1e-13);
    on_host_pullback(1.1, 2, -1.0, &d_x);
    EXPECT_NEAR(on_host(1.1, 2), 2 * std::pow(1.1, 8), 1e-13);
    EXPECT(std::fabs(d_x - 0.5) < 1e-12);
}

__global__ void use_dot(const real *a, const real *b, real *d_a, real *d_b, int count) {
    dot_pullback(a, b, count, 3.0, d_a, d_b);
}

TEST(a_function_over_pointers_accumulates_through_them) {
    check::array<real> a({1, 2, 3}), b({4, 5, 6}), d_a({10, 10, 10}), d_b({20, 20, 20});
    use_dot<<<1, 1>>>(a, b, d_a, d_b, 3);
    EXPECT_DEVICE_OK();
    EXPECT((d_a.get() == std::vector<real>{22, 25, 28}));
    EXPECT((d_b.get() == std::vector<real>{23, 26, 29}));
}

__global__ void use_store_cube(real *y, const real *x, real *d_y, real *d_x) {
    store_cube_grad(y, x, d_y, d_x);
}

TEST(a_function_without_a_value_has_the_kernels_contract) {
    check::array<real> y({5}), x({2}), d_y({0.5}), d_x({1});
    use_store_cube<<<1, 1>>>(y, x, d_y, d_x);
    EXPECT_DEVICE_OK();
    EXPECT(y.get()[0] == 5 && x.get()[0] == 2);
    EXPECT(d_y.get()[0] == 0);
    EXPECT_NEAR(d_x.get()[0], 1 + 0.5 * 12, 1e-14);
}

TEST_MAIN
