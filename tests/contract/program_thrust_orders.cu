// Scans, sorts, counts and extrema of Thrust in programs: gradients against differences, over several levels of
// parts; places of ties; none and one.
#include "../support/expect.cuh"

#include <gradwright/program.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>

template <class T> struct scaled_square {
    T by;
    __host__ __device__ T operator()(T x) const { return by * x * x; }
};
template <class T> struct is_positive {
    __host__ __device__ bool operator()(T x) const { return x > 0; }
};
/* associative: (1 + a)(1 + b) - 1 */
template <class T> struct compound {
    __host__ __device__ T operator()(T a, T b) const { return a + b + a * b; }
};

#define PROGRAMS(T)                                                                                            \
    GW_GRADIENT("loss wrt x, c") void sums_##T(T *loss, const T *x, T c, int n) {                              \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        thrust::device_vector<T> u(p, p + n), v(n), w(n);                                                      \
        thrust::inclusive_scan(p, p + n, v.begin());                                                           \
        thrust::exclusive_scan(u.begin(), u.end(), u.begin(), c);                                              \
        thrust::transform_inclusive_scan(v.begin(), v.end(), w.begin(), scaled_square<T>{c},                   \
                                         thrust::plus<T>());                                                   \
        const T a = thrust::inner_product(u.begin(), u.end(), w.begin(), (T)0);                                \
        thrust::transform_exclusive_scan(p, p + n, v.begin(), scaled_square<T>{c}, c, thrust::plus<T>());      \
        *loss = a + thrust::inner_product(v.begin(), v.end(), u.begin(), (T)0);                                \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void others_##T(T *loss, const T *x, T c, int n) {                            \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        thrust::device_vector<T> v(n), w(n);                                                                   \
        thrust::inclusive_scan(p, p + n, w.begin(), compound<T>());                                            \
        thrust::exclusive_scan(w.begin(), w.end(), v.begin(), c, thrust::maximum<T>());                        \
        *loss = thrust::inner_product(v.begin(), v.end(), w.begin(), (T)0);                                    \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void orders_##T(T *loss, const T *x, T c, int n) {                            \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        thrust::device_vector<T> keys(p, p + n), values(p, p + n), plain(p, p + n);                            \
        thrust::transform(values.begin(), values.end(), values.begin(), scaled_square<T>{c});                  \
        thrust::sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<T>());                   \
        thrust::inclusive_scan(keys.begin(), keys.end(), keys.begin());                                        \
        thrust::sort(plain.begin(), plain.end());                                                              \
        thrust::inclusive_scan(plain.begin(), plain.end(), plain.begin());                                     \
        *loss = thrust::inner_product(keys.begin(), keys.end(), values.begin(), (T)0) *                        \
                    (T)thrust::count_if(p, p + n, is_positive<T>()) +                                          \
                thrust::inner_product(plain.begin(), plain.end(), keys.begin(), (T)0);                         \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void in_steps_##T(T *loss, const T *x, T c, int n) {                          \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        thrust::device_vector<T> u(p, p + n);                                                                  \
        for (int t = 0; t < 3 && n; t++) {                                                                     \
            const T most = *thrust::max_element(u.begin(), u.end());                                           \
            const T share = (T)thrust::count_if(u.begin(), u.end(), is_positive<T>()) / (T)n;                  \
            thrust::transform(u.begin(), u.end(), u.begin(), scaled_square<T>{c * most + share});              \
            thrust::inclusive_scan(u.begin(), u.end(), u.begin(), thrust::maximum<T>());                       \
            thrust::transform(u.begin(), u.end(), p, u.begin(), thrust::plus<T>());                            \
        }                                                                                                      \
        *loss = thrust::inner_product(u.begin(), u.end(), p, (T)0);                                            \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void on_host_##T(T *loss, const T *x, T c, int n) {                           \
        const thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                  \
        thrust::host_vector<T> values(p, p + n), keys(values);                                                 \
        thrust::sort(values.begin(), values.end());                                                            \
        thrust::stable_sort_by_key(thrust::host, keys.begin(), keys.end(), values.begin(),                     \
                                   thrust::greater<T>());                                                      \
        thrust::device_vector<T> u(keys), v(values);                                                           \
        thrust::inclusive_scan(u.begin(), u.end(), u.begin());                                                 \
        *loss = c * thrust::inner_product(u.begin(), u.end(), v.begin(), c);                                   \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x") void ends_##T(T *loss, const T *x, int n) {                                      \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        const T least = *thrust::min_element(p, p + n), most = *thrust::max_element(p, p + n);                 \
        *loss = 7 * least + most * most;                                                                       \
    }
PROGRAMS(float)
PROGRAMS(double)

/* Smooth where the greatest are several: one maximum by its place, one by a reduction. */
struct exponential {
    double most;
    __host__ __device__ double operator()(double v) const { return exp(v - most); }
};
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x") void log_sum_exp(double *y, const double *x, int n) {
    const thrust::device_ptr<const double> p = thrust::device_pointer_cast(x);
    const double most = *thrust::max_element(p, p + n),
                 all = thrust::transform_reduce(p, p + n, exponential{most}, 0.0, thrust::plus<double>()),
                 top = thrust::reduce(p, p + n, -1e300, thrust::maximum<double>()),
                 sum = thrust::transform_reduce(p, p + n, exponential{top}, 0.0, thrust::plus<double>());
    *y = log(all) + most + 2 * (log(sum) + top);
}

