// What CUB orders, chooses and sums by keys or segments in programs: gradients against differences, over
// several levels of parts, of none and of one; by hand by some bits of keys, equal keys, keys that are NaN,
// segments that are empty or overlap.
#include "../support/expect.cuh"
#include <gradwright/program.h>

#include "../support/cub.cuh"

template <class T> struct is_positive {
    __host__ __device__ bool operator()(T x) const { return x > 0; }
};

template <class T> struct scaled {
    T by;
    __host__ __device__ T operator()(T x) const { return by * x; }
};
template <class T> struct stored {
    T *to;
    const T *x;
    T by;
    __host__ __device__ void operator()(int i) const { to[i] = x[i] * (x[i] + by); }
};
template <class T> struct squared {
    __host__ __device__ void operator()(T &x) const { x = x * x; }
};
/* by size, whatever the sign */
template <class T> struct larger {
    __host__ __device__ bool operator()(T a, T b) const { return a * a > b * b; }
};
__global__ void number(int *out, int by, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i / by;
}
__global__ void offset(int *out, int by, int n, int last) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * by < last ? i * by : last;
}
template <class T> __global__ void square(T *out, const T *x, T c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = c * x[i] * x[i];
}
/* *loss += the sum of (1 + i / 100) a[i] b[i] for i < *count */
template <class T> __global__ void weigh(T *loss, const T *a, const T *b, const int *count) {
    T sum = *loss;
    for (int i = 0; i < *count; i++) sum += (1 + (T)0.01 * i) * a[i] * b[i];
    *loss = sum;
}

#define OVER(n) (n) / 128 + 1, 128, 0, stream
#define PROGRAMS(T)                                                                                            \
    GW_GRADIENT("loss wrt x, c") void orders_##T(T *loss, const T *x, T c, int n) {                            \
        const cudaStream_t stream = nullptr;                                                                   \
        T *keys, *values, *u, *v;                                                                              \
        int *count;                                                                                            \
        cudaMalloc(&keys, (n + 1) * sizeof(T));                                                                \
        cudaMalloc(&values, (n + 1) * sizeof(T));                                                              \
        cudaMalloc(&u, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&v, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&count, sizeof(int));                                                                       \
        cudaMemset(loss, 0, sizeof(T));                                                                        \
        cudaMemcpy(count, &n, sizeof(int), cudaMemcpyHostToDevice);                                            \
        square<<<OVER(n)>>>(u, x, c, n);                                                                       \
        TWICE(cub::DeviceRadixSort::SortPairs, x, keys, (const T *)u, values, n, 0, (int)(8 * sizeof(T)),      \
              stream);                                                                                         \
        weigh<<<1, 1>>>(loss, (const T *)keys, (const T *)values, count);                                      \
        TWICE(cub::DeviceRadixSort::SortKeysDescending, (const T *)u, values, n);                              \
        cub::DoubleBuffer<T> sorted(keys, v);                                                                  \
        TWICE(cub::DeviceRadixSort::SortKeys, sorted, n);                                                      \
        weigh<<<1, 1>>>(loss, (const T *)sorted.Current(), (const T *)values, count);                          \
        TWICE(cub::DeviceSelect::If, x, u, count, n, is_positive<T>(), stream);                                \
        weigh<<<1, 1>>>(loss, (const T *)u, (const T *)u, count);                                              \
        cudaFree(keys);                                                                                        \
        cudaFree(values);                                                                                      \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
        cudaFree(count);                                                                                       \
    }
