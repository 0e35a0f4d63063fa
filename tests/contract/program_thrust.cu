// Thrust in programs: vectors on the device and on the host, element-wise algorithms with functors and lambdas,
// sums, and iterators; compiled with whatever Thrust there is.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <algorithm>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

template <class T> struct scaled {
    T by;
    __host__ __device__ T operator()(T x) const { return by * x * x; }
};
template <class T> struct neighbours {
    T *y;
    const T *from;
    __host__ __device__ void operator()(int i) const { y[i] = from[i] * from[i + 1]; }
};
template <class T> struct larger {
    __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

// Copies, assignments, elements, sizes that change.
template <class T> static void vectors(T *y, const T *x, T a, int n) {
    const thrust::device_ptr<const T> first(x);
    thrust::device_vector<T> u(n), v((size_t)n, (T)0.5);
    thrust::copy(first, first + n, u.begin());
    thrust::transform(u.begin(), u.end(), u.begin(), scaled<T>{a});
    thrust::transform(thrust::device, u.begin(), u.end(), v.begin(), v.begin(), thrust::multiplies<T>());
    thrust::device_vector<T> w = v;
    w.resize(n + 2);
    w[n] = w[0] * a;
    thrust::host_vector<T> h = w;
    h[1] += 1;
    w = h;
    const T *const from = thrust::raw_pointer_cast(w.data());
    thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n),
                     neighbours<T>{y, from});
    u.swap(w); // w is as long as x now
    thrust::copy(w.begin() + 3, w.end(), thrust::device_pointer_cast(y) + 3);
    thrust::fill(w.begin(), w.end(), a);
    thrust::copy(w.begin(), w.begin() + 1, thrust::device_pointer_cast(y) + 2);
}
GW_GRADIENT("y wrt x, a") void vectors_of_double(double *y, const double *x, double a, int n) {
    vectors(y, x, a, n);
}
GW_GRADIENT("y wrt x, a") void vectors_of_float(float *y, const float *x, float a, int n) {
    vectors(y, x, a, n);
}

// Sums of many levels; the largest; nothing; by a permutation.
GW_GRADIENT("y wrt x, a") void sums(double *y, const double *x, double a, int n, int last) {
    const thrust::device_ptr<const double> first(x);
    thrust::device_vector<double> u(first, first + n), v(u.size());
    thrust::device_vector<int> order(n);
    thrust::sequence(order.begin(), order.end(), last, -1);
    thrust::gather(order.begin(), order.end(), u.begin(), v.begin()); // turned round
    const double all = thrust::reduce(u.begin(), u.end());
    const double most = thrust::reduce(thrust::device, u.begin(), u.end(), -1.0, larger<double>());
    const auto squared = [=] __host__ __device__(double w) { return a * w * w; };
    const double squares =
        thrust::transform_reduce(u.begin(), u.end(), squared, 0.5, thrust::plus<double>());
    const double product = thrust::inner_product(u.begin(), u.end(), v.begin(), 0.0);
    const double nothing = thrust::reduce(u.begin(), u.begin(), a);
    thrust::device_vector<double> out(5);
    out[0] = all * all, out[1] = most * a, out[2] = squares, out[3] = product, out[4] = nothing;
    thrust::scatter(out.begin(), out.end(), order.end() - 5, thrust::device_pointer_cast(y));
}
#include "program_thrust.grad.cuh"

