// Half and bfloat16, and pairs of them: loads, stores, conversions, operators and functions; adjoints are
// floats. Differences are those of the same kernel over double, whose inputs are the same numbers; a kernel
// that rounds on the way is as near as its roundings are small.
#include "../support/expect.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- as storage: all arithmetic is float ----
template <class T, class R> __device__ void stored(T *y, const T *x, const T *w, int n) {
    int i = HERE;
    if (i >= n) return;
    R s = 0;
    for (int k = 0; k < 3; k++) s += (R)x[(i + k) % n] * (R)w[k] + sin((R)x[i]);
    y[i] = (T)(s * s);
}
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w") GW_SPLIT_GRADIENT("y wrt x, w")
__global__ void half_stored(half *y, const half *x, const half *w, int n) { stored<half, float>(y, x, w, n); }
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void bfloat16_stored(__nv_bfloat16 *y, const __nv_bfloat16 *x, const __nv_bfloat16 *w, int n) {
    stored<__nv_bfloat16, float>(y, x, w, n);
}
__global__ void double_stored(double *y, const double *x, const double *w, int n) {
    stored<double, double>(y, x, w, n);
}

// ---- arithmetic that rounds each time ----
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void half_computed(half *y, const half *x, const half *w, int n) {
    int i = HERE;
    if (i >= n) return;
    half a = x[i], b = w[i % 3];
    half c = a * b + __hmul(a, a) - b / a;
    c += __hfma(a, b, c);
    half d;
    d = 0.5f;
    c = -c * d;
    if (c < b) c = __hmax(c, __float2half(-4.0f));
    y[i] = __hadd(hexp(c), __habs(hsin(a)));
}
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void bfloat16_computed(__nv_bfloat16 *y, const __nv_bfloat16 *x, const __nv_bfloat16 *w, int n) {
    int i = HERE;
    if (i >= n) return;
    __nv_bfloat16 a = x[i], b = w[i % 3];
    __nv_bfloat16 c = a * b + __hmul(a, a) - b / a;
    c += __hfma(a, b, c);
    c = -c * __float2bfloat16(0.5f);
    if (c < b) c = __hmax(c, __float2bfloat16(-4.0f));
    y[i] = __hadd(hexp(c), __habs(hsin(a)));
}
__global__ void double_computed(double *y, const double *x, const double *w, int n) {
    int i = HERE;
    if (i >= n) return;
    double a = x[i], b = w[i % 3];
    double c = a * b + a * a - b / a;
    c += a * b + c;
    c = -c * 0.5;
    if (c < b) c = fmax(c, -4.0);
    y[i] = exp(c) + fabs(sin(a));
}

// ---- pairs ----
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void half_pairs(half2 *y, const half2 *x, const half *w, int n) {
    int i = HERE;
    if (i >= n / 2) return;
    half2 a = x[i], b = __half2half2(w[1]);
    half2 c = __hfma2(a, b, __floats2half2_rn(0.25f, -0.5f)) * __halves2half2(w[0], w[2]);
    float2 f = __half22float2(c);
    c = __float22half2_rn(make_float2(f.x * f.x, f.y + __low2float(a)));
    c += h2exp(a) - __hneg2(b);
    y[i] = __halves2half2(__high2half(c), c.x);
}
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void bfloat16_pairs(__nv_bfloat162 *y, const __nv_bfloat162 *x, const __nv_bfloat16 *w, int n) {
    int i = HERE;
    if (i >= n / 2) return;
    __nv_bfloat162 a = x[i], b = __bfloat162bfloat162(w[1]);
    __nv_bfloat162 c = __hfma2(a, b, __floats2bfloat162_rn(0.25f, -0.5f)) * __halves2bfloat162(w[0], w[2]);
    float2 f = __bfloat1622float2(c);
    c = __float22bfloat162_rn(make_float2(f.x * f.x, f.y + __low2float(a)));
    c += h2exp(a) - __hneg2(b);
    y[i] = __halves2bfloat162(__high2bfloat16(c), c.x);
}
__global__ void double_pairs(double *y, const double *x, const double *w, int n) {
    int i = HERE;
    if (i >= n / 2) return;
    const double *a = x + 2 * i;
    double c[2] = {(a[0] * w[1] + 0.25) * w[0], (a[1] * w[1] - 0.5) * w[2]};
    double d[2] = {c[0] * c[0], c[1] + a[0]};
    for (int k = 0; k < 2; k++) d[k] += exp(a[k]) + w[1];
    y[2 * i] = d[1];
    y[2 * i + 1] = d[0];
}

