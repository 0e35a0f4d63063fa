// Thrust's iterators and element-wise algorithms in programs: zipped, permuted, transformed, three deep; one
// buffer that an algorithm is given several times, in place and moved; ranges of no and of one element. Each is
// compared with central differences of the program itself, run by its gradient.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

template <class T> struct product_of_both {
    T by;
    template <class U> __host__ __device__ T operator()(const U &t) const {
        return by * thrust::get<0>(t) * thrust::get<1>(t);
    }
};
template <class T> struct third_of_two {
    template <class U> __host__ __device__ void operator()(U t) const {
        thrust::get<2>(t) = thrust::get<0>(t) * thrust::get<0>(t) + thrust::get<1>(t);
    }
};
template <class T> struct squared {
    __host__ __device__ T operator()(T x) const { return x * x; }
};
struct turned {
    int last;
    __host__ __device__ int operator()(int i) const { return last - i; }
};
struct is_odd {
    __host__ __device__ bool operator()(int i) const { return i % 2 != 0; }
};

// Two ranges zipped, and what is written zipped too.
template <class T> static void zipped(T *y, const T *x, T a, int n) {
    const thrust::device_ptr<const T> first(thrust::device_pointer_cast(x));
    thrust::device_vector<T> u(first, first + n), v(n), w(n);
    thrust::transform(u.begin(), u.end(), v.begin(), squared<T>());
    const auto both = thrust::make_zip_iterator(thrust::make_tuple(u.begin(), v.begin()));
    thrust::transform(both, both + n, w.begin(), product_of_both<T>{a});
    const auto three = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), w.begin(), u.begin()));
    thrust::for_each(three, three + n, third_of_two<T>());
    thrust::copy(u.begin(), u.end(), thrust::device_pointer_cast(y));
}

// One buffer several times: in place through a tuple, twice in one tuple, and moved by one.
template <class T> static void met(T *y, const T *x, T a, int n) {
    const thrust::device_ptr<const T> first(thrust::device_pointer_cast(x));
    thrust::device_vector<T> u(first, first + n), v(n, a);
    const auto same = thrust::make_zip_iterator(thrust::make_tuple(u.begin(), u.begin()));
    thrust::transform(same, same + n, u.begin(), product_of_both<T>{a});
    if (n > 1) {
        thrust::transform(u.begin(), u.end() - 1, u.begin() + 1, v.begin(), thrust::multiplies<T>());
        const auto moved = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), v.begin() + 1));
        thrust::transform(moved, moved + (n - 1), u.begin(), product_of_both<T>{a});
    }
    thrust::adjacent_difference(u.begin(), u.end(), u.begin());
    thrust::adjacent_difference(u.begin(), u.end(), thrust::device_pointer_cast(y), thrust::plus<T>());
}

// Three deep: what is permuted by what is transformed, transformed; backward.
template <class T> static void deep(T *y, const T *x, T a, int n) {
    const thrust::device_ptr<const T> first(thrust::device_pointer_cast(x));
    thrust::device_vector<T> u(first, first + n), v(n);
    const auto map = thrust::make_transform_iterator(thrust::make_counting_iterator(0), turned{n - 1});
    const auto permuted = thrust::make_permutation_iterator(u.begin(), map);
    const auto squares = thrust::make_transform_iterator(permuted, squared<T>());
    thrust::transform(squares, squares + n, thrust::make_constant_iterator(a), v.begin(),
                      thrust::multiplies<T>());
    const auto last = thrust::make_reverse_iterator(v.end());
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(squares, last));
    thrust::transform(pairs, pairs + n, thrust::device_pointer_cast(y), product_of_both<T>{a});
}