/* Numbers by keys of another type, as tiles and depths are. */
#define SORTED_BY(K, name)                                                                                     \
    GW_GRADIENT("y wrt x") void by_##name(double *y, const K *key, const double *x, int n) {                   \
        const thrust::device_ptr<const K> from = thrust::device_pointer_cast(key);                             \
        thrust::device_vector<K> keys(from, from + n);                                                         \
        thrust::copy_n(thrust::device_pointer_cast(x), n, thrust::device_pointer_cast(y));                     \
        thrust::stable_sort_by_key(keys.begin(), keys.end(), thrust::device_pointer_cast(y));                  \
    }
#define OF_KEYS(X)                                                                                             \
    X(int, int)                                                                                                \
    X(unsigned, unsigned)                                                                                      \
    X(long long, long)                                                                                         \
    X(unsigned long long, unsigned_long)                                                                       \
    X(float, float)                                                                                            \
    X(double, double)
OF_KEYS(SORTED_BY)
/* A functor of another type than the numbers: they are cut to integers, and no derivative goes through. */
GW_GRADIENT("sum wrt x") void cut(double *sum, const double *x, int n) {
    thrust::device_ptr<const double> p = thrust::device_pointer_cast(x);
    thrust::device_vector<double> v(n);
    thrust::inclusive_scan(p, p + n, v.begin(), thrust::plus<int>());
    const double last = v[n - 1];
    *sum = last + 10 * thrust::reduce(p, p + n, 0.0, thrust::plus<int>());
}

#include "program_thrust_orders.grad.cuh"
#include "../support/sizes.cuh"

namespace {

CASES(sums)
CASES(others)
CASES(orders)
CASES(in_steps)
CASES(on_host)

// 7 to the first of the least, 2 most to the first of the greatest.
TEST(ends) {
    std::vector<double> x(200, 0.5), want(200, 0.0);
    x[40] = x[170] = -1, x[90] = x[91] = 3;
    want[40] = 7, want[90] = 6;
    check::shared_array<double> loss({0}), seed({1});
    check::array<double> in(x), d_x(std::vector<double>(200, 0.0));
    EXPECT_STATUS(ends_double_grad(loss, in, 200, seed, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(loss.get()[0] == 2 && d_x.get() == want);
}

TEST(log_sum_exp) {
    std::vector<double> values(100), along(100), zero(100, 0.0);
    double all = 0, tangent = 0;
    for (int i = 0; i < 100; i++) all += std::exp(values[i] = i % 40 == 3 ? 2 : 0.1 * (i % 7));
    for (int i = 0; i < 100; i++) tangent += (along[i] = 1 + i % 3) * 3 * std::exp(values[i]) / all;
    check::shared_array<double> y({0}), d_y({1}), t_y({0});
    check::array<double> x(values), d_x(zero), t_x(along);
    EXPECT_STATUS(log_sum_exp_grad(y, x, 100, d_y, d_x), GW_OK);
    EXPECT_STATUS(log_sum_exp_jvp(y, x, 100, t_y, t_x), GW_OK);
    for (int i = 0; i < 100; i++)
        EXPECT(check::near(d_x.get()[i], 3 * std::exp(values[i]) / all, 1e-13));
    EXPECT(check::near(t_y.get()[0], tangent, 1e-13));
}

// By keys 7 - i / 2: y is x from its last pair on, and what is told of y's place i goes to x's.
#define CHECK_SORTED_BY(K, name)                                                                               \
    TEST(by_##name) {                                                                                          \
        std::vector<K> key;                                                                                    \
        std::vector<double> x, seed, sorted, d_wanted;                                                         \
        for (int i = 0; i < 8; i++) {                                                                          \
            const int from = 6 - i / 2 * 2 + i % 2;                                                            \
            key.push_back((K)(7 - i / 2)), x.push_back(i + 0.5), seed.push_back(i + 1);                        \
            sorted.push_back(from + 0.5), d_wanted.push_back(from + 1.5);                                      \
        }                                                                                                      \
        check::array<K> keys(key);                                                                             \
        check::array<double> y(std::vector<double>(8, 0)), in(x), d_y(seed), d_x(std::vector<double>(8, 0.5)); \
        EXPECT_STATUS(by_##name##_grad(y, keys, in, 8, d_y, d_x), GW_OK);                                      \
        EXPECT_DEVICE_OK();                                                                                    \
        EXPECT(y.get() == sorted && d_x.get() == d_wanted && keys.get() == key);                               \
    }
OF_KEYS(CHECK_SORTED_BY)

TEST(cut_to_integers) {
    check::array<double> x(std::vector<double>(8, 1.5)), d_x(std::vector<double>(8, 0));
    double sum = 0, d_sum = 1;
    cut(&sum, x, 8);
    EXPECT(sum == 88);
    EXPECT_STATUS(cut_grad(&sum, x, 8, &d_sum, d_x), GW_OK);
    EXPECT(sum == 88 && d_x.get() == std::vector<double>(8, 0));
}

} // namespace
TEST_MAIN