#define PROGRAMS_BY_KEY(T)                                                                                     \
    GW_GRADIENT("loss wrt x, c") void by_key_##T(T *loss, const T *x, T c, int n) {                            \
        const cudaStream_t stream = nullptr;                                                                   \
        T *u, *v, *w;                                                                                          \
        int *key, *found, *count;                                                                              \
        cudaMalloc(&u, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&v, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&w, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&key, (n + 1) * sizeof(int));                                                               \
        cudaMalloc(&found, (n + 1) * sizeof(int));                                                             \
        cudaMalloc(&count, sizeof(int));                                                                       \
        cudaMemset(loss, 0, sizeof(T));                                                                        \
        square<<<OVER(n)>>>(u, x, c, n);                                                                       \
        number<<<OVER(n)>>>(key, 7, n);                                                                        \
        TWICE(cub::DeviceReduce::ReduceByKey, key, found, u, v, count, sum(), n, stream);                      \
        TWICE(cub::DeviceReduce::ReduceByKey, key, found, x, w, count, compound<T>(), n, stream);              \
        weigh<<<1, 1>>>(loss, (const T *)v, (const T *)w, count);                                              \
        TWICE(cub::DeviceScan::InclusiveSumByKey, key, x, v, n);                                               \
        TWICE(cub::DeviceScan::ExclusiveSumByKey, key, u, w, n, equal(), stream);                              \
        TWICE(cub::DeviceSelect::UniqueByKey, key, v, found, w, count, n, stream);                             \
        weigh<<<1, 1>>>(loss, (const T *)v, (const T *)w, count);                                              \
        TWICE(cub::DeviceScan::ExclusiveScanByKey, key, x, v, compound<T>(), c, n);                            \
        TWICE(cub::DeviceScan::InclusiveScanByKey, key, u, u, greatest(), n);                                  \
        weigh<<<1, 1>>>(loss, (const T *)v, (const T *)u, count);                                              \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
        cudaFree(w);                                                                                           \
        cudaFree(key);                                                                                         \
        cudaFree(found);                                                                                       \
        cudaFree(count);                                                                                       \
    }
#define PROGRAMS_OF_SEGMENTS(T)                                                                                \
    GW_GRADIENT("loss wrt x, c") void segments_##T(T *loss, const T *x, T c, int n) {                          \
        const cudaStream_t stream = nullptr;                                                                   \
        const int segments = n / 50 + 2; /* the last is empty */                                               \
        T *u, *v, *w;                                                                                          \
        int *from, *count;                                                                                     \
        cudaMalloc(&u, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&v, segments * sizeof(T));                                                                  \
        cudaMalloc(&w, segments * sizeof(T));                                                                  \
        cudaMalloc(&from, (segments + 1) * sizeof(int));                                                       \
        cudaMalloc(&count, sizeof(int));                                                                       \
        cudaMemset(loss, 0, sizeof(T));                                                                        \
        cudaMemcpy(count, &segments, sizeof(int), cudaMemcpyHostToDevice);                                     \
        square<<<OVER(n)>>>(u, x, c, n);                                                                       \
        offset<<<OVER(segments + 1)>>>(from, 50, segments + 1, n);                                             \
        TWICE(cub::DeviceSegmentedReduce::Sum, u, v, segments, from, from + 1, stream);                        \
        TWICE(cub::DeviceSegmentedReduce::Reduce, x, w, segments, from, from + 1, compound<T>(), c);           \
        weigh<<<1, 1>>>(loss, (const T *)v, (const T *)w, count);                                              \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
        cudaFree(w);                                                                                           \
        cudaFree(from);                                                                                        \
        cudaFree(count);                                                                                       \
    }
#define PROGRAMS_EACH(T)                                                                                       \
    GW_GRADIENT("loss wrt x, c") void each_##T(T *loss, const T *x, T c, int n) {                              \
        const cudaStream_t stream = nullptr;                                                                   \
        T *u, *v;                                                                                              \
        int *count;                                                                                            \
        cudaMalloc(&u, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&v, (n + 1) * sizeof(T));                                                                   \
        cudaMalloc(&count, sizeof(int));                                                                       \
        cudaMemset(loss, 0, sizeof(T));                                                                        \
        cudaMemcpy(count, &n, sizeof(int), cudaMemcpyHostToDevice);                                            \
        cub::DeviceTransform::Transform(x, u, n, scaled<T>{c}, stream);                                        \
        cub::DeviceFor::Bulk(n, stored<T>{v, x, c}, stream);                                                   \
        TWICE(cub::DeviceMergeSort::SortPairs, v, u, n, larger<T>(), stream);                                  \
        TWICE(cub::DeviceFor::ForEachN, u, n, squared<T>(), stream);                                           \
        weigh<<<1, 1>>>(loss, (const T *)u, (const T *)v, count);                                              \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
        cudaFree(count);                                                                                       \
    }
#define ALL(T) PROGRAMS(T) PROGRAMS_BY_KEY(T) PROGRAMS_OF_SEGMENTS(T) PROGRAMS_EACH(T)
ALL(float)
ALL(double)

/* By bits `from` to `to` - 1, the values beside them. */
template <class K>
void sort_some(double *y, K *keys_out, const double *x, const K *keys, int n, int from, int to) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceRadixSort::SortPairs, keys, keys_out, x, y, n, from, to, stream);
}
#define SORTS(K, name)                                                                                         \
    GW_GRADIENT("y wrt x") void sort_##name(double *y, K *keys_out, const double *x, const K *keys, int n,     \
                                            int from, int to) {                                                \
        sort_some(y, keys_out, x, keys, n, from, to);                                                          \
    }