// By index, with and without a condition; a lambda that takes anything.
template <class T> static void indexed(T *y, const T *x, T a, int n) {
    const thrust::device_ptr<const T> first(thrust::device_pointer_cast(x));
    thrust::universal_vector<T> u(first, first + n);
    thrust::device_vector<T> v(n, a), w(n, a);
    thrust::device_vector<int> order(n), odd(n);
    thrust::tabulate(order.begin(), order.end(), turned{n - 1});
    thrust::sequence(odd.begin(), odd.end());
    thrust::gather(order.begin(), order.end(), u.begin(), v.begin());
    thrust::scatter_if(v.begin(), v.end(), order.begin(), odd.begin(), w.begin(), is_odd());
    thrust::transform_if(w.begin(), w.end(), odd.begin(), w.begin(), squared<T>(), is_odd());
    thrust::scatter(w.begin(), w.end(), order.begin(), thrust::device_pointer_cast(y));
}

#define OF(T, name)                                                                                            \
    GW_GRADIENT("y wrt x, a") void name##_of_##T(T *y, const T *x, T a, int n) { name(y, x, a, n); }
OF(double, zipped)
OF(float, zipped)
OF(double, met)
OF(float, met)
OF(double, deep)
OF(float, deep)
OF(double, indexed)
OF(float, indexed)

GW_GRADIENT("y wrt x, a") void lambdas(double *y, const double *x, double a, int n) {
    const auto first = thrust::device_pointer_cast(x);
    thrust::device_vector<double> u(first, first + n);
    thrust::transform(u.begin(), u.end(), u.begin(), [by = 2 * a] __device__(auto v) { return by * v * v; });
    thrust::transform(u.begin(), u.end(), u.begin(), [] __device__(double v) { return v + v * v; });
    const double *const from = thrust::raw_pointer_cast(u.data());
    thrust::for_each_n(thrust::device, thrust::make_counting_iterator(0), n,
                       [=] __device__(int i) { y[n - 1 - i] = a * from[i]; });
}

// Backward from the end of one buffer, where another may begin.
GW_GRADIENT("y wrt x, z") void backward(double *y, const double *x, const double *z, int n) {
    thrust::copy_n(thrust::device, thrust::make_reverse_iterator(x + n), n, y);
    thrust::transform(thrust::device, y, y + n, z, y, thrust::multiplies<double>());
}
#include "program_iterators.grad.cuh"

