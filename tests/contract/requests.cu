// What a request may be about: several on one kernel, overloads, templates, members, functions in namespaces.
#include "../support/expect.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("z wrt x")
GW_GRADIENT("both_grad = z wrt x, y")
GW_GRADIENT("scale_of = z wrt k")
GW_DERIVATIVE("along_x = z wrt x")
__global__ void product(real *z, const real *x, const real *y, real k, int n) {
    int i = HERE;
    if (i < n) z[i] = k * x[i] * y[i] * y[i];
}

// One needs a workspace, the other does not.
GW_GRADIENT("y wrt k")
GW_GRADIENT("power_wrt_x = y wrt x, k")
__global__ void power(real *y, const real *x, real k, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int s = 0; s < steps; s++) v = v * v;
    y[i] = v * k;
}

GW_GRADIENT("y wrt x") __global__ void scale(float *y, const float *x, int n) {
    int i = HERE;
    if (i < n) y[i] = 2 * x[i];
}
GW_GRADIENT("y wrt x") __global__ void scale(double *y, const double *x, int n) {
    int i = HERE;
    if (i < n) y[i] = 3 * x[i] * x[i];
}
GW_GRADIENT("y wrt x") __global__ void scale(double *y, const double *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    double v = x[i];
    for (int s = 0; s < steps; s++) v *= v;
    y[i] = v;
}

template <int C, class T = real> GW_GRADIENT("out wrt in")
__global__ void channels(T *out, const T *__restrict__ in, int n) {
    int i = HERE;
    if (i >= n) return;
    T s = 0;
    for (int c = 0; c < C; c++) s += in[i * C + c] * in[i * C + c];
    if constexpr (C > 2) s = 2 * s;
    out[i] = s;
}

template <class T, bool twice> GW_GRADIENT("y wrt x") GW_GRADIENT("iterate_named = y wrt x")
__global__ void iterate(T *y, const T *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    T v = x[i];
    for (int s = 0; s < steps; s++) v = twice ? v * v : v * T(1.5);
    y[i] = v;
}

// Nobody launches it here: it is instantiated explicitly.
template <int N> GW_GRADIENT("y wrt x") __global__ void scaled_by(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = N * x[i];
}
template __global__ void scaled_by<5>(real *, const real *, int);

namespace outer { namespace inner {
GW_GRADIENT("y wrt x") __global__ void square(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i];
}
}}

namespace {
struct pair { real a, b; };
[[maybe_unused]] GW_GRADIENT("y wrt x") __global__ void hidden(real *y, const pair *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i].a * x[i].b;
}
}
[[maybe_unused]] GW_GRADIENT("y wrt x") static __global__ void internal(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * x[i];
}

struct spring {
    real stiffness, rest;
    GW_GRADIENT("wrt x, stiffness") __host__ __device__ real energy(real x) const {
        return stiffness * (x - rest) * (x - rest) / 2;
    }
    GW_GRADIENT("wrt x") __device__ static real cube(real x) { return x * x * x; }
};
template <class T> struct line {
    T slope, offset;
    GW_GRADIENT("wrt slope, x") __device__ T at(T x) const { return slope * x + offset; }
};
template <class T, int N> GW_GRADIENT("wrt x") __device__ T norm(const T *x, T power) {
    T s = 0;
    for (int i = 0; i < N; i++) s += x[i] * x[i];
    return s * power;
}
__global__ void use_line(real *y, real *z, const real *x) {
    line<real> l = {2, 1};
    y[0] = l.at(x[0]);
    z[0] = norm<real, 3>(x, 2);
}

// A promise between the request and the function is no function's name: two templates may have one each.
template <class T> GW_GRADIENT("y wrt x") GW_INJECTIVE(to)
__global__ void moved(T *y, const T *x, const int *to) { y[to[threadIdx.x]] = x[threadIdx.x]; }
template <class T, int N> GW_GRADIENT("y wrt x") GW_INJECTIVE(to)
__global__ void scaled_and_moved(T *y, const T *x, const int *to) { y[to[threadIdx.x]] = N * x[threadIdx.x]; }
template __global__ void moved<double>(double *, const double *, const int *);
template __global__ void scaled_and_moved<double, 3>(double *, const double *, const int *);

#include "requests.grad.cuh"

static const int n = 20, grid = 2, block = 16;
static const std::vector<real> X = [] {
    check::generator random{11};
    std::vector<real> values(3 * n);
    for (real &v : values) v = random.uniform(0.8, 1.1);
    return values;
}();
static const std::vector<real> ONES(3 * n, 1.0), ZEROS(3 * n, 0.0);

