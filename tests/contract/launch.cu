// What is stated of a launch (GW_LAUNCH), and what is supposed of it where a proof needs that: a launch that
// breaks it is an error that names the fact, and nothing is touched; one at its bounds runs.
#include "../support/expect.cuh"

#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
GW_LAUNCH("blockDim.x == 4, gridDim.x <= 3, n % 4 == 0, n > -8, m >= 2, m < 5000000000, c >= -3, c <= 127")
__global__ void stated(double *y, const double *x, int n, unsigned long long m, signed char c) {
    int i = blockIdx.x * 4 + threadIdx.x;
    if (n < 16) y[i] = x[i] * x[HERE] + m + c;
}

GW_GRADIENT("y wrt x")
__global__ void tile(double *y, const double *x, int w, int h) {
    __shared__ double s[2][5];
    int c = blockIdx.x * 4 + threadIdx.x, r = blockIdx.y * 2 + threadIdx.y;
    if (c < w && r < h) s[threadIdx.y][threadIdx.x + 1] = x[r * w + c];
    __syncthreads();
    if (c < w && r < h) y[r * w + c] = s[threadIdx.y][threadIdx.x + 1];
}

GW_GRADIENT("y wrt x")
__global__ void margin(double *y, const double *x, int n, int g) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) y[j * n + i] = x[j * (n + g) + i] * x[j * (n + g) + i];
}

GW_GRADIENT("y wrt x")
__global__ void numbered(double *y, const double *x) {
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    double v = x[HERE] * x[HERE];
    for (int lane = 16; lane > 0; lane /= 2) v += __shfl_down_sync(0xffffffffu, v, lane);
    if (rank == 0) y[blockIdx.x] = v;
}

// A launch that breaks what is stated "or atomic" runs another form; other facts it needs, too.
GW_GRADIENT("wide = y wrt x") GW_LAUNCH("gridDim.x <= 2") GW_LAUNCH("n == 4, blockDim.x <= 4 or atomic")
__global__ void either(double *y, const double *x, int n) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 4) y[j * 4 + i] = x[j * n + i] * x[j * n + i];
}

#include "launch.grad.cuh"

/* Arrays of 32 cells are enough. */
struct arrays {
    std::vector<double> ones = std::vector<double>(32, 1.0);
    check::array<double> y{ones}, x{ones}, d_y{ones}, d_x{ones};
    bool untouched() { return y.get() == ones && x.get() == ones && d_y.get() == ones && d_x.get() == ones; }
};

static bool names(const char *fact) { return std::strstr(gw_last_error(), fact) != nullptr; }

#define REFUSED(fact, call)               \
    EXPECT_STATUS(call, GW_ERROR_LAUNCH); \
    EXPECT(names("needs " fact));         \
    EXPECT_DEVICE_OK();                   \
    EXPECT(a.untouched())

#define STATED(grid, block, n, m, c) \
    stated_grad_launch(grid, block, 0, 0, a.y, a.x, n, m, c, a.d_y, a.d_x, nullptr, 0)

TEST(each_fact_that_is_stated) {
    arrays a;
    REFUSED("blockDim.x == 4 (GW_LAUNCH)", STATED(2, 8, 8, 2, 0));
    REFUSED("blockDim.x == 4 (GW_LAUNCH)", STATED(2, 3, 8, 2, 0));
    REFUSED("gridDim.x <= 3 (GW_LAUNCH)", STATED(4, 4, 8, 2, 0));
    REFUSED("n % 4 == 0 (GW_LAUNCH)", STATED(2, 4, 7, 2, 0));
    REFUSED("n % 4 == 0 (GW_LAUNCH)", STATED(2, 4, -7, 2, 0));
    REFUSED("n > -8 (GW_LAUNCH)", STATED(2, 4, -8, 2, 0));
    REFUSED("m >= 2 (GW_LAUNCH)", STATED(2, 4, 8, 1, 0));
    REFUSED("m < 5000000000 (GW_LAUNCH)", STATED(2, 4, 8, 5000000000ull, 0));
    REFUSED("m < 5000000000 (GW_LAUNCH)", STATED(2, 4, 8, ~0ull, 0));
    REFUSED("c >= -3 (GW_LAUNCH)", STATED(2, 4, 8, 2, -4));
}

TEST(a_launch_at_the_bounds_of_its_facts) {
    arrays a;
    EXPECT_STATUS(STATED(3, 4, -4, 4999999999ull, -3), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<double> d_x = a.ones;
    for (int i = 0; i < 12; i++) d_x[i] = 3;
    EXPECT(a.d_x.get() == d_x);
}

TEST(rows_of_shared_arrays_that_have_no_room) {
    arrays a;
    REFUSED("blockDim.x <= 4",
            tile_grad_launch(1, dim3(5, 2), 0, 0, a.y, a.x, 4, 2, a.d_y, a.d_x, nullptr, 0));
    REFUSED("blockDim.y <= 2",
            tile_grad_launch(1, dim3(4, 3), 0, 0, a.y, a.x, 4, 2, a.d_y, a.d_x, nullptr, 0));
    EXPECT_STATUS(tile_grad_launch(dim3(2, 2), dim3(4, 2), 0, 0, a.y, a.x, 8, 4, a.d_y, a.d_x, nullptr, 0),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(a.d_x.get() == std::vector<double>(32, 2.0));
}

TEST(a_size_that_is_negative) {
    arrays a;
    REFUSED("g >= 0", margin_grad_launch(1, dim3(4, 2), 0, 0, a.y, a.x, 4, -1, a.d_y, a.d_x, nullptr, 0));
    EXPECT_STATUS(margin_grad_launch(1, dim3(4, 2), 0, 0, a.y, a.x, 4, 0, a.d_y, a.d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
}

TEST(blocks_of_several_rows) {
    arrays a;
    REFUSED("blockDim.y == 1", numbered_grad_launch(1, dim3(16, 2), 0, 0, a.y, a.x, a.d_y, a.d_x, nullptr, 0));
    EXPECT_STATUS(numbered_grad_launch(1, 32, 0, 0, a.y, a.x, a.d_y, a.d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(a.d_x.get() == std::vector<double>(32, 3.0));
}

TEST(another_form_for_other_launches) {
    arrays a;
    REFUSED("gridDim.x <= 2",
            wide_launch(dim3(3, 2), dim3(4, 2), 0, 0, a.y, a.x, 4, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.x <= 2",
            wide_launch(dim3(3, 2), dim3(4, 2), 0, 0, a.y, a.x, 3, a.d_y, a.d_x, nullptr, 0));
    EXPECT_STATUS(wide_launch(1, dim3(4, 2), 0, 0, a.y, a.x, 4, a.d_y, a.d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    std::vector<double> d_x = a.ones;
    for (int i = 0; i < 8; i++) d_x[i] = 3;
    EXPECT(a.d_x.get() == d_x);
    arrays b;
    EXPECT_STATUS(wide_launch(1, dim3(4, 2), 0, 0, b.y, b.x, 3, b.d_y, b.d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < 8; i++) d_x[i] = i < 7 ? 3 + 2 * (i == 3) : 1; /* cell 3 is read twice */
    EXPECT(b.d_x.get() == d_x);
}
TEST_MAIN