namespace {

template <class T, class G>
std::vector<T> run(check::trial &trial, G gradient, const std::vector<T> &x, T a, std::vector<T> *d_x, T *d_a) {
    const int n = (int)x.size();
    std::vector<T> seed;
    for (int i = 0; i < n; i++)
        seed.push_back((T)(1 + i % 3));
    check::array<T> y(std::vector<T>(x.size(), 0)), at(x), d_y(seed), d(std::vector<T>(x.size(), 0));
    T d_by = 0;
    EXPECT_STATUS(gradient(y, at, a, n, d_y, d, &d_by), GW_OK);
    EXPECT_DEVICE_OK();
    if (d_x) *d_x = d.get(), *d_a = d_by;
    return y.get();
}

template <class T, class G> double loss(check::trial &trial, G gradient, const std::vector<T> &x, T a) {
    const std::vector<T> y = run<T>(trial, gradient, x, a, nullptr, nullptr);
    double sum = 0;
    for (size_t i = 0; i < y.size(); i++)
        sum += (double)(1 + i % 3) * (double)y[i];
    return sum;
}

// Differences are those of the double program, for the float one too.
template <class T, class G, class E> void compare(check::trial &trial, G gradient, E exact, size_t n) {
    check::generator random = {7};
    std::vector<T> x, d_x;
    for (size_t i = 0; i < n; i++)
        x.push_back((T)random.uniform(0.4, 0.9));
    const T a = (T)1.25;
    T d_a = 0;
    run<T>(trial, gradient, x, a, &d_x, &d_a);
    const std::vector<double> at(x.begin(), x.end());
    const double h = 1e-5, by = (double)a, tolerance = sizeof(T) == 8 ? 1e-6 : 2e-4;
    for (size_t i = 0; i < n; i++) {
        std::vector<double> more = at, less = at;
        more[i] += h, less[i] -= h;
        const double want =
            (loss<double>(trial, exact, more, by) - loss<double>(trial, exact, less, by)) / (2 * h);
        EXPECT(check::near((double)d_x[i], want, tolerance, 1));
    }
    const double want =
        (loss<double>(trial, exact, at, by + h) - loss<double>(trial, exact, at, by - h)) / (2 * h);
    EXPECT(check::near((double)d_a, want, tolerance, 1));
}

#define COMPARE(name)                                                                                          \
    TEST(name##_of_double_) {                                                                                  \
        const auto exact = [](auto &&...p) { return name##_of_double_grad(p...); };                            \
        for (size_t n : {(size_t)9, (size_t)1})                                                                \
            compare<double>(trial, exact, exact, n);                                                           \
    }                                                                                                          \
    TEST(name##_of_float_) {                                                                                   \
        const auto exact = [](auto &&...p) { return name##_of_double_grad(p...); };                            \
        for (size_t n : {(size_t)9, (size_t)1})                                                                \
            compare<float>(                                                                                    \
                trial, [](auto &&...p) { return name##_of_float_grad(p...); }, exact, n);                      \
    }
COMPARE(zipped)
COMPARE(met)
COMPARE(deep)
COMPARE(indexed)

TEST(lambdas_) {
    const auto gradient = [](auto &&...p) { return lambdas_grad(p...); };
    compare<double>(trial, gradient, gradient, 300);
}

// x and z are halves of one allocation; their adjoints are not. y0 = x1 z0, y1 = x0 z1.
TEST(backward_from_an_end) {
    check::array<double> both({2, 3, 5, 7}), out({0, 0}), d_out({10, 20}), d_x({1, 1}), d_z({1, 1});
    const double *const x = both;
    EXPECT_STATUS(backward_grad(out, x, x + 2, 2, d_out, d_x, d_z), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(out.get()[0], 3 * 5, 0);
    EXPECT_NEAR(out.get()[1], 2 * 7, 0);
    EXPECT_NEAR(d_x.get()[0], 1 + 20 * 7, 0);
    EXPECT_NEAR(d_x.get()[1], 1 + 10 * 5, 0);
    EXPECT_NEAR(d_z.get()[0], 1 + 10 * 3, 0);
    EXPECT_NEAR(d_z.get()[1], 1 + 20 * 2, 0);
}

// No elements need no launch.
TEST(nothing) {
    double y = 3, x = 2, d_y = 1, d_x = 5, d_a = 7;
    check::array<double> out({y}), at({x}), d_out({d_y}), d_at({d_x});
    EXPECT_STATUS(zipped_of_double_grad(out, at, 1.0, 0, d_out, d_at, &d_a), GW_OK);
    EXPECT_STATUS(met_of_double_grad(out, at, 1.0, 0, d_out, d_at, &d_a), GW_OK);
    EXPECT_STATUS(deep_of_double_grad(out, at, 1.0, 0, d_out, d_at, &d_a), GW_OK);
    EXPECT_STATUS(indexed_of_double_grad(out, at, 1.0, 0, d_out, d_at, &d_a), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(d_at.get()[0], 5, 0);
    EXPECT_NEAR(d_a, 7, 0);
}

// The numbers of met with two elements: u = a x^2, v0 = u0 u1, v1 = a, then u0 = a v0 v1 = a^4 x0^2 x1^2; y0 =
// u0. So dy0/dx0 = 2 a^4 x0 x1^2, dy0/dx1 = 2 a^4 x0^2 x1, dy0/da = 4 a^3 x0^2 x1^2.
TEST(met_by_hand) {
    const double a = 2, x0 = 3, x1 = 5;
    check::array<double> out({0, 0}), at({x0, x1}), d_out({1, 0}), d_at({0, 0});
    double d_a = 0;
    EXPECT_STATUS(met_of_double_grad(out, at, a, 2, d_out, d_at, &d_a), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(out.get()[0], a * a * a * a * x0 * x0 * x1 * x1, 0);
    EXPECT_NEAR(d_at.get()[0], 2 * a * a * a * a * x0 * x1 * x1, 0);
    EXPECT_NEAR(d_at.get()[1], 2 * a * a * a * a * x0 * x0 * x1, 0);
    EXPECT_NEAR(d_a, 4 * a * a * a * x0 * x0 * x1 * x1, 0);
}

} // namespace
TEST_MAIN