TEST(each_request_has_its_own_functions) {
    check::array<real> z(ONES), x(X), y(ONES), d_z(ONES), d_x(ZEROS), d_y(ZEROS), d_k(ZEROS);
    EXPECT_STATUS(product_grad_launch(grid, block, 0, 0, z, x, y, 2.0, n, d_z, d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x.get()[i], 2, 1e-14);
    check::array<real> seed(ONES), again(ZEROS);
    EXPECT(both_grad_workspace_bytes(grid, block, z, x, y, 2.0, n) == 0);
    both_grad<<<grid, block>>>(z, x, y, 2.0, n, seed, again, d_y);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_y.get()[i], 4 * X[i], 1e-14);
    EXPECT(again.get() == d_x.get());
    check::array<real> third(ONES);
    EXPECT_STATUS(scale_of_launch(grid, block, 0, 0, z, x, y, 2.0, n, third, d_k, nullptr, 0), GW_OK);
    real sum = 0;
    for (int i = 0; i < n; i++) sum += X[i];
    EXPECT_NEAR(d_k.get()[0], sum, 1e-12);
}

// An adjoint that is null where its array is not is told by its name, and nothing is launched; a scalar's is
// always wanted.
TEST(a_null_adjoint_is_named) {
    check::array<real> z(ONES), x(X), y(ONES), d_z(ONES), d_x(ZEROS);
    real *none = nullptr;
    EXPECT_STATUS(product_grad_launch(grid, block, 0, 0, z, x, y, 2.0, n, d_z, none, nullptr, 0),
                  GW_ERROR_ARGUMENT);
    EXPECT(std::string(gw_last_error()) == "product_grad_launch: 'd_x' is null");
    EXPECT_STATUS(product_grad_launch(grid, block, 0, 0, z, x, y, 2.0, n, none, d_x, nullptr, 0),
                  GW_ERROR_ARGUMENT);
    EXPECT_STATUS(scale_of_launch(grid, block, 0, 0, z, x, y, 2.0, n, d_z, none, nullptr, 0),
                  GW_ERROR_ARGUMENT);
    EXPECT(std::string(gw_last_error()) == "scale_of_launch: 'd_k' is null");
    EXPECT_STATUS(along_x_launch(grid, block, 0, 0, z, x, y, 2.0, n, d_z, none), GW_ERROR_ARGUMENT);
    // No elements: nothing is looked at.
    EXPECT_STATUS(product_grad_launch(grid, block, 0, 0, nullptr, nullptr, nullptr, 2.0, 0, nullptr, nullptr,
                                      nullptr, 0),
                  GW_OK);
    EXPECT_DEVICE_OK();
}
TEST(a_named_forward_derivative_has_the_name) {
    check::array<real> z(ZEROS), x(X), y(ONES), t_z(ZEROS), t_x(ONES);
    EXPECT_STATUS(along_x_launch(grid, block, 0, 0, z, x, y, 2.0, n, t_z, t_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(t_z.get()[i], 2, 1e-14);
}

TEST(each_request_has_its_own_workspace) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS), d_k(ZEROS);
    EXPECT(power_workspace_bytes(grid, block, y, x, 2.0, n, 3) == 0);
    check::device_bytes space(power_wrt_x_workspace_bytes(grid, block, y, x, 2.0, n, 3));
    EXPECT(space.size() > 0);
    EXPECT_STATUS(power_wrt_x_launch(grid, block, 0, 0, y, x, 2.0, n, 3, d_y, d_x, d_k, nullptr, 0),
                  GW_ERROR_WORKSPACE);
    EXPECT(std::string(gw_last_error()).find("power_wrt_x_launch") != std::string::npos);
    EXPECT_STATUS(
        power_wrt_x_launch(grid, block, 0, 0, y, x, 2.0, n, 3, d_y, d_x, d_k, space.data(), space.size()),
        GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x.get()[i], 16 * std::pow(X[i], 7), 1e-12);
    check::array<real> d_y2(ONES), d_k2(ZEROS);
    EXPECT_STATUS(power_grad_launch(grid, block, 0, 0, y, x, 2.0, n, 3, d_y2, d_k2, nullptr, 0), GW_OK);
    EXPECT_NEAR(d_k2.get()[0], d_k.get()[0], 1e-12);
}

TEST(gradients_of_overloads_are_overloads) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT_STATUS(scale_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x.get()[i], 6 * X[i], 1e-14);
    check::array<float> fy(std::vector<float>(n, 1)), fx(std::vector<float>(n, 1)),
        d_fy(std::vector<float>(n, 1)), d_fx(std::vector<float>(n, 0));
    scale_grad<<<grid, block>>>(fy.data(), (const float *)fx.data(), n, d_fy.data(), d_fx.data());
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_fx.get()[n - 1], 2, 1e-6);
    EXPECT(scale_workspace_bytes(grid, block, y, x, n) == 0);
    check::device_bytes space(scale_workspace_bytes(grid, block, y, x, n, 3));
    check::array<real> d_y2(ONES), d_x2(ZEROS);
    EXPECT_STATUS(scale_grad_launch(grid, block, 0, 0, y, x, n, 3, d_y2, d_x2, space.data(), space.size()),
                  GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x2.get()[i], 8 * std::pow(X[i], 7), 1e-12);
    EXPECT_STATUS(scale_grad_launch(dim3(grid, 2), block, 0, 0, y, x, n, d_y, d_x, nullptr, 0),
                  GW_ERROR_LAUNCH);
}

