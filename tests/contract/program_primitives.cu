// The primitives behind algorithms of libraries (algorithms/primitives.cuh), called from programs: adjoints of
// small cases worked out by hand, of large ones by closed forms; none, one, equal keys, NaN; an own stream.
#include "../support/expect.cuh"

#include <gradwright/algorithms/primitives.cuh>
#include <gradwright/program.h>

#include <algorithm>
#include <numeric>

#define HERE    ((size_t)blockIdx.x * blockDim.x + threadIdx.x)
#define OVER(n) (unsigned)((n) / 256 + 1), 256, 0, stream

template <class T> __global__ void square(T *y, const T *x, size_t n) {
    if (HERE < n) y[HERE] = x[HERE] * x[HERE];
}
template <class T> __global__ void square_one(T *y, const T *x) { *y = *x * *x; }
template <class T> __global__ void weigh(T *y, const T *x, size_t n) {
    if (HERE < n) y[HERE] = x[HERE] * (T)(HERE + 1);
}
template <class T> __global__ void flag(int *flags, const T *x, T least, size_t n) {
    if (HERE < n) flags[HERE] = x[HERE] > least ? 3 : 0;
}
#define PROGRAMS(T)                                                                                            \
    /* (x0^2 + x1^2 + ...)^2 */                                                                                \
    GW_GRADIENT("loss wrt x") cudaError_t total_##T(T *loss, const T *x, size_t n, cudaStream_t stream) {      \
        T *u, *sum;                                                                                            \
        unsigned char *room;                                                                                   \
        const size_t bytes = gw_sum_bytes(T(), n);                                                             \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&sum, sizeof(T), stream);                                                     \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        square<T><<<OVER(n)>>>(u, x, n);                                                                       \
        gw_sum(u, n, sum, room, bytes, stream);                                                                \
        square_one<T><<<1, 1, 0, stream>>>(loss, sum);                                                         \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(sum, stream);                                                                            \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    /* running sums of x^2 */                                                                                  \
    GW_GRADIENT("y wrt x, first")                                                                              \
    GW_GRADIENT("scan_of_" #T " = y wrt x")                                                                    \
        cudaError_t scan_##T(T *y, const T *x, size_t n, int exclusive, T first, cudaStream_t stream) {        \
        T *u, *room;                                                                                           \
        const size_t bytes = gw_scan_bytes(T(), n);                                                            \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        square<T><<<OVER(n)>>>(u, x, n);                                                                       \
        gw_scan(u, n, y, exclusive, first, room, bytes, stream);                                               \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    /* the same in place, and squared again, in a loop: an input that is overwritten */                        \
    GW_GRADIENT("y wrt y, first")                                                                              \
    cudaError_t steps_##T(T *y, size_t n, int exclusive, T first, int steps, cudaStream_t stream) {            \
        T *room;                                                                                               \
        const size_t bytes = gw_scan_bytes(T(), n);                                                            \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        for (int k = 0; k < steps; k++) {                                                                      \
            square<T><<<OVER(n)>>>(y, y, n);                                                                   \
            gw_scan_in_place(y, n, exclusive, first, room, bytes, stream);                                     \
        }                                                                                                      \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    GW_GRADIENT("y wrt x, first")                                                                              \
    cudaError_t segments_##T(T *y, const T *x, const unsigned *segment, size_t n, int exclusive, T first,      \
                             cudaStream_t stream) {                                                            \
        T *room, *u;                                                                                           \
        const size_t bytes = gw_scan_by_segment_bytes(T(), n);                                                 \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        square<T><<<OVER(n)>>>(u, x, n);                                                                       \
        gw_scan_by_segment(segment, u, n, y, exclusive, first, room, bytes, stream);                           \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    GW_GRADIENT("y wrt x")                                                                                     \
    cudaError_t sums_##T(T *y, const T *x, const unsigned *segment, size_t n, size_t count,                    \
                         cudaStream_t stream) {                                                                \
        T *u, *s;                                                                                              \
        unsigned char *room;                                                                                   \
        const size_t bytes = gw_segment_sum_bytes(T(), n);                                                     \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&s, count * sizeof(T) + 1, stream);                                           \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        square<T><<<OVER(n)>>>(u, x, n);                                                                       \
        gw_segment_sum(segment, u, n, s, count, room, bytes, stream);                                          \
        square<T><<<OVER(count)>>>(y, s, count);                                                               \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(s, stream);                                                                              \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    /* (i + 1) times the i-th; the order is overwritten by another one */                                      \
    GW_GRADIENT("y wrt x")                                                                                     \
    cudaError_t sorted_##T(T *y, const T *x, size_t n, int descending, cudaStream_t stream) {                  \
        T *u;                                                                                                  \
        unsigned *order;                                                                                       \
        unsigned char *room;                                                                                   \
        const size_t bytes = gw_order_bytes(T(), n);                                                           \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&order, n * sizeof(unsigned) + 1, stream);                                    \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        gw_order(x, n, descending, 0, (int)(8 * sizeof(T)), order, room, bytes, stream);                       \
        gw_permute<<<OVER(n)>>>(u, x, order, n);                                                               \
        weigh<T><<<OVER(n)>>>(y, u, n);                                                                        \
        gw_order(x, n, !descending, 0, (int)(8 * sizeof(T)), order, room, bytes, stream);                      \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(order, stream);                                                                          \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    /* the same, where it lies, by keys that the sort left (there) or by the order alone */                    \
    GW_GRADIENT("y wrt x")                                                                                     \
    cudaError_t reordered_##T(T *y, const T *x, size_t n, int descending, int there, cudaStream_t stream) {    \
        T *u;                                                                                                  \
        unsigned *order;                                                                                       \
        unsigned char *room;                                                                                   \
        const size_t bytes = gw_order_bytes(T(), n);                                                           \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&order, n * sizeof(unsigned) + 1, stream);                                    \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        cudaMemcpyAsync(u, x, n * sizeof(T), cudaMemcpyDeviceToDevice, stream);                                \
        gw_order(u, n, descending, 0, (int)(8 * sizeof(T)), order, room, bytes, stream);                       \
        gw_reorder(u, n, order, there, room, stream);                                                          \
        weigh<T><<<OVER(n)>>>(y, u, n);                                                                        \
        gw_order(x, n, !descending, 0, (int)(8 * sizeof(T)), order, room, bytes, stream);                      \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(order, stream);                                                                          \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }                                                                                                          \
    /* squares of what is greater than `least`, behind each other */                                           \
    GW_GRADIENT("y wrt x")                                                                                     \
    cudaError_t chosen_##T(T *y, unsigned *count, const T *x, T least, size_t n, cudaStream_t stream) {        \
        T *u;                                                                                                  \
        unsigned *number;                                                                                      \
        int *flags;                                                                                            \
        unsigned char *room;                                                                                   \
        const size_t bytes = gw_number_bytes(n);                                                               \
        cudaMallocAsync((void **)&u, n * sizeof(T) + 1, stream);                                               \
        cudaMallocAsync((void **)&number, n * sizeof(unsigned) + 1, stream);                                   \
        cudaMallocAsync((void **)&flags, n * sizeof(int) + 1, stream);                                         \
        cudaMallocAsync((void **)&room, bytes, stream);                                                        \
        flag<T><<<OVER(n)>>>(flags, x, least, n);                                                              \
        gw_number(flags, n, number, count, room, bytes, stream);                                               \
        square<T><<<OVER(n)>>>(u, x, n);                                                                       \
        gw_compact<<<OVER(n)>>>(y, u, flags, number, n);                                                       \
        cudaFreeAsync(u, stream);                                                                              \
        cudaFreeAsync(number, stream);                                                                         \
        cudaFreeAsync(flags, stream);                                                                          \
        cudaFreeAsync(room, stream);                                                                           \
        return cudaGetLastError();                                                                             \
    }
