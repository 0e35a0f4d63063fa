// The forward derivative of programs, f_jvp: what outputs change by along a direction, against central
// differences and against the gradient along the same direction; memory is as behind the program. And the
// second, f_hvp: what the gradient changes by along a direction, against central differences of the gradient,
// and the same from either side, v'Hw = w'Hv.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cuda_fp16.h>

#include <utility>
#include <vector>

#define HERE          (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)
#define ALL(request)  BOTH(request) GW_HVP(request)

struct rates {
    double by, slope;
    int n;
};
struct field {
    double *next;
    const double *now;
    rates r;
};
__device__ double bias[4];

__global__ void step(field f) {
    const int i = HERE;
    if (i < f.r.n) f.next[i] = f.now[i] + f.r.by * sin(f.now[(i + 1) % f.r.n]) + f.r.slope * i;
}
__global__ void square(double *y, const double *x, int n) {
    const int i = HERE;
    if (i < n) y[i] = 0.5 * x[i] * x[i] + x[i];
}
__global__ void add_bias(double *y, int n) {
    const int i = HERE;
    if (i < n) y[i] = y[i] * y[i] + bias[i % 4];
}
__global__ void set_bias(const double *x) { bias[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void total(double *sum, const double *u, const double *weight, int n) {
    const int i = HERE;
    if (i < n) atomicAdd(sum, weight[i] * u[i] * u[i]);
}

// Structs with numbers and pointers, by value to kernels and to the program; streams; what the host computes.
ALL("loss wrt p.now, p.r.by, scale")
cudaError_t simulate(double *loss, field p, const double *weight, double scale, int steps,
                     cudaStream_t stream) {
    double *u, *v, host[3];
    cudaEvent_t done;
    cudaStream_t other;
    const int n = p.r.n;
    cudaStreamCreate(&other);
    cudaEventCreate(&done);
    cudaMalloc(&u, n * sizeof(double)), cudaMalloc(&v, n * sizeof(double));
    cudaMemcpyAsync(u, p.now, n * sizeof(double), cudaMemcpyDefault, stream);
    for (int t = 0; t < steps; t++) {
        rates r = p.r;
        r.slope = scale * scale + t;
        step<<<1, 32, 0, stream>>>(field{v, u, r});
        std::swap(u, v);
    }
    cudaMemcpyAsync(host, u, sizeof host, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    const double more = host[0] > -100 ? host[1] * scale : host[2];
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    cudaEventRecord(done, stream);
    cudaStreamWaitEvent(other, done);
    total<<<1, 32, 0, other>>>(loss, u, weight, n);
    cudaStreamSynchronize(other);
    *loss += more;
    cudaFree(u), cudaFree(v);
    cudaStreamDestroy(other), cudaEventDestroy(done);
    return cudaGetLastError();
}

// Rows, boxes, bytes, fills, one pointer twice, variables of the device, arrays of the host.
ALL("y wrt x")
void move(double *y, const double *x, double *spare) {
    double *a, *b;
    std::vector<double> h(12);
    cudaMalloc(&a, 12 * sizeof(double)), cudaMallocManaged(&b, 12 * sizeof(double));
    cudaMemset(b, 0, 12 * sizeof(double));
    cudaMemset(a, 0, 12 * sizeof(double));
    cudaMemcpy2D(a, 4 * sizeof(double), x, 3 * sizeof(double), 3 * sizeof(double), 3, cudaMemcpyDefault);
    square<<<1, 32>>>(a, a, 12);
    cudaMemcpy(spare, a, 12 * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy((void *)b, (const void *)spare, 6 * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(h.data(), b, 12 * sizeof(double), cudaMemcpyDefault);
    for (int i = 1; i < 12; i++)
        h[i] += 0.5 * h[i - 1];
    cudaMemcpy(b, h.data(), 12 * sizeof(double), cudaMemcpyDefault);
    set_bias<<<1, 4>>>(x);
    add_bias<<<1, 32>>>(b, 12);
    cudaMemset2D(a, 4 * sizeof(double), 0, sizeof(double), 3);
    cudaMemcpy(y, b, 6 * sizeof(double), cudaMemcpyDefault);
    cudaMemcpy(y + 6, a + 6, 6 * sizeof(double), cudaMemcpyDefault);
    cudaFree(a), cudaFree(b);
}

// A number is returned, of two kinds of floating point.
ALL("wrt x, by")
float returned(const float *x, double by, int n) {
    float *y, host[2];
    if (n < 2) return (float)(by * by);
    cudaMalloc(&y, n * sizeof(float));
    cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDefault);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDefault);
    cudaFree(y);
    return (float)by * host[0] * host[1];
}

// What a launch reads and another kernel overwrites: nothing is kept for a way back.
__global__ void mix(double *u, int n) {
    const int i = HERE;
    u[i] = u[i] * u[i];
    __syncthreads();
    const double next = u[(i + 1) % n];
    __syncthreads();
    u[i] = u[i] * next;
}
ALL("x wrt x") void mixed(double *x, int n, int steps) {
    for (int t = 0; t < steps; t++)
        mix<<<1, n>>>(x, n);
}

// Boxes, of which a copy leaves a part as the fill has it; memory of half precision.
ALL("y wrt x")
void boxes(double *y, const double *x) {
    const cudaExtent all = make_cudaExtent(4 * sizeof(double), 3, 2);
    cudaPitchedPtr box;
    double *u;
    cudaMalloc3D(&box, all);
    cudaMalloc(&u, 24 * sizeof(double));
    cudaMemset3D(box, 0, all);
    cudaMemcpy3DParms in = {}, out = {};
    in.srcPtr = make_cudaPitchedPtr((void *)x, 4 * sizeof(double), 4, 3);
    out.srcPtr = in.dstPtr = box;
    out.dstPtr = make_cudaPitchedPtr(u, 4 * sizeof(double), 4, 3);
    in.extent = make_cudaExtent(3 * sizeof(double), 3, 2);
    out.extent = all;
    in.kind = out.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&in);
    cudaMemcpy3D(&out);
    square<<<1, 32>>>(y, u, 24);
    cudaFree(u), cudaFree(box.ptr);
}
__global__ void to_half(__half *h, const float *x, float p, int n) {
    const int i = HERE;
    if (i < n) h[i] = __float2half(p * x[i] * x[i]);
}
__global__ void from_half(float *y, const __half *h, int n) {
    const int i = HERE;
    if (i < n) y[i] = 3 * __half2float(h[i]);
}
BOTH("y wrt x, p")
void halves(float *y, const float *x, float p, int n) {
    __half *h, *g;
    cudaMalloc(&h, n * sizeof *h), cudaMalloc(&g, n * sizeof *g);
    to_half<<<1, 64>>>(h, x, p, n);
    cudaMemcpy(g, h, n * sizeof *h, cudaMemcpyDeviceToDevice);
    from_half<<<1, 64>>>(y, g, n);
    cudaFree(h), cudaFree(g);
}
// A loop that runs again by segments, memory that is made in it, and arrays in what the launch gives; behind a
// list that is freed, which the way back needs, and nobody asks for tangents of.
__global__ void backwards(int *order, int n) { order[HERE] = n - 1 - HERE; }
__global__ void ordered(double *v, const double *u, const int *order) { v[HERE] = u[order[HERE]] * u[HERE]; }
__global__ void exchange(double *v, const double *u, double by, int n) {
    extern __shared__ double row[];
    const int i = threadIdx.x;
    row[i] = u[i] * u[i];
    __syncthreads();
    v[i] = u[i] + by * row[n - 1 - i] * u[i];
}
GW_GRADIENT("u wrt u, by") GW_HVP("u wrt u, by")
void segments(double *u, double by, int n, int steps, cudaStream_t stream) {
    int *order;
    double *first;
    cudaMalloc(&order, n * sizeof(int)), cudaMalloc(&first, n * sizeof(double));
    backwards<<<1, n, 0, stream>>>(order, n);
    ordered<<<1, n, 0, stream>>>(first, u, order);
    cudaMemcpyAsync(u, first, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaFree(order), cudaFree(first);
    GW_CHECKPOINT(2) for (int t = 0; t < steps; t++) {
        double *v;
        cudaMalloc(&v, n * sizeof(double));
        exchange<<<1, n, n * sizeof(double), stream>>>(v, u, by, n);
        cudaMemcpyAsync(u, v, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
        cudaFree(v);
    }
}
// Many blocks end their lives before the caller's weights are read, whose tangents are zeros of the run's.
__global__ void weigh(double *y, const double *u, const double *w) { y[HERE] = w[HERE] * u[HERE] * u[HERE]; }
GW_GRADIENT("y wrt x") GW_HVP("y wrt x")
void weighed(double *y, const double *x, const double *w, int n) {
    for (int t = 0; t < 40; t++) {
        double *u;
        cudaMalloc(&u, n * sizeof(double));
        square<<<1, n>>>(u, x, n);
        cudaFree(u);
    }
    weigh<<<1, n>>>(y, x, w);
}
#include "program_forward.grad.cuh"

namespace {

typedef std::vector<double> numbers;
double dot(const numbers &a, const numbers &b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); i++)
        sum += a[i] * b[i];
    return sum;
}
numbers random(uint64_t seed, size_t count) {
    check::generator from = {seed};
    numbers made;
    while (made.size() < count)
        made.push_back(from.uniform(-1, 1));
    return made;
}
numbers moved(const numbers &at, const numbers &along, double h) {
    numbers made = at;
    for (size_t i = 0; i < at.size(); i++)
        made[i] += h * along[i];
    return made;
}

TEST(simulate) {
    enum { N = 9, STEPS = 3 };
    const double h = 1e-6, by = 0.3, scale = 0.7, t_by = 0.4, t_scale = -0.6;
    const numbers x0 = random(1, N), w0 = random(2, N), along = random(3, N), none(N);
    const auto loss_of = [&](double e) {
        check::array<double> x(moved(x0, along, e)), w(w0);
        check::array<double, true> loss({5}); // the host adds to it
        simulate(loss, {nullptr, x, {by + e * t_by, 0, N}}, w, scale + e * t_scale, STEPS, nullptr);
        cudaDeviceSynchronize();
        return loss.get()[0];
    };
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 3; run++) {
        check::array<double> x(x0), w(w0), t_x(along), d_x(none);
        check::array<double, true> loss({5}), t_loss({9}), d_loss({1});
        const field p = {nullptr, x, {by, 0, N}}, t_p = {nullptr, t_x, {t_by, 0, 0}};
        field d = {nullptr, d_x, {0, 0, 0}};
        double d_scale = 0;
        EXPECT_STATUS(
            simulate_jvp_in(run ? pool : nullptr, loss, p, w, scale, STEPS, nullptr, t_loss, t_p, t_scale),
            GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(check::near(loss.get()[0], loss_of(0), 1e-12, 1) && x.get() == x0);
        EXPECT(check::near(t_loss.get()[0], (loss_of(h) - loss_of(-h)) / (2 * h), 1e-7, 1));
        EXPECT_STATUS(simulate_grad(loss, p, w, scale, STEPS, nullptr, d_loss, &d, &d_scale), GW_OK);
        const double back = dot(d_x.get(), along) + d.r.by * t_by + d_scale * t_scale;
        EXPECT(check::near(t_loss.get()[0], back, 1e-11, 1));
    }
    gw_pool_free(pool);
}

TEST(move) {
    const numbers x0 = random(4, 12), along = random(5, 12), seed = random(6, 12), none(12);
    const double h = 1e-6;
    const auto end_of = [&](double e) {
        check::array<double> x(moved(x0, along, e)), y(none);
        numbers spare(12);
        move(y, x, spare.data());
        cudaDeviceSynchronize();
        return y.get();
    };
    check::array<double> x(x0), y(none), t_x(along), t_y(random(7, 12)), d_x(none), d_y(seed);
    numbers spare(12);
    EXPECT_STATUS(move_jvp(y, x, spare.data(), t_y, t_x), GW_OK);
    EXPECT_DEVICE_OK();
    const numbers end = end_of(0), more = end_of(h), less = end_of(-h), t = t_y.get();
    for (int i = 0; i < 12; i++)
        EXPECT(y.get()[i] == end[i] && check::near(t[i], (more[i] - less[i]) / (2 * h), 1e-7, 1));
    EXPECT_STATUS(move_grad(y, x, spare.data(), d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(check::near(dot(seed, t), dot(d_x.get(), along), 1e-11, 1));
}

TEST(returned) {
    check::array<float> x({3, 5, 7}), t_x({1, 10, 100});
    float value = 0, tangent = 0;
    EXPECT_STATUS(returned_jvp(x, 2, 3, t_x, 0.5, &value, &tangent), GW_OK);
    EXPECT(value == 30 && tangent == 2 * (5 + 30) + 0.5f * 15);
    EXPECT_STATUS(returned_jvp(x, 2, 1, t_x, 0.5, &value, &tangent), GW_OK);
    EXPECT(value == 4 && tangent == 2);
}

TEST(mixed) {
    const numbers x0 = {1.1, 0.8, -0.9, 1.2}, along = random(8, 4), seed = random(9, 4);
    check::array<double> x(x0), t_x(along), again(x0), d_x(seed);
    EXPECT_STATUS(mixed_jvp(x, 4, 3, t_x), GW_OK);
    EXPECT_DEVICE_OK();
    mixed(again, 4, 3);
    cudaDeviceSynchronize();
    EXPECT(x.get() == again.get());
    check::array<double> y(x0);
    EXPECT_STATUS(mixed_grad(y, 4, 3, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(check::near(dot(seed, t_x.get()), dot(d_x.get(), along), 1e-11, 1));
}

TEST(boxes) {
    const numbers x0 = random(10, 24), along = random(11, 24);
    check::array<double> x(x0), t_x(along), y(numbers(24)), t_y(numbers(24, 7));
    EXPECT_STATUS(boxes_jvp(y, x, t_y, t_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < 24; i++)
        EXPECT(check::near(t_y.get()[i], i % 4 == 3 ? 0 : (x0[i] + 1) * along[i], 1e-14, 1));
}

TEST(halves) { // powers of two and sums of two of them, which a half holds
    check::array<float> x({1, 2, 0.5, 4}), t_x({1, 0.5, 2, 0.25}), y({0, 0, 0, 0}), t_y({9, 9, 9, 9});
    EXPECT_STATUS(halves_jvp(y, x, 2, 4, t_y, t_x, 0.5f), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 4; i++) {
        const float at = x.get()[i];
        EXPECT(y.get()[i] == 3 * 2 * at * at);
        EXPECT(t_y.get()[i] == 3 * (2 * 2 * at * t_x.get()[i] + 0.5f * at * at));
    }
}

/* ---- second derivatives ---- */

// What a gradient is at the inputs of `at`, moved along a direction: all of it in one row.
template <class G>
bool is_change(const numbers &got, G &&gradient, double h, double tolerance) {
    const numbers more = gradient(h), less = gradient(-h);
    bool good = got.size() == more.size();
    for (size_t i = 0; good && i < got.size(); i++)
        good = check::near(got[i], (more[i] - less[i]) / (2 * h), tolerance, 1);
    return good;
}

TEST(simulate_twice) {
    enum { N = 9, STEPS = 3 };
    const numbers x0 = random(21, N), w0 = random(22, N), none(N);
    const double by = 0.3, scale = 0.7;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    numbers direction[2], change[2];
    for (int run = 0; run < 2; run++) {
        const numbers along = direction[run] = random(23 + run, N + 2);
        const auto gradient = [&](double e) {
            check::array<double> x(moved(x0, numbers(along.begin(), along.begin() + N), e)), w(w0), d_x(none);
            check::array<double, true> loss({5}), d_loss({1});
            field d = {nullptr, d_x, {0, 0, 0}};
            double d_scale = 0;
            const field p = {nullptr, x, {by + e * along[N], 0, N}};
            const double at = scale + e * along[N + 1];
            EXPECT_STATUS(simulate_grad(loss, p, w, at, STEPS, nullptr, d_loss, &d, &d_scale), GW_OK);
            numbers made = d_x.get();
            made.push_back(d.r.by), made.push_back(d_scale);
            return made;
        };
        check::array<double> x(x0), w(w0), t_x(along), d_x(none), t_d_x(none);
        check::array<double, true> loss({5}), t_loss({0}), d_loss({1}), t_d_loss({0});
        const field p = {nullptr, x, {by, 0, N}}, t_p = {nullptr, t_x, {along[N], 0, 0}};
        field d_p = {nullptr, d_x, {0, 0, 0}}, t_d_p = {nullptr, t_d_x, {0, 0, 0}};
        double d_scale = 0, t_d_scale = 0;
        EXPECT_STATUS(simulate_hvp_in(run ? pool : nullptr, loss, p, w, scale, STEPS, nullptr, t_loss, t_p,
                                      along[N + 1], d_loss, &d_p, &d_scale, t_d_loss, &t_d_p, &t_d_scale),
                      GW_OK);
        EXPECT_DEVICE_OK();
        numbers first = d_x.get(), second = t_d_x.get();
        first.push_back(d_p.r.by), first.push_back(d_scale);
        second.push_back(t_d_p.r.by), second.push_back(t_d_scale);
        const numbers want = gradient(0);
        for (size_t i = 0; i < want.size(); i++)
            EXPECT(check::near(first[i], want[i], 1e-11, 1));
        EXPECT(x.get() == x0 && is_change(second, gradient, 1e-5, 1e-7));
        change[run] = second;
    }
    EXPECT(check::near(dot(change[0], direction[1]), dot(change[1], direction[0]), 1e-11, 1));
    gw_pool_free(pool);
}

TEST(move_twice) {
    const numbers x0 = random(31, 12), along = random(32, 12), seed = random(33, 12), none(12);
    numbers spare(12);
    const auto gradient = [&](double e) {
        check::array<double> x(moved(x0, along, e)), y(none), d_x(none), d_y(seed);
        EXPECT_STATUS(move_grad(y, x, spare.data(), d_y, d_x), GW_OK);
        cudaDeviceSynchronize();
        return d_x.get();
    };
    check::array<double> x(x0), y(none), t_x(along), t_y(none), d_x(none), d_y(seed), t_d_x(none), t_d_y(none);
    EXPECT_STATUS(move_hvp(y, x, spare.data(), t_y, t_x, d_y, d_x, t_d_y, t_d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(is_change(t_d_x.get(), gradient, 1e-5, 1e-7));
}

TEST(returned_twice) { // by x0 x1: the Hessian has by in (x0, x1), x1 in (x0, by), x0 in (x1, by)
    check::array<float> x({3, 5, 7}), t_x({1, 10, 100}), d_x({0, 0, 0}), t_d_x({0, 0, 0});
    double d_by = 0, t_d_by = 0;
    EXPECT_STATUS(returned_hvp(x, 2, 3, t_x, 0.5, d_x, &d_by, t_d_x, &t_d_by), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == std::vector<float>({10, 6, 0}) && d_by == 15);
    EXPECT(t_d_x.get() == std::vector<float>({20 + 2.5f, 2 + 1.5f, 0}) && t_d_by == 5 + 30);
    EXPECT_STATUS(returned_hvp(x, 2, 1, t_x, 0.5, d_x, &d_by, t_d_x, &t_d_by), GW_OK);
    EXPECT(d_by == 15 + 4 && t_d_by == 35 + 2 * 0.5);
    EXPECT_STATUS(returned_hvp(x, 2, 3, nullptr, 0.5, d_x, &d_by, t_d_x, &t_d_by), GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "t_x is a null pointer") != nullptr);
}

TEST(weighed_twice) { // 2 w t along x
    const numbers x0 = random(51, 4), w0 = random(52, 4), along = random(53, 4), seed = random(54, 4), none(4);
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    size_t held = 0;
    for (int run = 0; run < 4; run++) {
        check::array<double> x(x0), w(w0), y(none), t_x(along), t_y(none), d_x(none), d_y(seed), t_d_x(none),
            t_d_y(none);
        EXPECT_STATUS(weighed_hvp_in(pool, y, x, w, 4, t_y, t_x, d_y, d_x, t_d_y, t_d_x), GW_OK);
        EXPECT_DEVICE_OK();
        for (int i = 0; i < 4; i++) {
            EXPECT(check::near(d_x.get()[i], 2 * w0[i] * x0[i] * seed[i], 1e-14, 1));
            EXPECT(check::near(t_d_x.get()[i], 2 * w0[i] * along[i] * seed[i], 1e-14, 1));
        }
        EXPECT(run == 0 || gw_pool_held(pool) == held);
        held = gw_pool_held(pool);
    }
    gw_pool_free(pool);
}

TEST(overwritten_twice) { // in halves, and in segments
    const numbers x0 = {1.1, 0.8, -0.9, 1.2}, along = random(41, 4), seed = random(42, 4), none(4);
    const auto mixed_at = [&](double e) {
        check::array<double> x(moved(x0, along, e)), d_x(seed);
        EXPECT_STATUS(mixed_grad(x, 4, 2, d_x), GW_OK);
        cudaDeviceSynchronize();
        return d_x.get();
    };
    check::array<double> x(x0), t_x(along), d_x(seed), t_d_x(none);
    EXPECT_STATUS(mixed_hvp(x, 4, 2, t_x, d_x, t_d_x), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(is_change(t_d_x.get(), mixed_at, 1e-5, 1e-7));
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 2; run++) {
        double d_by = 0, t_d_by = 0;
        const auto segments_at = [&](double e) {
            check::array<double> u(moved(x0, along, e)), d_u(seed);
            double d = 0;
            EXPECT_STATUS(segments_grad(u, 0.4 + 0.3 * e, 4, 5, nullptr, d_u, &d), GW_OK);
            cudaDeviceSynchronize();
            numbers made = d_u.get();
            made.push_back(d);
            return made;
        };
        check::array<double> u(x0), t_u(along), d_u(seed), t_d_u(none);
        EXPECT_STATUS(segments_hvp_in(pool, u, 0.4, 4, 5, nullptr, t_u, 0.3, d_u, &d_by, t_d_u, &t_d_by),
                      GW_OK);
        EXPECT_DEVICE_OK();
        numbers got = t_d_u.get();
        got.push_back(t_d_by);
        EXPECT(is_change(got, segments_at, 1e-5, 1e-7));
    }
    gw_pool_free(pool);
}

TEST(boxes_twice) {
    const numbers x0 = random(51, 24), along = random(52, 24), seed = random(53, 24);
    check::array<double> x(x0), t_x(along), y(numbers(24)), t_y(numbers(24)), d_x(numbers(24)), d_y(seed),
        t_d_x(numbers(24)), t_d_y(numbers(24));
    EXPECT_STATUS(boxes_hvp(y, x, t_y, t_x, d_y, d_x, t_d_y, t_d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (int i = 0; i < 24; i++)
        EXPECT(check::near(t_d_x.get()[i], i % 4 == 3 ? 0 : seed[i] * along[i], 1e-14, 1));
}

} // namespace

TEST_MAIN