TEST(explicit_instantiations_have_gradients) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT_STATUS(scaled_by_grad_launch<5>(grid, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_x.get()[n - 1], 5, 1e-14);
}

TEST(gradients_of_instantiations_are_instantiations) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    channels<3><<<grid, block>>>(y.data(), (const real *)x.data(), n);
    channels<2, float><<<1, 1>>>((float *)nullptr, (const float *)nullptr, 0);
    EXPECT_STATUS(channels_grad_launch<3>(grid, block, 0, 0, y.data(), x.data(), n, d_y, d_x, nullptr, 0),
                  GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < 3 * n; i++) EXPECT_NEAR(d_x.get()[i], 4 * X[i], 1e-14);
    std::vector<float> F(2 * n, 1.5f);
    check::array<float> fy(F), fx(F), d_fy(std::vector<float>(n, 1)), d_fx(std::vector<float>(2 * n, 0));
    channels_grad<2, float><<<grid, block>>>(fy, fx, n, d_fy, d_fx);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_fx.get()[2 * n - 1], 3, 1e-6);
    EXPECT((channels_workspace_bytes<2, float>(grid, block, fy, fx, n)) == 0);
}

TEST(arguments_deduce_what_the_templates_arguments_are) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    iterate<real, true><<<grid, block>>>(y.data(), (const real *)x.data(), n, 0);
    iterate<real, false><<<grid, block>>>(y.data(), (const real *)x.data(), n, 0);
    check::device_bytes space(iterate_workspace_bytes<real, true>(grid, block, y, x, n, 3));
    EXPECT(space.size() > 0);
    EXPECT_STATUS(
        (iterate_grad_launch<real, true>(grid, block, 0, 0, y, x, n, 3, d_y, d_x, space.data(), space.size())),
        GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(d_x.get()[i], 8 * std::pow(X[i], 7), 1e-12);
    check::array<real> seed(ONES), linear(ZEROS);
    iterate_named<real, false><<<grid, block>>>(y, x, n, 3, seed, linear);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < n; i++) EXPECT_NEAR(linear.get()[i], 1.5 * 1.5 * 1.5, 1e-14);
}

TEST(a_gradient_stands_in_its_functions_namespace) {
    check::array<real> y(ONES), x(X), d_y(ONES), d_x(ZEROS);
    EXPECT_STATUS(outer::inner::square_grad_launch(grid, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_x.get()[1], 2 * X[1], 1e-14);
    check::array<pair> p(std::vector<pair>(n, pair{2, 3})), d_p(std::vector<pair>(n, pair{0, 0}));
    check::array<real> seed(ONES), seed2(ONES), d_x2(ZEROS);
    EXPECT_STATUS(hidden_grad_launch(grid, block, 0, 0, y, p, n, seed, d_p, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_p.get()[0].a, 3, 1e-14);
    EXPECT_NEAR(d_p.get()[0].b, 2, 1e-14);
    internal_grad<<<grid, block>>>(y, x, n, seed2, d_x2);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_x2.get()[2], 3 * X[2] * X[2], 1e-14);
}

__global__ void call_all(real *out, spring *d_s, line<real> *d_l, const real *x) {
    const spring s = {2, 1};
    const line<real> l = {2, 1};
    spring_energy_grad(s, 3, d_s, &out[0]);
    spring_cube_pullback(2, 5, &out[1]);
    line_at_grad(l, 7.0, d_l, &out[2]);
    norm_pullback<real, 3>(x, 2, 10, &out[3]);
    norm_grad<real, 3>(x, 2, &out[6]);
}

TEST(members_and_templates_of_the_device) {
    check::array<real> out(ZEROS), x(X), y(ZEROS), z(ZEROS);
    check::array<spring> springs(std::vector<spring>(1, spring{0, 0}));
    check::array<line<real>> lines(std::vector<line<real>>(1, line<real>{0, 0}));
    use_line<<<1, 1>>>(y, z, x);
    call_all<<<1, 1>>>(out, springs, lines, x);
    EXPECT_DEVICE_OK();
    const std::vector<real> got = out.get();
    const real wanted[] = {4, 60, 2, 40 * X[0], 40 * X[1], 40 * X[2], 4 * X[0], 4 * X[1], 4 * X[2]};
    for (int i = 0; i < 9; i++) EXPECT_NEAR(got[i], wanted[i], 1e-12);
    EXPECT(springs.get()[0].stiffness == 2 && springs.get()[0].rest == 0);
    EXPECT(lines.get()[0].slope == 7 && lines.get()[0].offset == 0);
    spring s = {2, 1}, d_s = {0, 0};
    real d_x = 0;
    spring_energy_grad(s, 3, &d_s, &d_x);
    EXPECT_NEAR(d_x, 4, 1e-14);
}

TEST_MAIN
