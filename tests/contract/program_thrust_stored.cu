// Vectors of Thrust's made from those of the standard library, and copied to them; functors with constructors;
// one header, which brings along what Thrust's does. Against closed forms.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <thrust/device_vector.h>

typedef thrust::device_vector<double> numbers;

class scaled_sum {
  public:
    double by;
    __host__ __device__ scaled_sum(double factor) : by(factor) {}
    __host__ __device__ double operator()(double a, double b) const { return by * a + b; }
};

// y = (p x)^2 + 2 p x + p ; total = 3 p + sum of x
GW_GRADIENT("y, total wrt x, p")
void stored(numbers &y, numbers &total, const numbers &x, double p) {
    std::vector<double> h(x.size()), kept;
    thrust::copy(x.begin(), x.end(), h.begin());
    for (double &v : h)
        v *= p;
    numbers a = h, b(h.begin(), h.end()), c, d{p, p, p}, e(h.data(), h.data() + h.size()), f(3, 8.0);
    c = h;
    e.assign(h.begin(), h.end());
    f.assign(h.data(), h.data() + h.size());
    thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), thrust::multiplies<double>());
    thrust::transform(c.begin(), c.end(), a.begin(), a.begin(), scaled_sum(2));
    thrust::transform(thrust::constant_iterator<double>(1), thrust::constant_iterator<double>(1) + x.size(),
                      a.begin(), a.begin(), scaled_sum(p));
    thrust::transform(a.begin(), a.end(), e.begin(), e.begin(), thrust::minus<double>());
    thrust::transform(e.begin(), e.end(), f.begin(), y.begin(), thrust::plus<double>());
    total[0] = thrust::reduce(d.begin(), d.end()) + thrust::reduce(x.begin(), x.end());
}
#include "program_thrust_stored.grad.cuh"

namespace {

TEST(stored) {
    const std::vector<double> at = {0.5, 0.75, 1, 1.5, 2};
    const double p = 0.75;
    numbers y(5), total(1), x = at, d_y(5, 1.0), d_total(1, 10.0), d_x(5);
    double d_p = 0, want_p = 30;
    EXPECT_STATUS(stored_grad(y, total, x, p, d_y, d_total, d_x, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    double sum = 3 * p;
    for (size_t i = 0; i < 5; i++) {
        const double v = at[i];
        sum += v;
        want_p += 2 * p * v * v + 2 * v + 1;
        EXPECT_NEAR((double)y[i], p * p * v * v + 2 * p * v + p, 1e-14);
        EXPECT_NEAR((double)d_x[i], 2 * p * p * v + 2 * p + 10, 1e-13);
    }
    EXPECT_NEAR((double)total[0], sum, 1e-14);
    EXPECT_NEAR(d_p, want_p, 1e-13);
}

} // namespace
TEST_MAIN