SORTS(unsigned, unsigned)
SORTS(int, int)
SORTS(unsigned long, wide)
SORTS(float, float)

/* A storage of the caller's. */
GW_GRADIENT("y wrt x") cudaError_t descending(double *y, int *keys_out, const double *x, const int *keys, int n,
                                              void *storage, size_t bytes) {
    return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, keys_out, x, y, n);
}
GW_GRADIENT("y wrt x") void flagged(double *y, int *count, double *x, const char *flag, int n) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceSelect::Flagged, x, flag, y, count, n, stream);
    TWICE(cub::DeviceSelect::Flagged, x, flag, count + 1, n, stream);
    TWICE(cub::DeviceReduce::Sum, x, y + n, 2, stream);
}
GW_GRADIENT("y wrt x") void unique(double *y, int *count, const double *x, int n) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceSelect::Unique, x, y, count, n, stream);
}
GW_GRADIENT("y wrt x")
void best_of_segments(double *y, const double *x, const int *from, const int *to, int n) {
    const cudaStream_t stream = nullptr;
    TWICE(cub::DeviceSegmentedReduce::Max, x, y, n, from, to, stream);
    TWICE(cub::DeviceSegmentedReduce::Min, x, y + n, n, from, to, stream);
    TWICE(cub::DeviceSegmentedReduce::Sum, x, y + 2 * n, n, from, to, stream);
}
#include "program_cub_orders.grad.cuh"
#include "../support/sizes.cuh"

