// What a gradient does to memory: one test for each sentence of the contract, against closed forms.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
__global__ void square(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void every_third(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n && i % 3 == 0) y[i] = 2 * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void positive_part(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n && x[i] > 0) y[i] = x[i] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void overwritten_twice(real *y, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = 100 * x[i];
    y[i] = x[i] * x[i] * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void added_to(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] += 3 * x[i];
}

GW_GRADIENT("y wrt x")
__global__ void scaled_in_place(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] *= x[i];
}

GW_GRADIENT("x wrt x")
__global__ void cube_in_place(real *x, int n) {
    int i = HERE;
    if (i < n) x[i] = x[i] * x[i] * x[i];
}

GW_GRADIENT("y wrt k")
__global__ void by_value_scalar(real *y, const real *x, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * k * x[i];
}

GW_GRADIENT("y wrt k")
__global__ void by_value_float(float *y, const float *x, float k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i];
}

struct line {
    real slope, offset;
    int unused;
};

GW_GRADIENT("y wrt x, l")
__global__ void by_value_struct(real *y, const real *x, line l, int n) {
    int i = HERE;
    if (i < n) y[i] = l.slope * x[i] + l.offset;
}

// The request names them in another order than the parameters stand in.
GW_GRADIENT("second, first wrt z, x")
__global__ void order_of_parameters(real *first, const real *x, real *second, const real *z, int n) {
    int i = HERE;
    if (i >= n) return;
    first[i] = 2 * x[i];
    second[i] = 3 * z[i];
}

GW_GRADIENT("y wrt x")
__global__ void not_in_the_request(real *y, real *z, const real *x, const real *w, int n) {
    int i = HERE;
    if (i >= n) return;
    y[i] = x[i] * w[i];
    z[i] = 7 * x[i];
}

#include "effects.grad.cuh"

static const int n = 40, grid = 3, block = 16;

static std::vector<real> numbers(uint64_t seed, double low, double high) {
    check::generator random{seed};
    std::vector<real> values(n);
    for (real &v : values) v = random.uniform(low, high);
    return values;
}
static const std::vector<real> X = numbers(1, 0.5, 1.5), SEED = numbers(2, -1, 1), BEFORE = numbers(3, 5, 6),
                               OLD = numbers(4, 8, 9);

// x and y with their adjoints: what most of the tests launch on.
struct pair_of_arrays {
    check::array<real> y{OLD}, x{X}, d_y{SEED}, d_x{BEFORE};
};
#define GRADIENT(f, m)                                                                                         \
    EXPECT_STATUS(f##_grad_launch(grid, block, 0, 0, m.y, m.x, n, m.d_y, m.d_x, nullptr, 0), GW_OK)

TEST(input_adjoints_are_accumulated) {
    pair_of_arrays m;
    GRADIENT(square, m);
    std::vector<real> d_x = m.d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x[i], BEFORE[i] + 2 * X[i] * SEED[i], 1e-14);
}

TEST(consumed_output_adjoints_are_zero) {
    pair_of_arrays m;
    GRADIENT(square, m);
    for (real v : m.d_y.get()) EXPECT(v == 0);
}

TEST(cells_that_no_thread_writes_keep_their_adjoint) {
    pair_of_arrays m;
    GRADIENT(every_third, m);
    std::vector<real> d_x = m.d_x.get(), d_y = m.d_y.get();
    for (int i = 0; i < n; i++) {
        EXPECT(d_y[i] == (i % 3 == 0 ? 0 : SEED[i]));
        EXPECT_NEAR(d_x[i], BEFORE[i] + (i % 3 == 0 ? 2 * SEED[i] : 0), 1e-14);
    }
}

TEST(cells_that_are_conditionally_not_written_keep_their_adjoint) {
    pair_of_arrays m;
    std::vector<real> x = numbers(5, -1, 1);
    m.x.set(x);
    GRADIENT(positive_part, m);
    std::vector<real> d_x = m.d_x.get(), d_y = m.d_y.get();
    int kept = 0;
    for (int i = 0; i < n; i++) {
        EXPECT(d_y[i] == (x[i] > 0 ? 0 : SEED[i]));
        EXPECT_NEAR(d_x[i], BEFORE[i] + (x[i] > 0 ? 2 * x[i] * SEED[i] : 0), 1e-14);
        kept += !(x[i] > 0);
    }
    EXPECT(kept > 0 && kept < n);
}

TEST(an_overwritten_store_has_no_adjoint) {
    pair_of_arrays m;
    GRADIENT(overwritten_twice, m);
    std::vector<real> d_x = m.d_x.get(), d_y = m.d_y.get();
    for (int i = 0; i < n; i++) {
        EXPECT(d_y[i] == 0);
        EXPECT_NEAR(d_x[i], BEFORE[i] + 3 * X[i] * X[i] * SEED[i], 1e-14);
    }
}

TEST(an_output_that_is_added_to_keeps_its_adjoint) {
    pair_of_arrays m;
    GRADIENT(added_to, m);
    std::vector<real> d_x = m.d_x.get(), d_y = m.d_y.get();
    for (int i = 0; i < n; i++) {
        EXPECT(d_y[i] == SEED[i]);
        EXPECT_NEAR(d_x[i], BEFORE[i] + 3 * SEED[i], 1e-14);
    }
}

