// Scans, sorts, counts and extrema of Thrust in programs: gradients against differences, over several levels of
// parts; places of ties; none and one.
#include "../support/expect.cuh"

#include <gradwright/program.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
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
    GW_GRADIENT("loss wrt x") void ends_##T(T *loss, const T *x, int n) {                                      \
        thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                        \
        const T least = *thrust::min_element(p, p + n), most = *thrust::max_element(p, p + n);                 \
        *loss = 7 * least + most * most;                                                                       \
    }
PROGRAMS(float)
PROGRAMS(double)
#include "program_thrust_orders.grad.cuh"

namespace {

template <class T> using program = void (*)(T *, const T *, T, int);
const int MOST = 3000;

std::vector<double> distinct(int n) {
    std::vector<double> x;
    for (int i = 0; i < n; i++)
        x.push_back(((i * 37) % MOST - 0.47 * MOST) / (MOST * std::sqrt(n + 1.0)));
    return x;
}

double value(program<double> primal, const std::vector<double> &x, double c) {
    check::shared_array<double> loss({0});
    check::array<double> in(x);
    primal(loss, in, c, (int)x.size());
    cudaDeviceSynchronize();
    return loss.get()[0];
}

template <class T, class G>
void against_differences(program<double> primal, const G &gradient, int n, check::trial &trial) {
    const std::vector<double> x = distinct(n);
    gw_pool *pool = nullptr;
    size_t held = 0;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 3; run++) {
        check::shared_array<T> loss({0}), seed({1});
        check::array<T> in(std::vector<T>(x.begin(), x.end())), d_x(std::vector<T>(n, 0));
        T d_c = 0;
        EXPECT_STATUS(gradient(pool, (T *)loss, (const T *)in, (T)1.5, n, (T *)seed, (T *)d_x, &d_c), GW_OK);
        EXPECT_DEVICE_OK();
        if (run == 1) held = gw_pool_held(pool);
        if (run < 2) continue;
        EXPECT(gw_pool_held(pool) == held);
        const double h = 1e-7, tolerance = sizeof(T) == 4 ? 2e-3 : 1e-5;
        std::vector<T> got = d_x.get();
        double scale = 1;
        for (T g : got)
            scale = std::fmax(scale, std::fabs((double)g));
        for (int i = 0; i < n; i += n < 9 ? 1 : 131) {
            std::vector<double> more = x, less = x;
            more[i] += h, less[i] -= h;
            const double want = (value(primal, more, 1.5) - value(primal, less, 1.5)) / (2 * h);
            EXPECT(check::near(got[i], want, tolerance, scale));
        }
        const double want = (value(primal, x, 1.5 + h) - value(primal, x, 1.5 - h)) / (2 * h);
        EXPECT(check::near(d_c, want, tolerance, std::fmax(1, std::fabs(want))));
    }
    gw_pool_free(pool);
}

#define CASES(name)                                                                                            \
    TEST(name) {                                                                                               \
        for (int n : {0, 1, 2, 33, MOST}) {                                                                    \
            against_differences<float>(                                                                        \
                name##_double, [](auto... a) { return name##_float_grad_in(a...); }, n, trial);                \
            against_differences<double>(                                                                       \
                name##_double, [](auto... a) { return name##_double_grad_in(a...); }, n, trial);               \
        }                                                                                                      \
    }
CASES(sums)
CASES(others)
CASES(orders)

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

} // namespace
TEST_MAIN