// ---- shared memory, local arrays, atomics on the adjoint ----
template <class T, class R> __device__ void shared(T *y, const T *x, const T *w, int n) {
    __shared__ T tile[32];
    int t = threadIdx.x, i = HERE;
    tile[t] = i < n ? x[i] : (T)0.0f;
    __syncthreads();
    T local[3];
    for (int k = 0; k < 3; k++) local[k] = w[k];
    R s = 0;
    for (int k = 0; k < 3; k++) s += (R)tile[(t + k) % 32] * (R)local[(t + k) % 3];
    if (i < n) y[i] = (T)(s * s);
}
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void half_shared(half *y, const half *x, const half *w, int n) { shared<half, float>(y, x, w, n); }
__global__ void double_shared(double *y, const double *x, const double *w, int n) {
    shared<double, double>(y, x, w, n);
}

// Sums that threads add to: of the block in shared memory, and in the caller's array.
template <class H2, class H> __device__ void added(H2 *y, const H2 *x, const H *w, int n) {
    __shared__ H sum[4];
    const int t = threadIdx.x, i = HERE;
    if (t < 4) sum[t] = (H)0.0f;
    __syncthreads();
    if (i < n / 2) {
        atomicAdd(&sum[t % 4], x[i].x * w[t % 3]);
        atomicAdd(&y[i % 2], __hmul2(x[i], x[i]));
        atomicAdd(&y[2 + i % 2].y, x[i].x);
    }
    __syncthreads();
    if (t < 4 && i < n / 2) y[4 + t].x = sum[t] * sum[(t + 1) % 4];
}
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void half_added(half2 *y, const half2 *x, const half *w, int n) { added(y, x, w, n); }
GW_GRADIENT("y wrt x, w") GW_DERIVATIVE("y wrt x, w")
__global__ void bfloat16_added(__nv_bfloat162 *y, const __nv_bfloat162 *x, const __nv_bfloat16 *w, int n) {
    added(y, x, w, n);
}
__global__ void double_added(double *y, const double *x, const double *w, int n) {
    __shared__ double sum[4];
    const int t = threadIdx.x, i = HERE;
    if (t < 4) sum[t] = 0;
    __syncthreads();
    if (i < n / 2) {
        atomicAdd(&sum[t % 4], x[2 * i] * w[t % 3]);
        for (int k = 0; k < 2; k++) atomicAdd(&y[2 * (i % 2) + k], x[2 * i + k] * x[2 * i + k]);
        atomicAdd(&y[5 + 2 * (i % 2)], x[2 * i]);
    }
    __syncthreads();
    if (t < 4 && i < n / 2) y[8 + 2 * t] = sum[t] * sum[(t + 1) % 4];
}

// A template: the adjoint of a T is a float where T is half.
template <class T> GW_GRADIENT("y wrt x") __global__ void scaled(T *y, const T *x, float k, int n) {
    int i = HERE;
    if (i < n) y[i] = (T)((float)x[i] * (float)x[i] * k);
}

// Functions of the host.
__host__ __device__ inline half2 both(half2 a, half2 b) { return a * b + a; }
GW_GRADIENT("y wrt x") void of_host(half2 *y, const half2 *x, int n) {
    for (int i = 0; i < n; i++) {
        const half2 p = both(__floats2half2_rn(__low2float(x[i]), 2.0f), x[i]);
        y[i] = __hadd2(p, __half2half2(__high2half(p)));
    }
}

#include "half.grad.cuh"

enum { N = 50, W = 3 };
typedef std::vector<double> numbers;

template <class T> std::vector<T> rounded(const numbers &from) {
    std::vector<T> to;
    for (double v : from) to.push_back((T)(float)v);
    return to;
}
template <class T> numbers exact(const std::vector<T> &from) {
    numbers to;
    for (T v : from) to.push_back((double)(float)v);
    return to;
}
static numbers waves(int n, double phase) {
    numbers v(n);
    for (int i = 0; i < n; i++) v[i] = 0.8 + 0.4 * std::sin(1.3 * i + phase);
    return v;
}

struct model {
    numbers x, w, seed, d_x = numbers(N), d_w = numbers(W), t_y = numbers(N);
};
typedef void (*reference)(double *, const double *, const double *, int);

