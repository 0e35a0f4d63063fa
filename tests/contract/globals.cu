// Variables at file scope in a request: an adjoint parameter for each, of a table that all threads read, of
// constant memory, and of a buffer that the kernel fills and reads on the way.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
enum { CELLS = 5 };

__device__ real table[CELLS];
__constant__ real weight[2][CELLS];
__device__ real scale;

GW_GRADIENT("y wrt x, table, scale")
GW_DERIVATIVE("y wrt x, table, scale")
__global__ void look_up(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * table[i % CELLS] * table[2] * scale;
}

GW_GRADIENT("y wrt weight")
GW_DERIVATIVE("y wrt weight")
__global__ void weigh(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < CELLS; k++) sum += weight[i % 2][k] * x[i] * weight[1][k];
    y[i] = sum;
}

__device__ real between[256];
GW_GRADIENT("y wrt x via between")
GW_DERIVATIVE("y wrt x via between")
__global__ void by_way_of(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    between[i] = x[i] * x[i];
    y[i] = between[i] * x[i] + between[i];
}

#include "globals.grad.cuh"

static const int n = 200;
static const dim3 grid(2), block(128);

static std::vector<real> numbers(uint64_t seed, size_t count) {
    check::generator random{seed};
    std::vector<real> values(count);
    for (real &v : values) v = random.uniform(0.5, 1.5);
    return values;
}
static const std::vector<real> X = numbers(1, n), SEED = numbers(2, n), ALONG = numbers(3, n),
                               T = numbers(4, CELLS), T_ALONG = numbers(5, CELLS);

static void set_table(real factor) {
    cudaMemcpyToSymbol(table, T.data(), sizeof table);
    cudaMemcpyToSymbol(scale, &factor, sizeof factor);
}

TEST(a_table_and_a_number_have_adjoint_parameters) {
    set_table(1.25);
    check::array<real> y{std::vector<real>(n)}, x{X}, d_y{SEED}, d_x{std::vector<real>(n)},
        d_table{std::vector<real>(CELLS, 3)}, d_scale{std::vector<real>(1)};
    EXPECT_STATUS(look_up_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, d_table, d_scale, nullptr, 0),
                  GW_OK);
    std::vector<real> wanted(CELLS, 3), got = d_table.get(), d = d_x.get();
    real of_scale = 0;
    for (int i = 0; i < n; i++) {
        wanted[i % CELLS] += SEED[i] * X[i] * T[2] * 1.25;
        wanted[2] += SEED[i] * X[i] * T[i % CELLS] * 1.25;
        of_scale += SEED[i] * X[i] * T[i % CELLS] * T[2];
        EXPECT_NEAR(d[i], SEED[i] * T[i % CELLS] * T[2] * 1.25, 1e-13);
    }
    for (int k = 0; k < CELLS; k++) EXPECT_NEAR(got[k], wanted[k], 1e-11);
    EXPECT_NEAR(d_scale.get()[0], of_scale, 1e-11);
}

TEST(a_table_and_a_number_have_tangents) {
    set_table(1.25);
    check::array<real> y{std::vector<real>(n)}, x{X}, t_y{std::vector<real>(n)}, t_x{ALONG}, t_table{T_ALONG},
        t_scale{std::vector<real>(1, -2)};
    EXPECT_STATUS(look_up_jvp_launch(grid, block, 0, 0, y, x, n, t_y, t_x, t_table, t_scale), GW_OK);
    std::vector<real> got = t_y.get();
    for (int i = 0; i < n; i++) {
        const real a = T[i % CELLS], t_a = T_ALONG[i % CELLS];
        EXPECT_NEAR(got[i],
                    (ALONG[i] * a * T[2] + X[i] * (t_a * T[2] + a * T_ALONG[2])) * 1.25 - 2 * X[i] * a * T[2],
                    1e-12);
    }
}

TEST(constant_memory_has_an_adjoint_in_ordinary_memory) {
    const std::vector<real> w = numbers(6, 2 * CELLS);
    cudaMemcpyToSymbol(weight, w.data(), sizeof weight);
    check::array<real> y{std::vector<real>(n)}, x{X}, d_y{SEED}, d_weight{std::vector<real>(2 * CELLS)},
        t_y{std::vector<real>(n)}, t_weight{numbers(7, 2 * CELLS)};
    real *cells = d_weight;
    EXPECT_STATUS(weigh_grad_launch(grid, block, 0, 0, y, x, n, d_y, (real(*)[CELLS])cells, nullptr, 0), GW_OK);
    std::vector<real> wanted(2 * CELLS), got = d_weight.get(), along = t_weight.get();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < CELLS; k++) {
            wanted[i % 2 * CELLS + k] += SEED[i] * X[i] * w[CELLS + k];
            wanted[CELLS + k] += SEED[i] * X[i] * w[i % 2 * CELLS + k];
        }
    for (int k = 0; k < 2 * CELLS; k++) EXPECT_NEAR(got[k], wanted[k], 1e-11);
    const real *tangents = t_weight;
    EXPECT_STATUS(weigh_jvp_launch(grid, block, 0, 0, y, x, n, t_y, (const real(*)[CELLS])tangents), GW_OK);
    std::vector<real> t = t_y.get();
    real forward = 0, reverse = 0;
    for (int i = 0; i < n; i++) forward += SEED[i] * t[i];
    for (int k = 0; k < 2 * CELLS; k++) reverse += wanted[k] * along[k];
    EXPECT_NEAR(forward, reverse, 1e-9);
}

TEST(a_buffer_on_the_way_has_an_adjoint_that_is_consumed) {
    check::array<real> y{std::vector<real>(n)}, x{X}, d_y{SEED}, d_x{std::vector<real>(n)},
        d_between{std::vector<real>(256)};
    EXPECT_STATUS(by_way_of_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, d_between, nullptr, 0), GW_OK);
    std::vector<real> d = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d[i], SEED[i] * (3 * X[i] * X[i] + 2 * X[i]), 1e-13);
    for (real v : d_between.get()) EXPECT(v == 0);
    check::array<real> t_y{std::vector<real>(n)}, t_x{ALONG}, t_between{std::vector<real>(256)};
    EXPECT_STATUS(by_way_of_jvp_launch(grid, block, 0, 0, y, x, n, t_y, t_x, t_between), GW_OK);
    std::vector<real> t = t_y.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(t[i], ALONG[i] * (3 * X[i] * X[i] + 2 * X[i]), 1e-13);
}

TEST_MAIN