TEST(an_output_that_is_read_first_passes_its_adjoint_on) {
    pair_of_arrays m;
    GRADIENT(scaled_in_place, m);
    std::vector<real> d_x = m.d_x.get(), d_y = m.d_y.get();
    for (int i = 0; i < n; i++) {
        EXPECT_NEAR(d_y[i], SEED[i] * X[i], 1e-14);
        EXPECT_NEAR(d_x[i], BEFORE[i] + OLD[i] * SEED[i], 1e-14);
    }
}

TEST(x_wrt_x_has_one_adjoint_final_in_initial_out) {
    check::array<real> x(X), d_x(SEED);
    EXPECT_STATUS(cube_in_place_grad_launch(grid, block, 0, 0, x, n, d_x, nullptr, 0), GW_OK);
    std::vector<real> after = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(after[i], 3 * X[i] * X[i] * SEED[i], 1e-14);
    EXPECT(x.get() == X);
}

TEST(primal_bytes_are_as_they_were) {
    pair_of_arrays m;
    GRADIENT(square, m);
    GRADIENT(every_third, m);
    GRADIENT(overwritten_twice, m);
    GRADIENT(added_to, m);
    GRADIENT(scaled_in_place, m);
    EXPECT(m.y.get() == OLD);
    EXPECT(m.x.get() == X);
}

TEST(seeds_may_be_refilled_between_launches) {
    pair_of_arrays m;
    std::vector<real> second = numbers(6, 1, 2);
    GRADIENT(square, m);
    m.d_y.set(second);
    GRADIENT(square, m);
    std::vector<real> d_x = m.d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x[i], BEFORE[i] + 2 * X[i] * (SEED[i] + second[i]), 1e-14);
}

TEST(a_launch_without_new_seeds_adds_nothing) {
    pair_of_arrays m;
    GRADIENT(square, m);
    std::vector<real> once = m.d_x.get();
    GRADIENT(square, m);
    EXPECT(m.d_x.get() == once);
}

TEST(all_threads_accumulate_into_a_by_value_scalar) {
    check::array<real> y(OLD), x(X), d_y(SEED), d_k({1000.0});
    EXPECT_STATUS(by_value_scalar_grad_launch(grid, block, 0, 0, y, x, 1.5, n, d_y, d_k, nullptr, 0), GW_OK);
    real want = 1000;
    for (int i = 0; i < n; i++) want += 2 * 1.5 * X[i] * SEED[i];
    EXPECT_NEAR(d_k.get()[0], want, 1e-13);
}

TEST(a_float_scalar_has_a_float_adjoint) {
    std::vector<float> ones(n, 1.0f), x(X.begin(), X.end());
    check::array<float> y(ones), device_x(x), d_y(ones), d_k({2.0f});
    EXPECT_STATUS(by_value_float_grad_launch(grid, block, 0, 0, y, device_x, 0.5f, n, d_y, d_k, nullptr, 0),
                  GW_OK);
    double want = 2;
    for (float v : x) want += v;
    EXPECT_NEAR(d_k.get()[0], want, 1e-5);
}

TEST(all_threads_accumulate_into_a_by_value_struct) {
    check::array<real> y(OLD), x(X), d_y(SEED), d_x(BEFORE);
    check::array<line> d_l({line{10, 20, 77}});
    EXPECT_STATUS(
        by_value_struct_grad_launch(grid, block, 0, 0, y, x, line{2, 3, 4}, n, d_y, d_x, d_l, nullptr, 0),
        GW_OK);
    real slope = 10, offset = 20;
    std::vector<real> after = d_x.get();
    for (int i = 0; i < n; i++) {
        slope += X[i] * SEED[i];
        offset += SEED[i];
        EXPECT_NEAR(after[i], BEFORE[i] + 2 * SEED[i], 1e-14);
    }
    EXPECT_NEAR(d_l.get()[0].slope, slope, 1e-13);
    EXPECT_NEAR(d_l.get()[0].offset, offset, 1e-13);
    EXPECT(d_l.get()[0].unused == 77);
}

TEST(adjoints_stand_in_the_order_of_the_parameters) {
    check::array<real> first(OLD), x(X), second(OLD), z(X), d_first(SEED), d_x(BEFORE), d_second(X), d_z(OLD);
    EXPECT_STATUS(order_of_parameters_grad_launch(grid, block, 0, 0, first, x, second, z, n, d_first, d_x,
                                                  d_second, d_z, nullptr, 0),
                  GW_OK);
    std::vector<real> got_x = d_x.get(), got_z = d_z.get();
    for (int i = 0; i < n; i++) {
        EXPECT_NEAR(got_x[i], BEFORE[i] + 2 * SEED[i], 1e-14);
        EXPECT_NEAR(got_z[i], OLD[i] + 3 * X[i], 1e-14);
    }
}

TEST(what_is_not_in_the_request_takes_no_part) {
    check::array<real> y(OLD), z(OLD), x(X), w(BEFORE), d_y(SEED), d_x(BEFORE);
    EXPECT_STATUS(not_in_the_request_grad_launch(grid, block, 0, 0, y, z, x, w, n, d_y, d_x, nullptr, 0),
                  GW_OK);
    std::vector<real> got = d_x.get();
    for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], BEFORE[i] + BEFORE[i] * SEED[i], 1e-14);
    EXPECT(z.get() == OLD);
}

TEST_MAIN