static numbers values(reference f, const numbers &x, const numbers &w) {
    check::array<double> y{numbers(N)}, in{x}, weights{w};
    f<<<2, 32>>>(y.data(), in.data(), weights.data(), N);
    return y.get();
}
// Five-point differences of sum(seed * y), and of y along the direction (1, 1, ...).
static model differences(reference f, const numbers &x, const numbers &w, const numbers &seed) {
    model m{x, w, seed};
    const double h = 1.0 / 1024;
    for (int i = 0; i < N + W; i++) {
        double at[4];
        for (int k = 0; k < 4; k++) {
            numbers moved_x = x, moved_w = w;
            (i < N ? moved_x[i] : moved_w[i - N]) += (k < 2 ? 1 : 2) * (k % 2 ? -h : h);
            numbers y = values(f, moved_x, moved_w);
            at[k] = 0;
            for (int c = 0; c < N; c++) at[k] += seed[c] * y[c];
        }
        (i < N ? m.d_x[i] : m.d_w[i - N]) = (8 * (at[0] - at[1]) - (at[2] - at[3])) / (12 * h);
    }
    numbers up_x = x, up_w = w, down_x = x, down_w = w;
    for (double &v : up_x) v += h;
    for (double &v : up_w) v += h;
    for (double &v : down_x) v -= h;
    for (double &v : down_w) v -= h;
    numbers up = values(f, up_x, up_w), down = values(f, down_x, down_w);
    for (int i = 0; i < N; i++) m.t_y[i] = (up[i] - down[i]) / (2 * h);
    return m;
}

static void near(check::trial &trial, const std::vector<float> &got, const numbers &want, double tolerance) {
    double scale = 0, sum = 0;
    for (double v : want) scale = std::fmax(scale, std::fabs(v));
    for (size_t i = 0; i < want.size(); i++) {
        EXPECT(check::near(got[i], want[i], tolerance, scale));
        sum += got[i];
    }
    trial.report("sum", (float)sum);
}