namespace {

template <class T> std::vector<T> numbers(int n) {
    check::generator random = {5};
    std::vector<T> made;
    for (int i = 0; i < n; i++)
        made.push_back((T)random.uniform(0.2, 0.9));
    return made;
}

template <class T> std::vector<double> vectors_on_host(const std::vector<T> &x, double a) {
    const size_t n = x.size();
    std::vector<double> u, w, y(n);
    for (T v : x)
        u.push_back(a * (double)v * (double)v), w.push_back(0.5 * u.back());
    w.push_back(w[0] * a), w.push_back(0);
    w[1] += 1;
    for (size_t i = 0; i < n; i++)
        y[i] = i < 3 ? w[i] * w[i + 1] : u[i];
    y[2] = a;
    return y;
}

template <class T, class G> void check_vectors(check::trial &trial, G gradient, double tolerance) {
    enum { N = 9 };
    const std::vector<T> x = numbers<T>(N);
    const T a = (T)1.25;
    std::vector<T> seed;
    for (int i = 0; i < N; i++)
        seed.push_back((T)(1 + i));
    check::array<T> y(std::vector<T>((size_t)N, 0)), at(x), d_y(seed), d_x(std::vector<T>((size_t)N, 0));
    T d_a = 0;
    EXPECT_STATUS(gradient(y, at, a, (int)N, d_y, d_x, &d_a), GW_OK);
    EXPECT_DEVICE_OK();
    const auto loss = [&](const std::vector<double> &p, double by) {
        const std::vector<double> out = vectors_on_host(p, by);
        double sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += (double)seed[i] * out[i];
        return sum;
    };
    const std::vector<double> exact(x.begin(), x.end());
    const double h = 1e-5;
    const std::vector<double> value = vectors_on_host(exact, a);
    for (size_t i = 0; i < N; i++) {
        std::vector<double> more = exact, less = exact;
        more[i] += h, less[i] -= h;
        EXPECT(check::near((double)y.get()[i], value[i], tolerance, 1));
        EXPECT(check::near((double)d_x.get()[i], (loss(more, a) - loss(less, a)) / (2 * h), tolerance, 1));
    }
    EXPECT(check::near((double)d_a, (loss(exact, a + h) - loss(exact, a - h)) / (2 * h), tolerance, 1));
}

TEST(vectors_of_double) {
    check_vectors<double>(trial, [](auto &&...p) { return vectors_of_double_grad(p...); }, 1e-7);
}
TEST(vectors_of_float) {
    check_vectors<float>(trial, [](auto &&...p) { return vectors_of_float_grad(p...); }, 2e-5);
}

void check_sums(check::trial &trial, int n) {
    const std::vector<double> x = numbers<double>(n);
    const double a = 1.25;
    const size_t count = (size_t)n, largest = (size_t)(std::max_element(x.begin(), x.end()) - x.begin());
    check::array<double> y(std::vector<double>(count, 0)), at(x), d_x(std::vector<double>(count, 0));
    // out is scattered to 4, 3, 2, 1, 0: the derivatives of all^2, most, squares, product and nothing get these
    std::vector<double> seed(count, 0);
    seed[4] = 2, seed[3] = 3, seed[2] = 5, seed[1] = 7, seed[0] = 11;
    check::array<double> d_y(seed);
    double d_a = 0, all = 0, squares = 0;
    for (double v : x)
        all += v, squares += v * v;
    EXPECT_STATUS(sums_grad(y, at, a, n, n - 1, d_y, d_x, &d_a), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(check::near(y.get()[4], all * all, 1e-12, 1));
    EXPECT(check::near(y.get()[3], x[largest] * a, 1e-12, 1));
    EXPECT(check::near(y.get()[2], 0.5 + a * squares, 1e-12, 1));
    EXPECT_NEAR(y.get()[0], a, 0);
    EXPECT(check::near(d_a, 3 * x[largest] + 5 * squares + 11, 1e-12, 1));
    // of the product of x and x turned round: the mirror's x, twice
    const std::vector<double> got = d_x.get();
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const double mirror = x[count - 1 - i], of_most = i == largest ? 3 * a : 0;
        const double want = 2 * 2 * all + of_most + 5 * 2 * a * x[i] + 7 * 2 * mirror;
        worst = std::max(worst, std::fabs(got[i] - want) / std::fabs(want));
    }
    EXPECT(worst < 1e-11);
}

TEST(sums_of_few) { check_sums(trial, 5); }
TEST(sums_of_a_block) { check_sums(trial, 4096); }
TEST(sums_of_many) { check_sums(trial, 10007); }

} // namespace
TEST_MAIN
