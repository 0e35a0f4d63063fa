// Every kind of assumption that a gradient makes of its launch: a launch that breaks it is an error that names
// it, and nothing is touched. That --explain lists each is tests/ownership/statements.py.
#include "../support/expect.cuh"

#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
__global__ void line(double *y, const double *x, int n) {
    int i = (int)HERE;
    if (i < n) y[i] = x[i] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void plane(double *y, const double *x, unsigned w, unsigned h) {
    unsigned c = HERE, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < w && r < h) y[r * w + c] = x[r * w + c] * x[r * w + c];
}

GW_GRADIENT("y wrt x")
__global__ void records(double *y, const double *x, unsigned n) {
    unsigned i = HERE;
    if (i < n) y[i] = x[4 * i + 1] * x[4 * i + 3];
}

GW_GRADIENT("y wrt x")
__global__ void rows_of_threads(double *y, const double *x, unsigned n, unsigned k) {
    unsigned i = HERE;
    if (i >= n) return;
    double sum = 0;
    for (unsigned j = 0; j < k; j++) sum += x[k * i + j] * x[k * i + j];
    y[i] = sum;
}

GW_GRADIENT("y wrt x")
__global__ void grid_stride(double *y, const double *x, unsigned n) {
    for (unsigned i = HERE; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * x[i];
}

// The primal may be run by blocks along y, which all write the same; the gradient may not.
GW_GRADIENT("y wrt x")
__global__ void listed(double *y, const double *x, const int *list, int n) {
    int i = (int)HERE;
    if (i < n) y[list[i] * 3 % 1024] = x[i] * x[i];
}

GW_GRADIENT("y wrt x, q")
__global__ void of_warps(double *y, const double *x, const double *q, int n) {
    int i = (int)HERE;
    if (i < n) y[i] = x[i] * q[blockIdx.x * 32 + threadIdx.x / 32];
}

GW_GRADIENT("C wrt A, B")
__global__ void tiles(double *C, const double *A, const double *B, int n) {
    __shared__ double a[8][8], b[8][8];
    int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 8 + threadIdx.x;
    double sum = 0;
    for (int m = 0; m < n / 8; m++) {
        a[threadIdx.y][threadIdx.x] = A[r * n + m * 8 + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(m * 8 + threadIdx.y) * n + c];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[r * n + c] = sum;
}

GW_GRADIENT("y wrt x") GW_COARSEN(4)
__global__ void coarse(double *y, const double *x, int n) {
    int i = (int)HERE;
    if (i < n) y[i] = x[i] * x[0];
}

GW_GRADIENT("y wrt x")
__global__ void warp_a_row(double *y, const double *x, int rows, int n) {
    int row = (int)HERE / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    for (int k = lane; k < n; k += 32) y[row * n + k] = x[row * n + k] * x[row * n + k];
}

#include "assumptions.grad.cuh"

/* Arrays of 16 cells are enough: nothing runs. */
struct arrays {
    std::vector<double> ones = std::vector<double>(16, 1.0);
    check::array<double> y{ones}, x{ones}, z{ones}, d_y{ones}, d_x{ones}, d_z{ones};
    bool untouched() {
        return y.get() == ones && x.get() == ones && z.get() == ones && d_y.get() == ones &&
               d_x.get() == ones && d_z.get() == ones;
    }
};

static bool names(const char *assumption) { return std::strstr(gw_last_error(), assumption) != nullptr; }

#define REFUSED(assumption, call)              \
    EXPECT_STATUS(call, GW_ERROR_LAUNCH);      \
    EXPECT(names("needs " assumption));        \
    EXPECT(a.untouched())

TEST(an_axis_that_the_kernel_does_not_look_at) {
    arrays a;
    REFUSED("blockDim.y == 1", line_grad_launch(2, dim3(4, 2), 0, 0, a.y, a.x, 8, a.d_y, a.d_x, nullptr, 0));
    REFUSED("blockDim.z == 1", line_grad_launch(2, dim3(4, 1, 2), 0, 0, a.y, a.x, 8, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.y == 1", line_grad_launch(dim3(2, 2), 4, 0, 0, a.y, a.x, 8, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.z == 1", line_grad_launch(dim3(2, 1, 2), 4, 0, 0, a.y, a.x, 8, a.d_y, a.d_x, nullptr, 0));
}

TEST(an_index_that_would_wrap_around) {
    arrays a;
    const dim3 many(1u << 30), block(8); /* 2^33 threads: not launched */
    REFUSED("gridDim.x * blockDim.x <= 2147483648",
            line_grad_launch(many, block, 0, 0, a.y, a.x, 8, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.x * blockDim.x <= 4294967296",
            plane_grad_launch(many, block, 0, 0, a.y, a.x, 4, 4, a.d_y, a.d_x, nullptr, 0));
    REFUSED("w * h <= 4294967296",
            plane_grad_launch(1, 1, 0, 0, a.y, a.x, 65536, 65537, a.d_y, a.d_x, nullptr, 0));
    REFUSED("4 * n <= 4294967296",
            records_grad_launch(1, 1, 0, 0, a.y, a.x, 0x40000001u, a.d_y, a.d_x, nullptr, 0));
    REFUSED("n * k <= 4294967296",
            rows_of_threads_grad_launch(1, 1, 0, 0, a.y, a.x, 3, 0x60000000u, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.x * blockDim.x + n <= 4294967296",
            grid_stride_grad_launch(1, 32, 0, 0, a.y, a.x, 0xffffffffu, a.d_y, a.d_x, nullptr, 0));
    REFUSED("32 * gridDim.x <= 4294967296",
            of_warps_grad_launch((1u << 27) + 1, 1, 0, 0, a.y, a.x, a.z, 8, a.d_y, a.d_x, a.d_z, nullptr, 0));
}

TEST(an_axis_along_which_the_primal_would_write_one_cell_twice) {
    arrays a;
    REFUSED("gridDim.y == 1",
            listed_grad_launch(dim3(1, 2), 4, 0, 0, a.y, a.x, nullptr, 4, a.d_y, a.d_x, nullptr, 0));
    REFUSED("blockDim.z == 1",
            listed_grad_launch(1, dim3(4, 1, 2), 0, 0, a.y, a.x, nullptr, 4, a.d_y, a.d_x, nullptr, 0));
    REFUSED("gridDim.z == 1", tiles_grad_launch(dim3(1, 1, 2), dim3(8, 8), 0, 0, a.y, a.x, a.z, 4, a.d_y, a.d_x,
                                                a.d_z, nullptr, 0));
}

TEST(a_block_of_another_shape) {
    arrays a;
    REFUSED("blockDim.x == 8",
            tiles_grad_launch(1, dim3(4, 8), 0, 0, a.y, a.x, a.z, 4, a.d_y, a.d_x, a.d_z, nullptr, 0));
    REFUSED("blockDim.y == 8",
            tiles_grad_launch(1, dim3(8, 4), 0, 0, a.y, a.x, a.z, 4, a.d_y, a.d_x, a.d_z, nullptr, 0));
    REFUSED("blockDim.x % 32 == 0",
            warp_a_row_grad_launch(1, 48, 0, 0, a.y, a.x, 1, 8, a.d_y, a.d_x, nullptr, 0));
    REFUSED("blockDim.x % 4 == 0", coarse_grad_launch(1, 6, 0, 0, a.y, a.x, 6, a.d_y, a.d_x, nullptr, 0));
}
TEST_MAIN