// T: of the arrays. P: as the kernel takes y and x. F: float or float2. Cells that are not
// stored to keep their adjoints.
template <class T, class P, class F, class G, class J, class K>
void compare(check::trial &trial, G gradient, J forward, K kernel, reference over_double, double tolerance,
             uint64_t stored = ~0ull) {
    std::vector<T> x = rounded<T>(waves(N, 0)), w = rounded<T>(waves(W, 2));
    numbers seed = waves(N, 1);
    model m = differences(over_double, exact(x), exact(w), seed);
    check::array<T> y{std::vector<T>(N)}, in{x}, weights{w}, value{std::vector<T>(N)};
    check::array<float> d_y{std::vector<float>(seed.begin(), seed.end())}, d_x{std::vector<float>(N)},
        d_w{std::vector<float>(W)};
    EXPECT_STATUS((gradient(2, 32, 0, (cudaStream_t)0, (P *)y.data(), (const P *)in.data(), weights.data(), N,
                            (F *)d_y.data(), (F *)d_x.data(), d_w.data(), (void *)nullptr, 0)),
                  GW_OK);
    near(trial, d_x.get(), m.d_x, tolerance);
    near(trial, d_w.get(), m.d_w, tolerance);
    for (int i = 0; i < N; i++) EXPECT(d_y.get()[i] == (stored >> i & 1 ? 0 : (float)seed[i]));
    for (T v : y.get()) EXPECT((float)v == 0); // not the gradient's to write
    // Forward: the values are the primal's but for products that a compiler contracts (nvcc does), and the
    // tangents of both ways have one product.
    check::array<float> t_y{std::vector<float>(N)}, t_x{std::vector<float>(N, 1)},
        t_w{std::vector<float>(W, 1)};
    EXPECT_STATUS((forward(2, 32, 0, (cudaStream_t)0, (P *)y.data(), (const P *)in.data(), weights.data(), N,
                           (F *)t_y.data(), (const F *)t_x.data(), t_w.data())),
                  GW_OK);
    kernel<<<2, 32>>>((P *)value.data(), (const P *)in.data(), weights.data(), N);
    numbers forward_values = exact(y.get());
    near(trial, std::vector<float>(forward_values.begin(), forward_values.end()), exact(value.get()),
         tolerance);
    near(trial, t_y.get(), m.t_y, std::fmax(tolerance, 1e-4));
    double one = 0, other = 0;
    for (int i = 0; i < N; i++) one += seed[i] * t_y.get()[i], other += d_x.get()[i];
    for (int i = 0; i < W; i++) other += d_w.get()[i];
    EXPECT(check::near(one, other, stored == ~0ull ? 1e-5 : tolerance)); /* sums depend on the order */
}
#define COMPARE(name, T, P, F, kernel, over_double, ...)                                                       \
    TEST(name) {                                                                                               \
        compare<T, P, F>(                                                                                      \
            trial, [](auto... a) { return kernel##_grad_launch(a...); },                                       \
            [](auto... a) { return kernel##_jvp_launch(a...); }, kernel, over_double, __VA_ARGS__);            \
    }
COMPARE(storage_of_half, half, half, float, half_stored, double_stored, 1e-5)
COMPARE(storage_of_bfloat16, __nv_bfloat16, __nv_bfloat16, float, bfloat16_stored, double_stored, 1e-5)
COMPARE(arithmetic_of_half, half, half, float, half_computed, double_computed, 4e-3)
COMPARE(arithmetic_of_bfloat16, __nv_bfloat16, __nv_bfloat16, float, bfloat16_computed, double_computed, 3e-2)
COMPARE(pairs_of_half, half, half2, float2, half_pairs, double_pairs, 4e-3)
COMPARE(pairs_of_bfloat16, __nv_bfloat16, __nv_bfloat162, float2, bfloat16_pairs, double_pairs, 3e-2)
COMPARE(sums_of_half, half, half2, float2, half_added, double_added, 4e-3, 0x5500)
COMPARE(sums_of_bfloat16, __nv_bfloat16, __nv_bfloat162, float2, bfloat16_added, double_added, 3e-2, 0x5500)
COMPARE(shared_and_local, half, half, float, half_shared, double_shared, 1e-5)

TEST(of_a_template) {
    std::vector<half> x = rounded<half>(waves(N, 0));
    check::array<half> y{std::vector<half>(N)}, in{x};
    check::array<float> d_y{std::vector<float>(N, 1)}, d_x{std::vector<float>(N)};
    EXPECT_STATUS(
        (scaled_grad_launch<half>(2, 32, 0, 0, y.data(), in.data(), 3, N, d_y.data(), d_x.data(), nullptr, 0)),
        GW_OK);
    scaled<half><<<2, 32>>>(y.data(), in.data(), 3, N);
    for (int i = 0; i < N; i++) EXPECT(check::near(d_x.get()[i], 2 * ((float)x[i] * 3), 1e-6));
    for (int i = 0; i < N; i++) EXPECT(check::near((float)y.get()[i], (float)x[i] * (float)x[i] * 3, 1e-3));
}

TEST(on_the_host) {
    half2 x[3], y[3];
    float2 d_y[3], d_x[3] = {};
    for (int i = 0; i < 3; i++) x[i] = __floats2half2_rn(0.5f + i, 1.5f - i), d_y[i] = {1.0f + i, 2.0f};
    of_host(y, x, 3);
    of_host_grad(y, x, 3, d_y, d_x);
    for (int i = 0; i < 3; i++) { // y.x = x.x^2 + x.x + y.y / 2, y.y = 2 (2 x.y + 2)
        const float a = __low2float(x[i]), b = __high2float(x[i]);
        EXPECT(__low2float(y[i]) == a * a + a + 2 * b + 2 && __high2float(y[i]) == 4 * b + 4);
        EXPECT(d_x[i].x == (1 + i) * (2 * a + 1) && d_x[i].y == 2 * (1 + i) + 4 * 2.0f);
        EXPECT(d_y[i].x == 0 && d_y[i].y == 0);
    }
}

TEST(split) {
    std::vector<half> x = rounded<half>(waves(N, 0)), w = rounded<half>(waves(W, 2));
    numbers seed = waves(N, 1);
    model m = differences(double_stored, exact(x), exact(w), seed);
    check::array<half> y{std::vector<half>(N)}, in{x}, weights{w};
    check::array<float> d_y{std::vector<float>(seed.begin(), seed.end())}, d_x{std::vector<float>(N)},
        d_w{std::vector<float>(W)};
    check::device_bytes tape(half_stored_tape_bytes(2, 32, y.data(), in.data(), weights.data(), N));
    EXPECT_STATUS(
        (half_stored_fwd_launch(2, 32, 0, 0, y.data(), in.data(), weights.data(), N, tape.data(), tape.size())),
        GW_OK);
    EXPECT_STATUS((half_stored_bwd_launch(2, 32, 0, 0, y.data(), in.data(), weights.data(), N, d_y.data(),
                                          d_x.data(), d_w.data(), tape.data(), tape.size())),
                  GW_OK);
    near(trial, d_x.get(), m.d_x, 1e-5);
    near(trial, d_w.get(), m.d_w, 1e-5);
}

TEST_MAIN
