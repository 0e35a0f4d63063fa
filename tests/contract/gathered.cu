// A kernel that gathers over the grid in a fixed order: what its launch is checked for
// (rewriters/gather/share.c).
#include "../support/check.cuh"

typedef double real;

BOTH("y wrt a")
__global__ void rows(real *y, const real *a, int n, int depth) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), row = i / n, column = i % n;
    real sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * a[row * depth + k] * (column + 1);
    y[i] = sum;
}

#include "gathered.grad.cuh"

#include "../support/expect.cuh"

CHECK_KERNEL(rows, 4, 8, out(32), in(7 * 6), 5, 6)

TEST(rows_of_a_negative_length_are_refused_and_nothing_is_touched) {
    const std::vector<real> ones(32, 1.0), zeros(96, 0.0);
    check::array<real> y{ones}, a{zeros}, d_y{ones}, d_a{zeros};
    EXPECT_STATUS(rows_grad_launch(4, 8, 0, 0, y, a, -5, 6, d_y, d_a, nullptr, 0), GW_ERROR_LAUNCH);
    EXPECT(std::string(gw_last_error()).find("n >= 0") != std::string::npos);
    EXPECT_DEVICE_OK();
    EXPECT(d_y.get() == ones && d_a.get() == zeros);
}
TEST_MAIN