namespace {

CASES(orders)
CASES(by_key)
CASES(segments)
CASES(each)

typedef std::vector<double> doubles;
typedef std::vector<int> ints;

template <class K, class G>
void by_bits(const G &gradient, const std::vector<K> &keys, int from, int to, const ints &order,
             check::trial &trial) {
    const int n = (int)keys.size();
    doubles x(n), weights(n), want_y(n), want_d_x(n);
    std::vector<K> want_keys(n);
    for (int i = 0; i < n; i++) {
        x[i] = 10 + i, weights[i] = 1 << i;
        want_y[i] = 10 + order[i], want_keys[i] = keys[order[i]], want_d_x[order[i]] = 1 << i;
    }
    check::array<double> in(x), y(doubles(n, 0)), d_y(weights), d_x(doubles(n, 0));
    check::array<K> on_keys(keys), keys_out(keys);
    EXPECT_STATUS(gradient((double *)y, (K *)keys_out, (const double *)in, (const K *)on_keys, n, from, to,
                           (double *)d_y, (double *)d_x),
                  GW_OK);
    EXPECT_DEVICE_OK();
    const std::vector<K> got = keys_out.get();
    EXPECT(y.get() == want_y && d_x.get() == want_d_x);
    EXPECT(memcmp(got.data(), want_keys.data(), n * sizeof(K)) == 0);
}
#define BY_BITS(name, K, from, to, order, ...)                                                                 \
    by_bits<K>([](auto... a) { return sort_##name##_grad(a...); }, std::vector<K> __VA_ARGS__, from, to,       \
               ints order, trial)
#define ORDER(...) {__VA_ARGS__}

// Equal bits as they stand. The greater half of bits is less with a sign; -1 by its low bits is 15.
TEST(some_bits) {
    BY_BITS(unsigned, unsigned, 0, 32, ORDER(1, 3, 0, 2), {0x21, 0x12, 0x21u, 0x13});
    BY_BITS(unsigned, unsigned, 0, 4, ORDER(0, 2, 1, 3), {0x21, 0x12, 0x21u, 0x13});
    BY_BITS(unsigned, unsigned, 4, 8, ORDER(1, 3, 0, 2), {0x21, 0x12, 0x21u, 0x13});
    BY_BITS(unsigned, unsigned, 8, 8, ORDER(0, 1, 2, 3), {0x21, 0x12, 0x21u, 0x13});
    BY_BITS(int, int, 0, 32, ORDER(1, 2, 0, 3), {3, -7, -1, 5});
    BY_BITS(int, int, 0, 4, ORDER(0, 3, 1, 2), {3, -7, -1, 5});
    BY_BITS(wide, unsigned long, 32, 40, ORDER(1, 2, 0), {1ul << 33 | 1, 1ul << 40 | 9, 1ul << 32});
    BY_BITS(float, float, 0, 32, ORDER(1, 2, 3, 0), {INFINITY, -1, -0.0f, 0.0f});
    BY_BITS(float, float, 0, 32, ORDER(2, 3, 1, 0), {NAN, INFINITY, -NAN, -INFINITY});
    BY_BITS(float, float, 0, 32, ORDER(0), {2});
    BY_BITS(float, float, 0, 32, ORDER(), {});
}
// The program does not look at what the sort says: the run does.
TEST(bits_that_keys_do_not_have) {
    for (const ints &bits : {ints{0, 33}, ints{-1, 8}, ints{9, 8}}) {
        check::array<double> x(doubles(4, 1)), y(doubles(4, 0)), d_y(doubles(4, 1)), d_x(doubles(4, 0));
        check::array<int> keys({5, 9, 5, 7}), keys_out(ints(4, 0));
        EXPECT_STATUS(sort_int_grad((double *)y, (int *)keys_out, (const double *)x, (const int *)keys, 4,
                                    bits[0], bits[1], (double *)d_y, (double *)d_x),
                      GW_ERROR_CUDA);
    }
}
TEST(descending) {
    check::array<double> x({1, 2, 3, 4}), y(doubles(4, 0)), d_y({1, 10, 100, 1000}), d_x(doubles(4, 0.5));
    check::array<int> keys({5, 9, 5, 7}), keys_out(ints(4, 0));
    check::array<char> storage(std::vector<char>(64, 0));
    EXPECT_STATUS(descending_grad(y, keys_out, x, keys, 4, (void *)(char *)storage, 64, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT((y.get() == doubles{2, 4, 1, 3} && keys_out.get() == ints{9, 7, 5, 5}));
    EXPECT((d_x.get() == doubles{100.5, 1.5, 1000.5, 10.5}));
}
// y = {x1 x3 . . x1 + x3}: what is chosen lies in place, too, and is summed.
TEST(flagged) {
    check::array<double> x({1, 2, 3, 4}), y(doubles(5, 9)), d_y({1, 10, 100, 1000, 5}), d_x(doubles(4, 0.5));
    check::array<char> flag({0, 1, 0, 2});
    check::array<int> count({7, 7});
    EXPECT_STATUS(flagged_grad(y, count, x, flag, 4, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT((y.get() == doubles{2, 4, 9, 9, 6} && count.get() == ints{2, 2}));
    EXPECT((x.get() == doubles{1, 2, 3, 4} && d_x.get() == doubles{0.5, 6.5, 0.5, 15.5}));
}
TEST(none_is_flagged) {
    check::array<double> x({}), y({9}), d_y({5}), d_x({});
    check::array<char> flag({});
    check::array<int> count({7});
    EXPECT_STATUS(unique_grad(y, count, x, 0, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(y.get()[0] == 9 && count.get()[0] == 0 && d_y.get()[0] == 5);
}
// The first of equal neighbours; a NaN equals none.
TEST(unique) {
    check::array<double> x({1, 1, NAN, NAN, 1, 2, 2}), y(doubles(7, 9)), d_y({1, 10, 100, 1000, 10000, 3, 4}),
        d_x(doubles(7, 0.5));
    check::array<int> count({7});
    EXPECT_STATUS(unique_grad(y, count, x, 7, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    const doubles got = y.get();
    EXPECT(count.get()[0] == 5 && got[0] == 1 && got[3] == 1 && got[4] == 2);
    EXPECT(std::isnan(got[1]) && std::isnan(got[2]));
    EXPECT((d_x.get() == doubles{1.5, 0.5, 10.5, 100.5, 1000.5, 10000.5, 0.5}));
}
// Segments {1 4 2}, {}, {4 2}: what lies in two of them gets both adjoints.
TEST(overlapping_segments) {
    const double worst = std::numeric_limits<double>::max();
    check::array<double> x({1, 4, 2}), y(doubles(9, 9)), d_y({1, 10, 100, 2, 20, 200, 3, 30, 300}),
        d_x(doubles(3, 0.5));
    check::array<int> from({0, 2, 1}), to({3, 2, 3});
    EXPECT_STATUS(best_of_segments_grad(y, x, from, to, 3, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT((y.get() == doubles{4, -worst, 4, 1, worst, 2, 7, 0, 6}));
    EXPECT((d_x.get() == doubles{5.5, 404.5, 503.5}));
}

} // namespace
TEST_MAIN