PROGRAMS(float)
PROGRAMS(double)

#include "program_primitives.grad.cuh"

namespace {

template <class T> struct call;
#define FORWARD(name, to)                                                                                      \
    template <class... A> static int name(A &&...a) { return (int)to(a...); }
#define CALLS(T)                                                                                               \
    template <> struct call<T> {                                                                               \
        FORWARD(total, total_##T##_grad_in)                                                                    \
        FORWARD(scan, scan_##T##_grad_in)                                                                      \
        FORWARD(scan_plain, scan_of_##T##_in)                                                                  \
        FORWARD(steps, steps_##T##_grad_in)                                                                    \
        FORWARD(steps_primal, steps_##T)                                                                       \
        FORWARD(segments, segments_##T##_grad_in)                                                              \
        FORWARD(sums, sums_##T##_grad_in)                                                                      \
        FORWARD(sorted, sorted_##T##_grad_in)                                                                  \
        FORWARD(reordered, reordered_##T##_grad_in)                                                            \
        FORWARD(chosen, chosen_##T##_grad_in)                                                                  \
    };
CALLS(float)
CALLS(double)

/* A stream of its own, and a pool that is to allocate nothing after its first run. */
struct place {
    cudaStream_t stream = nullptr;
    gw_pool *pool = nullptr;
    size_t held = 0;
    place() {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        if (gw_pool_make(&pool) != GW_OK) pool = nullptr;
    }
    ~place() {
        gw_pool_free(pool);
        cudaStreamDestroy(stream);
    }
};

template <class T> using list = std::vector<T>;

template <class T> bool same(const list<T> &got, const list<T> &want, double tolerance) {
    bool good = got.size() == want.size();
    for (size_t i = 0; good && i < got.size(); i++)
        good = check::near(got[i], want[i], tolerance, 1);
    return good;
}
template <class T> double tolerance() { return sizeof(T) == 4 ? 2e-4 : 1e-11; }

template <class T> list<T> numbers(size_t n, uint64_t seed) {
    check::generator random = {seed};
    list<T> made;
    for (size_t i = 0; i < n; i++)
        made.push_back((T)random.uniform(-1, 1));
    return made;
}

/* d (x0^2 + x1^2 + ...)^2 / d x[i] = 4 (x0^2 + ...) x[i] */
template <class T> void total(size_t n, check::trial &trial) {
    place p;
    const list<T> x = numbers<T>(n, 3);
    double sum = 0;
    for (T v : x)
        sum += (double)v * v;
    list<T> want;
    for (T v : x)
        want.push_back((T)(4 * sum * v));
    for (int run = 0; run < 3; run++) {
        check::array<T> loss({7}), in(x), d_loss({1}), d_x(list<T>(n, 0));
        EXPECT_STATUS((gw_status)call<T>::total(p.pool, loss, in, n, p.stream, d_loss, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(check::near(loss.get()[0], sum * sum, tolerance<T>(), 1));
        EXPECT(same(d_x.get(), want, tolerance<T>()));
        if (run == 1) p.held = gw_pool_held(p.pool);
    }
    EXPECT(gw_pool_held(p.pool) == p.held);
}

/* What a scan and its adjoint are, in sums of double, of segments too. */
template <class T> struct scanned {
    list<T> y, d_x;
    double d_first = 0;
    scanned(const list<T> &x, const list<T> &d_y, const list<unsigned> &segment, bool exclusive, T first) {
        const size_t n = x.size();
        const auto head = [&](size_t i) { return !segment.empty() && segment[i] != segment[i - 1]; };
        double sum = first;
        for (size_t i = 0; i < n; i++) {
            if (i && head(i)) sum = first;
            const double own = (double)x[i] * x[i];
            y.push_back((T)(exclusive ? sum : sum + own));
            sum += own;
        }
        d_x.resize(n);
        double g = 0;
        for (size_t i = n; i-- > 0;) {
            if (i + 1 < n && head(i + 1)) g = 0;
            d_x[i] = (T)(2 * (double)x[i] * (exclusive ? g : g + d_y[i]));
            g += d_y[i];
            d_first += d_y[i];
        }
    }
};

template <class T>
void scan(const list<T> &x, const list<T> &d_y, bool exclusive, const scanned<T> *known, check::trial &trial) {
    place p;
    const size_t n = x.size();
    const scanned<T> made(x, d_y, {}, exclusive, (T)0.5), &want = known ? *known : made;
    for (int run = 0; run < 3; run++) {
        check::array<T> y(list<T>(n, 9)), in(x), seed(d_y), d_x(list<T>(n, 0));
        T d_first = 1;
        EXPECT_STATUS(
            (gw_status)call<T>::scan(p.pool, y, in, n, exclusive, (T)0.5, p.stream, seed, d_x, &d_first),
            GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(same(y.get(), want.y, tolerance<T>()) && same(d_x.get(), want.d_x, tolerance<T>()));
        EXPECT(check::near(d_first - 1, want.d_first, tolerance<T>(), 1));
        check::array<T> again(d_y), other(list<T>(n, 0));
        EXPECT_STATUS(
            (gw_status)call<T>::scan_plain(p.pool, y, in, n, exclusive, (T)0.5, p.stream, again, other), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(same(other.get(), want.d_x, tolerance<T>()));
        if (run == 1) p.held = gw_pool_held(p.pool);
    }
    EXPECT(gw_pool_held(p.pool) == p.held);
}

/* x = 1 2 3, u = x^2 = 1 4 9, d_y = 1 10 100. Inclusive: y = 1/2 + (1, 5, 14), d_u = (111, 110, 100), each the
 * sum of what is behind; exclusive: y = 1/2 + (0, 1, 5), d_u = (110, 100, 0). d_x = 2 x d_u; d_first = 111. */
template <class T> void scan_by_hand(check::trial &trial) {
    scanned<T> known({}, {}, {}, false, 0);
    known.y = {1.5, 5.5, 14.5}, known.d_x = {222, 440, 600}, known.d_first = 111;
    scan<T>({1, 2, 3}, {1, 10, 100}, false, &known, trial);
    known.y = {0.5, 1.5, 5.5}, known.d_x = {220, 400, 0};
    scan<T>({1, 2, 3}, {1, 10, 100}, true, &known, trial);
}

/* In place, squared each time: against differences. */
template <class T> void steps(bool exclusive, check::trial &trial) {
    enum { N = 7, STEPS = 3 };
    place p;
    const list<double> x = {0.3, -0.2, 0.5, 0.1, -0.4, 0.25, 0.6}, seed = {1, -2, 3, 0.5, -1, 2, 1};
    const auto loss = [&](const list<double> &at, double first) {
        check::array<double> y(at);
        double sum = 0;
        call<double>::steps_primal(y, N, exclusive, first, STEPS, p.stream);
        cudaDeviceSynchronize();
        for (int i = 0; i < N; i++)
            sum += seed[i] * y.get()[i];
        return sum;
    };
    check::array<T> y(list<T>(x.begin(), x.end())), d_y(list<T>(seed.begin(), seed.end()));
    T d_first = 0;
    EXPECT_STATUS((gw_status)call<T>::steps(p.pool, y, N, exclusive, (T)0.2, STEPS, p.stream, d_y, &d_first),
                  GW_OK);
    EXPECT_DEVICE_OK();
    const double h = 1e-6;
    EXPECT(
        check::near(d_first, (loss(x, 0.2 + h) - loss(x, 0.2 - h)) / (2 * h), sizeof(T) == 4 ? 1e-4 : 1e-7, 1));
    for (int i = 0; i < N; i++) {
        list<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_y.get()[i], (loss(more, 0.2) - loss(less, 0.2)) / (2 * h),
                           sizeof(T) == 4 ? 1e-4 : 1e-7, 1));
    }
}

template <class T> void segments(const list<unsigned> &segment, bool exclusive, check::trial &trial) {
    place p;
    const size_t n = segment.size();
    const list<T> x = numbers<T>(n, 5), d_y = numbers<T>(n, 6);
    const T first = exclusive ? (T)0.5 : (T)0;
    const scanned<T> want(x, d_y, segment, exclusive, first);
    check::array<T> y(list<T>(n, 9)), in(x), seed(d_y), d_x(list<T>(n, 0));
    check::array<unsigned> of(segment);
    T d_first = 0;
    EXPECT_STATUS(
        (gw_status)call<T>::segments(p.pool, y, in, of, n, exclusive, first, p.stream, seed, d_x, &d_first),
        GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(same(y.get(), want.y, tolerance<T>()) && same(d_x.get(), want.d_x, tolerance<T>()));
    EXPECT(check::near(d_first, exclusive ? want.d_first : 0, tolerance<T>(), 1));
}

/* y[s] = S^2, S the sum of x[i]^2 in s: d x[i] = d_y[s] 2 S 2 x[i]. A segment without elements: 0. */
template <class T> void sums(const list<unsigned> &segment, size_t count, check::trial &trial) {
    place p;
    const size_t n = segment.size();
    const list<T> x = numbers<T>(n, 7), d_y = numbers<T>(count, 8);
    list<double> S(count, 0);
    list<T> want_y, want;
    for (size_t i = 0; i < n; i++)
        S[segment[i]] += (double)x[i] * x[i];
    for (size_t i = 0; i < n; i++)
        want.push_back((T)(d_y[segment[i]] * 4 * S[segment[i]] * x[i]));
    for (double s : S)
        want_y.push_back((T)(s * s));
    check::array<T> y(list<T>(count, 9)), in(x), seed(d_y), d_x(list<T>(n, 0));
    check::array<unsigned> of(segment);
    EXPECT_STATUS((gw_status)call<T>::sums(p.pool, y, in, of, n, count, p.stream, seed, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(same(y.get(), want_y, tolerance<T>()) && same(d_x.get(), want, tolerance<T>()));
}

/* y[i] = (i + 1) x[order[i]], so d_x[order[i]] = (i + 1) d_y[i]; equal keys as they stand, either way. */
template <class T> void sorted(const list<T> &x, bool descending, check::trial &trial) {
    place p;
    const size_t n = x.size();
    const list<T> d_y = numbers<T>(n, 9);
    list<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return x[a] == x[b] ? a < b : descending != (x[a] < x[b]); });
    list<T> want_y(n), want(n);
    for (size_t i = 0; i < n; i++)
        want_y[i] = (T)(i + 1) * x[order[i]], want[order[i]] = (T)(i + 1) * d_y[i];
    for (int run = 0; run < 3; run++) {
        check::array<T> y(list<T>(n, 9)), in(x), seed(d_y), d_x(list<T>(n, 0));
        EXPECT_STATUS((gw_status)call<T>::sorted(p.pool, y, in, n, descending, p.stream, seed, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(y.get() == want_y && d_x.get() == want);
        for (int there = 0; there < 2; there++) {
            check::array<T> other(list<T>(n, 9)), by(d_y), d_in(list<T>(n, 0));
            const int status = call<T>::reordered(p.pool, other, in, n, descending, there, p.stream, by, d_in);
            EXPECT_STATUS((gw_status)status, GW_OK);
            EXPECT_DEVICE_OK();
            EXPECT(other.get() == want_y && d_in.get() == want);
        }
        if (run == 1) p.held = gw_pool_held(p.pool);
    }
    EXPECT(gw_pool_held(p.pool) == p.held);
}

/* The k-th that is greater than 0 goes to y[k]: d_x = 2 x d_y[k], 0 of the others; y behind them stays. */
template <class T> void chosen(size_t n, check::trial &trial) {
    place p;
    const list<T> x = numbers<T>(n, 11), d_y = numbers<T>(n, 12);
    list<T> want_y(n, 9), want(n, 0);
    unsigned k = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] > 0) want_y[k] = x[i] * x[i], want[i] = 2 * x[i] * d_y[k++];
    check::array<T> y(list<T>(n, 9)), in(x), seed(d_y), d_x(list<T>(n, 0));
    check::array<unsigned> count({77});
    EXPECT_STATUS((gw_status)call<T>::chosen(p.pool, y, count, in, 0, n, p.stream, seed, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(count.get()[0] == k && y.get() == want_y && same(d_x.get(), want, tolerance<T>()));
}

/* Lengths are 1, 2, 3, ... over and over; then one alone. */
list<unsigned> some_segments(size_t n, size_t longest) {
    list<unsigned> made;
    for (unsigned s = 0; made.size() < n; s++)
        for (size_t i = 0; i <= s % longest && made.size() < n; i++)
            made.push_back(s);
    return made;
}

#define BOTH(name, ...)                                                                                        \
    name<float>(__VA_ARGS__, trial);                                                                           \
    name<double>(__VA_ARGS__, trial);
const size_t SIZES[] = {0, 1, 2, 257, 40000};

TEST(sums_of_all) {
    for (size_t n : SIZES) {
        BOTH(total, n)
    }
}
TEST(scans_by_hand) {
    scan_by_hand<float>(trial);
    scan_by_hand<double>(trial);
}
TEST(scans) {
    for (size_t n : SIZES)
        for (bool exclusive : {false, true}) {
            scan<float>(numbers<float>(n, 1), numbers<float>(n, 2), exclusive, nullptr, trial);
            scan<double>(numbers<double>(n, 1), numbers<double>(n, 2), exclusive, nullptr, trial);
        }
}
TEST(scans_in_place) {
    for (bool exclusive : {false, true}) {
        BOTH(steps, exclusive)
    }
}
TEST(scans_by_segment) {
    for (size_t n : SIZES)
        for (bool exclusive : {false, true}) {
            BOTH(segments, some_segments(n, 9), exclusive)
            BOTH(segments, list<unsigned>(n, 4), exclusive)
        }
}
TEST(sums_by_segment) {
    for (size_t n : SIZES) {
        BOTH(sums, some_segments(n, 70), n + 1)
        BOTH(sums, list<unsigned>(n, 4), 6)
    }
}
TEST(orders) {
    for (size_t n : SIZES)
        for (bool descending : {false, true}) {
            sorted<float>(numbers<float>(n, 13), descending, trial);
            sorted<double>(numbers<double>(n, 13), descending, trial);
        }
    for (bool descending : {false, true}) { /* equal keys, 0 and -0, infinities */
        const float inf = INFINITY;
        sorted<float>({2, 1, 2, -0.0f, 0, inf, 1, 0, -inf, -0.0f, 2}, descending, trial);
        sorted<double>({2, 1, 2, -0.0, 0, inf, 1, 0, -inf, -0.0, 2}, descending, trial);
    }
}
TEST(choices) {
    for (size_t n : SIZES) {
        BOTH(chosen, n)
    }
}

/* A sum with a NaN is one, its adjoints are not; a NaN comes last, one with a sign first. */
TEST(not_a_number) {
    place p;
    const double nan = std::copysign(NAN, 1.0);
    check::array<double> y({9, 9, 9}), x({1, nan, 3}), d_y({1, 10, 100}), d_x({0, 0, 0});
    double d_first = 0;
    EXPECT_STATUS(scan_double_grad_in(p.pool, y, x, 3, 0, 0, p.stream, d_y, d_x, &d_first), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(y.get()[0] == 1 && y.get()[1] != y.get()[1] && y.get()[2] != y.get()[2] && d_first == 111);
    EXPECT(d_x.get()[0] == 222 && d_x.get()[2] == 600);
    check::array<double> a({nan, 2, -nan, 1}), b({9, 9, 9, 9}), seed({1, 10, 100, 1000}), d_a({0, 0, 0, 0});
    EXPECT_STATUS(sorted_double_grad_in(p.pool, b, a, 4, 0, p.stream, seed, d_a), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_a.get() == (list<double>{4000, 300, 1, 20})); /* (i + 1) d_y[i] where order = 2 3 1 0 */
}

template <class K> bool ordered(const list<K> &keys, check::trial &trial) {
    place p;
    const size_t n = keys.size(), bytes = gw_order_bytes(K(), n);
    const int bits = (int)(8 * sizeof(K));
    check::array<K> in(keys);
    check::array<unsigned> order(list<unsigned>(n, 0));
    check::array<unsigned char> room(list<unsigned char>(bytes, 0));
    list<unsigned> want(n);
    bool good = true;
    for (int descending = 0; descending < 2; descending++) {
        std::iota(want.begin(), want.end(), 0u);
        std::sort(want.begin(), want.end(), [&](unsigned a, unsigned b) {
            return keys[a] == keys[b] ? a < b : (descending != 0) != (keys[a] < keys[b]);
        });
        EXPECT(gw_order((const K *)in, n, descending, 0, bits, order, room, bytes, p.stream) == cudaSuccess);
        EXPECT_DEVICE_OK();
        good &= order.get() == want;
    }
    EXPECT(gw_order((const K *)in, n, 0, 0, bits, order, room, n, p.stream) == cudaErrorInvalidValue);
    for (int wrong = 0; wrong < 3; wrong++) { /* bits */
        const int from = wrong - 1, to = wrong == 1 ? -1 : bits + (wrong == 2);
        EXPECT(gw_order((const K *)in, n, 0, from, to, order, room, bytes, p.stream) == cudaErrorInvalidValue);
    }
    return good;
}
TEST(keys) {
    EXPECT(ordered<int>({3, -1, INT32_MIN, 3, INT32_MAX, -1, 0}, trial));
    EXPECT(ordered<unsigned>({3, UINT32_MAX, 0, 3, 0x80000000u, 0x7fffffffu}, trial));
    EXPECT(ordered<long>({3, -1, INT64_MIN, 3, INT64_MAX, -1, 0}, trial));
    EXPECT(ordered<unsigned long>({3, UINT64_MAX, 0, 3, 1ul << 63, INT64_MAX}, trial));
    EXPECT(ordered<long long>({3, -1, INT64_MIN, 3, INT64_MAX, -1, 0}, trial));
    EXPECT(ordered<unsigned long long>({3, UINT64_MAX, 0, 3, 1ull << 63, ~(1ull << 63)}, trial));
    EXPECT(ordered<float>({3, -1, -INFINITY, 3, INFINITY, -1e-40f, 0, 1e-40f}, trial));
    EXPECT(ordered<double>({3, -1, -INFINITY, 3, INFINITY, -1e-310, 0, 1e-310}, trial));
}

} // namespace
TEST_MAIN
