// What a forward derivative does to memory: one test for each sentence of the contract, against closed forms.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_DERIVATIVE("y wrt x")
__global__ void square(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}

GW_DERIVATIVE("y wrt x")
__global__ void every_third(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n && i % 3 == 0) y[i] = 2 * x[i];
}

GW_DERIVATIVE("y wrt x")
__global__ void constant_first(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = i == 0 ? 5 : 3 * x[i];
}

GW_DERIVATIVE("y wrt x")
__global__ void added_to(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] += 3 * x[i];
}

GW_DERIVATIVE("x wrt x")
__global__ void cube_in_place(real *x, int n) {
    int i = HERE;
    if (i < n) x[i] = x[i] * x[i] * x[i];
}

// An update that only one thread performs: no other thread may put the cell back.
GW_DERIVATIVE("y wrt x")
__global__ void one_updates(real *y, const real *x, int chosen, int n) {
    int i = HERE;
    for (int k = 0; k < n; k++)
        if (i == chosen) y[0] += x[k] * x[k];
}

struct line {
    real slope, offset;
    int unused;
};

GW_DERIVATIVE("y wrt x, l, k")
__global__ void by_value(real *y, const real *x, line l, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = l.slope * x[i] + l.offset * k;
}

// Written, but not asked for: it stays an output of the primal alone.
GW_DERIVATIVE("y wrt x")
__global__ void aside(real *y, real *log, const real *x, int n) {
    int i = HERE;
    if (i >= n) return;
    log[i] = x[i] * x[i];
    y[i] = 2 * log[i];
}

GW_DERIVATIVE("wrt x, y")
__device__ real product(real x, real y) { return x * y; }

#include "forward.grad.cuh"

__global__ void call_product(real *out) {
    out[0] = product_jvp(2, 3, 10, 100, &out[1]);
}

using check::array;
typedef std::vector<real> numbers;

TEST(the_primal_is_computed_and_the_tangents_of_outputs) {
    array<real> y{0, 0, 0}, x{1, 2, 3}, t_y{7, 7, 7}, t_x{1, 10, 100};
    EXPECT(square_jvp_launch(1, 4, 0, 0, y, x, 3, t_y, t_x) == GW_OK);
    EXPECT(y.get() == (numbers{1, 4, 9}) && t_y.get() == (numbers{2, 40, 600}));
    EXPECT(x.get() == (numbers{1, 2, 3}) && t_x.get() == (numbers{1, 10, 100}));
}

TEST(it_is_a_kernel_too) {
    array<real> y{0, 0, 0}, x{1, 2, 3}, t_y{7, 7, 7}, t_x{1, 10, 100};
    square_jvp<<<3, 1>>>(y, x, 3, t_y, t_x);
    EXPECT(t_y.get() == (numbers{2, 40, 600}));
}

TEST(a_cell_that_is_not_overwritten_keeps_its_tangent) {
    array<real> y{0, 1, 2, 3}, x{1, 2, 3, 4}, t_y{7, 8, 9, 10}, t_x{1, 1, 1, 5};
    EXPECT(every_third_jvp_launch(1, 4, 0, 0, y, x, 4, t_y, t_x) == GW_OK);
    EXPECT(y.get() == (numbers{2, 1, 2, 8}) && t_y.get() == (numbers{2, 8, 9, 10}));
}

TEST(a_constant_that_is_stored_has_the_tangent_zero) {
    array<real> y{0, 0}, x{1, 2}, t_y{7, 8}, t_x{1, 10};
    EXPECT(constant_first_jvp_launch(1, 2, 0, 0, y, x, 2, t_y, t_x) == GW_OK);
    EXPECT(y.get() == (numbers{5, 6}) && t_y.get() == (numbers{0, 30}));
}

TEST(the_tangent_of_an_output_that_is_read_goes_in) {
    array<real> y{1, 2}, x{1, 2}, t_y{7, 8}, t_x{1, 10};
    EXPECT(added_to_jvp_launch(1, 2, 0, 0, y, x, 2, t_y, t_x) == GW_OK);
    EXPECT(y.get() == (numbers{4, 8}) && t_y.get() == (numbers{10, 38}));
}

TEST(an_input_that_is_overwritten_has_one_tangent_in_and_out) {
    array<real> x{1, 2}, t_x{1, 10};
    EXPECT(cube_in_place_jvp_launch(1, 2, 0, 0, x, 2, t_x) == GW_OK);
    EXPECT(x.get() == (numbers{1, 8}) && t_x.get() == (numbers{3, 120}));
}

TEST(a_cell_that_a_thread_does_not_write_is_not_put_back) {
    array<real> y{1}, x{1, 2}, t_y{7}, t_x{1, 10};
    EXPECT(one_updates_jvp_launch(4, 8, 0, 0, y, x, 13, 2, t_y, t_x) == GW_OK);
    EXPECT(y.get() == numbers{6} && t_y.get() == numbers{49});
}

TEST(what_is_passed_by_value_has_its_tangent_by_value) {
    array<real> y{0, 0}, x{1, 2}, t_y{7, 8}, t_x{1, 10};
    line l = {2, 3, 4}, t_l = {5, 6, 7};
    EXPECT(by_value_jvp_launch(1, 2, 0, 0, y, x, l, 2.0, 2, t_y, t_x, t_l, 1.0) == GW_OK);
    EXPECT(y.get() == (numbers{8, 10}) && t_y.get() == (numbers{2 + 5 + 12 + 3, 20 + 10 + 12 + 3}));
}

TEST(an_output_that_is_not_asked_for_is_written_without_tangent) {
    array<real> y{0}, log{0}, x{3}, t_y{7}, t_x{1};
    EXPECT(aside_jvp_launch(1, 1, 0, 0, y, log, x, 1, t_y, t_x) == GW_OK);
    EXPECT(y.get() == numbers{18} && log.get() == numbers{9} && t_y.get() == numbers{12});
}

TEST(a_function_returns_its_value_and_the_tangent_through_a_pointer) {
    array<real> out{0, 0};
    call_product<<<1, 1>>>(out);
    EXPECT(out.get() == (numbers{6, 230}));
}

TEST_MAIN
