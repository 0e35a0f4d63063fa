// What Thrust chooses, counts and finds in programs: copies by a condition, partitions, neighbours that are
// equal, sums and scans by key, places, orders by the user's functors. Gradients against differences, over
// several levels of parts; by hand where values are equal or zero; none and one.
#include "../support/expect.cuh"

#include <gradwright/program.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <numeric>

template <class T> struct is_positive {
    __host__ __device__ bool operator()(T x) const { return x > 0; }
};
struct is_third {
    __host__ __device__ bool operator()(int i) const { return i % 3 == 1; }
};
struct by_seven {
    __host__ __device__ int operator()(int i) const { return i / 7; }
};
/* by size, whatever the sign */
template <class T> struct larger {
    __host__ __device__ bool operator()(T a, T b) const { return a * a > b * b; }
};
template <class T> struct by_parts {
    template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const {
        return thrust::get<0>(a) + thrust::get<1>(a) < thrust::get<0>(b) + thrust::get<1>(b);
    }
};
/* associative: (1 + a)(1 + b) - 1 */
template <class T> struct compound {
    __host__ __device__ T operator()(T a, T b) const { return a + b + a * b; }
};

/* What comes where: sum of (i + 1) v[i] w[i] over `count`. */
template <class T> static T weighed(thrust::device_vector<T> &v, thrust::device_vector<T> &w, int count) {
    thrust::device_vector<T> place(count);
    thrust::sequence(place.begin(), place.end(), (T)1, (T)0.01);
    thrust::transform(place.begin(), place.end(), v.begin(), place.begin(), thrust::multiplies<T>());
    return thrust::inner_product(place.begin(), place.end(), w.begin(), (T)0);
}

#define PROGRAMS(T)                                                                                            \
    GW_GRADIENT("loss wrt x, c") void chosen_##T(T *loss, const T *x, T c, int n) {                            \
        const thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                  \
        thrust::device_vector<T> u(p, p + n), v(n), w(n);                                                      \
        thrust::device_vector<int> index(n);                                                                   \
        thrust::sequence(index.begin(), index.end());                                                          \
        const int positive =                                                                                   \
            (int)(thrust::copy_if(u.begin(), u.end(), v.begin(), is_positive<T>()) - v.begin());               \
        const int thirds = (int)(thrust::copy_if(p, p + n, index.begin(), w.begin(), is_third()) - w.begin()); \
        const T a = weighed(v, u, positive) + c * weighed(w, u, thirds);                                       \
        const int middle = (int)(thrust::stable_partition(u.begin(), u.end(), is_positive<T>()) - u.begin());  \
        thrust::stable_partition_copy(p, p + n, index.begin(), v.begin(), w.begin(), is_third());              \
        const int left =                                                                                       \
            (int)(thrust::remove_if(v.begin(), v.begin() + thirds, is_positive<T>()) - v.begin());             \
        *loss = a + c * weighed(u, u, n) + weighed(v, w, left < n - thirds ? left : n - thirds) * (T)middle;   \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void by_key_##T(T *loss, const T *x, T c, int n) {                            \
        const thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                  \
        thrust::device_vector<T> sums(n), products(n), v(n), w(n);                                             \
        thrust::device_vector<int> keys(n), found(n);                                                          \
        thrust::sequence(keys.begin(), keys.end());                                                            \
        thrust::transform(keys.begin(), keys.end(), keys.begin(), by_seven());                                 \
        thrust::transform(p, p + n, v.begin(), thrust::square<T>());                                           \
        const auto ends =                                                                                      \
            thrust::reduce_by_key(keys.begin(), keys.end(), v.begin(), found.begin(), sums.begin());           \
        const int count = (int)(ends.second - sums.begin());                                                   \
        thrust::reduce_by_key(keys.begin(), keys.end(), p, found.begin(), products.begin(),                    \
                              thrust::equal_to<int>(), compound<T>());                                         \
        T a = weighed(sums, products, count);                                                                  \
        thrust::inclusive_scan_by_key(keys.begin(), keys.end(), v.begin(), w.begin());                         \
        thrust::exclusive_scan_by_key(keys.begin(), keys.end(), p, v.begin(), c, thrust::equal_to<int>(),      \
                                      compound<T>());                                                          \
        a += weighed(v, w, n);                                                                                 \
        thrust::exclusive_scan_by_key(keys.begin(), keys.end(), w.begin(), w.begin(), c);                      \
        thrust::inclusive_scan_by_key(keys.begin(), keys.end(), p, v.begin(), thrust::equal_to<int>(),         \
                                      thrust::maximum<T>());                                                   \
        a += weighed(v, w, n);                                                                                 \
        thrust::unique_by_key(keys.begin(), keys.end(), w.begin());                                            \
        *loss = a + weighed(w, w, count);                                                                      \
    }                                                                                                          \
    GW_GRADIENT("loss wrt x, c") void in_order_##T(T *loss, const T *x, T c, int n) {                          \
        const thrust::device_ptr<const T> p = thrust::device_pointer_cast(x);                                  \
        thrust::device_vector<T> u(p, p + n), v(n), w(p, p + n), edges(3);                                     \
        thrust::device_vector<int> at(3);                                                                      \
        thrust::sort(u.begin(), u.end(), larger<T>());                                                         \
        thrust::transform(p, p + n, v.begin(), thrust::square<T>());                                           \
        const auto both = thrust::make_zip_iterator(thrust::make_tuple(v.begin(), w.begin()));                 \
        thrust::sort(both, both + n, by_parts<T>());                                                           \
        T a = weighed(u, v, n) + weighed(w, u, n);                                                             \
        thrust::sort(w.begin(), w.end());                                                                      \
        thrust::sequence(edges.begin(), edges.end(), (T)-0.001, (T)0.001);                                     \
        thrust::lower_bound(w.begin(), w.end(), edges.begin(), edges.end(), at.begin());                       \
        const int below = (int)(thrust::upper_bound(w.begin(), w.end(), (T)0) - w.begin()),                    \
                  sum = thrust::reduce(at.begin(), at.end());                                                  \
        *loss = a + c * weighed(w, w, below) * (T)(1 + sum);                                                   \
    }
PROGRAMS(float)
PROGRAMS(double)

/* Products by key, with zeros: that of the others is what is left. */
GW_GRADIENT("y wrt x") void products(double *y, const double *x, const int *key, int n) {
    const thrust::device_ptr<const double> p = thrust::device_pointer_cast(x);
    const thrust::device_ptr<const int> k = thrust::device_pointer_cast(key);
    thrust::device_vector<int> found(n);
    thrust::reduce_by_key(k, k + n, p, found.begin(), thrust::device_pointer_cast(y), thrust::equal_to<int>(),
                          thrust::multiplies<double>());
}
#include "program_thrust_keys.grad.cuh"
#include "../support/sizes.cuh"

namespace {

CASES(chosen)
CASES(by_key)
CASES(in_order)

// y = {2 0 3, 5, 0 0 7}: of 0 in the first 2 * 3, of others with one zero 0; with two zeros all are 0.
TEST(zeros) {
    const std::vector<double> x = {2, 0, 3, 5, 0, 0, 7};
    const std::vector<int> key = {4, 4, 4, 1, 4, 4, 4};
    check::array<double> y({9, 9, 9}), in(x), d_y({1, 10, 100}), d_x(std::vector<double>(7, 0.5));
    check::array<int> on_key(key);
    EXPECT_STATUS(products_grad(y, in, on_key, 7, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT((y.get() == std::vector<double>{0, 5, 0}));
    EXPECT((d_x.get() == std::vector<double>{0.5, 6.5, 0.5, 10.5, 0.5, 0.5, 0.5}));
}

} // namespace
TEST_MAIN
