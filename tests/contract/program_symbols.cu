// Variables of the device that programs write: by cudaMemcpyToSymbol, through their addresses, in kernels;
// tables, structs, numbers, integers; again and again, so that the way back must find what was there. Against
// central differences, as a graph too; and what the program leaves in them is there behind its gradient.
#include "../support/expect.cuh"

#include <gradwright/program.h>

struct settings {
    int cells;
    float slope;
    double weight[2];
    short power;
    double last;
};
__device__ double factor;
__device__ int cut;
__device__ double across[2][3];
__constant__ settings given;
namespace inner {
__device__ double sum;
__device__ double kept[16];
} // namespace inner

GW_GRADIENT("v wrt u") // of the user's own, which leaves the variable out
__global__ void times(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = factor * u[i] * u[i] + across[i % 2][i % 3];
}
__global__ void by_settings(double *v, const double *u) {
    const int i = threadIdx.x;
    if (i < given.cells) v[i] = u[i] * given.weight[i % 2] + given.slope * given.last * given.power;
}
__global__ void keep(const double *u, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    inner::kept[i] = u[i] * factor;
    atomicAdd(&inner::sum, u[i] * u[i]);
}
__global__ void take(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = inner::kept[(i + 1) % n] * inner::kept[i] * u[i] + (i < cut ? u[i] : 0);
}
__global__ void total(double *loss, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, (1 + i) * u[i] * u[i]);
}

GW_GRADIENT("loss wrt x, p")
void symbols(double *loss, const double *x, double p, int n, int steps, cudaStream_t stream) {
    const size_t bytes = n * sizeof(double);
    const settings how = {n, 0.5f, {p, 0.75}, 3, p * p};
    double *u, *v, *kept;
    cudaMalloc(&u, bytes);
    cudaMalloc(&v, bytes);
    cudaGetSymbolAddress((void **)&kept, inner::kept);
    cudaMemcpyToSymbolAsync(given, &how, sizeof how, 0, cudaMemcpyHostToDevice, stream);
    cudaMemcpyToSymbolAsync(across, x + 1, 4 * sizeof(double), 2 * sizeof(double), cudaMemcpyDeviceToDevice,
                            stream);
    by_settings<<<1, n, 0, stream>>>(u, x);
    cudaMemsetAsync(kept, 0, bytes, stream);
    for (int t = 0; t < steps; t++) {
        const int now = t + 1;
        const double by = 0.5 + p * t;
        cudaMemcpyToSymbolAsync(cut, &now, sizeof now, 0, cudaMemcpyHostToDevice, stream);
        cudaMemcpyToSymbolAsync(factor, &by, sizeof by, 0, cudaMemcpyHostToDevice, stream);
        times<<<1, n, 0, stream>>>(v, u, n);
        cudaMemcpyToSymbolAsync(inner::sum, v + t, sizeof(double), 0, cudaMemcpyDeviceToDevice, stream);
        keep<<<1, n, 0, stream>>>(v, n);
        take<<<1, n, 0, stream>>>(u, v, n);
        cudaMemcpyFromSymbolAsync(u + t, inner::sum, sizeof(double), 0, cudaMemcpyDeviceToDevice, stream);
    }
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, n, 0, stream>>>(loss, u, n);
    total<<<1, n, 0, stream>>>(loss, kept, n);
    cudaFree(u);
    cudaFree(v);
}

// The same kernels where the loop runs again on the way back.
GW_GRADIENT("loss wrt x")
void again(double *loss, const double *x, int n, int steps) {
    double *u, *v;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpy(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    GW_CHECKPOINT_BINOMIAL(2) for (int t = 0; t < steps; t++) {
        const double by = 0.3 + 0.1 * t;
        cudaMemcpyToSymbol(factor, &by, sizeof by);
        cudaMemcpyToSymbol(across, u, sizeof(double), 0, cudaMemcpyDeviceToDevice);
        times<<<1, n>>>(v, u, n);
        keep<<<1, n>>>(v, n);
        take<<<1, n>>>(u, v, n);
    }
    double sum;
    cudaMemcpyFromSymbol(&sum, inner::sum, sizeof sum);
    cudaMemset(loss, 0, sizeof(double));
    total<<<1, n>>>(loss, u, n);
    double so_far = 0;
    cudaMemcpy(&so_far, loss, sizeof so_far, cudaMemcpyDeviceToHost);
    so_far += sum * sum;
    cudaMemcpy(loss, &so_far, sizeof so_far, cudaMemcpyHostToDevice);
    cudaFree(u);
    cudaFree(v);
}
// Variables that the host and kernels share: named by the host, by reference, through a pointer, in a function.
__managed__ double shared_sum = 7;
__managed__ double shared_rates[3];
__managed__ int shared_hits;
__global__ void gather(const double *x) {
    atomicAdd(&shared_sum, x[threadIdx.x] * x[threadIdx.x] * shared_rates[threadIdx.x % 3]);
    atomicAdd(&shared_hits, 1);
}
__global__ void scale_by(double *loss, const double *by) { *loss = *by * *by * shared_rates[1]; }
inline double doubled() { return 2 * shared_rates[0]; }
GW_GRADIENT("loss wrt x, p") GW_HVP("loss wrt x, p")
void managed(double *loss, const double *x, double p, int n) {
    double &rate = shared_rates[0], *last = shared_rates + 2;
    shared_sum = p;
    shared_hits = 0;
    rate = p * p;
    shared_rates[1] = doubled() + 1;
    *last = sin(p);
    for (int t = 0; t < 2; t++) {
        gather<<<1, n>>>(x);
        cudaDeviceSynchronize();
        shared_rates[t] *= shared_sum;
        if (shared_hits == n) shared_sum *= shared_sum;
    }
    scale_by<<<1, 1>>>(loss, &shared_sum);
}
// Two of one variable template in a kernel, and one of another.
namespace inner {
template <class T, int n> __constant__ T mask[n];
} // namespace inner
template <class T> __device__ T rate;
template <class T> __global__ void convolve(T *v, const T *u, int n) {
    const int i = threadIdx.x;
    T sum = 0;
    for (int k = 0; k < 3; k++)
        sum += inner::mask<T, 3>[k] * u[(i + k) % n];
    if (i < n) v[i] = sum * sum * inner::mask<double, 2>[i % 2] * rate<T>;
}
template <class T> GW_GRADIENT("v wrt u, h, p") void convolved(T *v, const T *u, const T *h, double p, int n) {
    const double two[2] = {p, p * p};
    cudaMemcpyToSymbol(inner::mask<double, 2>, two, sizeof two);
    cudaMemcpyToSymbol(inner::mask<T, 3>, h, 3 * sizeof(T));
    cudaMemcpyToSymbol(rate<T>, h + 3, sizeof(T), 0, cudaMemcpyDeviceToDevice);
    convolve<T><<<1, 32>>>(v, u, n);
    cudaMemcpyToSymbol(inner::mask<T, 3>, v, 3 * sizeof(T), 0, cudaMemcpyDeviceToDevice);
    convolve<T><<<1, 32>>>(v, u, n);
}
template void convolved<double>(double *, const double *, const double *, double, int);
#include "program_symbols.grad.cuh"

namespace {

enum { CELLS = 6, STEPS = 2 };

/* All that the program leaves in variables. */
struct left {
    double factor, across[6], sum, kept[16];
    int cut;
    settings given;
};
left look() {
    left l;
    std::memset(&l, 0, sizeof l);
    cudaMemcpyFromSymbol(&l.factor, factor, sizeof factor);
    cudaMemcpyFromSymbol(l.across, across, sizeof across);
    cudaMemcpyFromSymbol(&l.sum, inner::sum, sizeof inner::sum);
    cudaMemcpyFromSymbol(l.kept, inner::kept, sizeof inner::kept);
    cudaMemcpyFromSymbol(&l.cut, cut, sizeof cut);
    cudaMemcpyFromSymbol(&l.given, given, sizeof given);
    return l;
}
void prepare() {
    const double numbers[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, none[16] = {}, start = 0;
    cudaMemcpyToSymbol(across, numbers, sizeof across);
    cudaMemcpyToSymbol(inner::kept, none, sizeof none);
    cudaMemcpyToSymbol(inner::sum, &start, sizeof start);
    cudaMemcpyToSymbol(factor, &start, sizeof start);
}
bool same(const left &a, const left &b) {
    for (int i = 0; i < 16; i++)
        if (!check::near(a.kept[i], b.kept[i], 1e-12, 1)) return false;
    return a.factor == b.factor && a.cut == b.cut && check::near(a.sum, b.sum, 1e-12, 1) &&
           std::memcmp(a.across, b.across, sizeof a.across) == 0 && a.given.last == b.given.last &&
           a.given.cells == b.given.cells && a.given.power == b.given.power;
}

using check::slope;
std::vector<double> numbers() { return check::uniform_numbers(5, CELLS, 0.2, 0.9); }

double symbols_of(const std::vector<double> &x, double p) {
    check::shared_array<double> loss({0.0}), u(x);
    prepare();
    symbols(loss, u, p, CELLS, STEPS, nullptr);
    return loss.get()[0];
}

double again_of(const std::vector<double> &x) {
    check::shared_array<double> loss({0.0}), u(x);
    prepare();
    again(loss, u, CELLS, 4);
    return loss.get()[0];
}

TEST(symbols) {
    const std::vector<double> x = numbers();
    const double p = 0.4, h = 1e-6;
    check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
    double d_p = 0;
    const double value = symbols_of(x, p);
    const left expected = look();
    prepare();
    EXPECT_STATUS(symbols_grad(loss, u, p, CELLS, STEPS, nullptr, d_loss, d_u, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(same(look(), expected));
    EXPECT_NEAR(loss.get()[0], value, 1e-12);
    for (size_t i = 0; i < x.size(); i++)
        EXPECT(check::near(d_u.get()[i],
                           slope([&](const std::vector<double> &y) { return symbols_of(y, p); }, x, i), 1e-6,
                           1));
    EXPECT(check::near(d_p, (symbols_of(x, p + h) - symbols_of(x, p - h)) / (2 * h), 1e-6, 1));
}

TEST(symbols_again) {
    const std::vector<double> x = numbers();
    check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
    const double value = again_of(x);
    const left expected = look();
    prepare();
    EXPECT_STATUS(again_grad(loss, u, CELLS, 4, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(same(look(), expected));
    EXPECT_NEAR(loss.get()[0], value, 1e-12);
    for (size_t i = 0; i < x.size(); i++)
        EXPECT(check::near(d_u.get()[i], slope(again_of, x, i), 1e-6, 1));
}

double managed_of(const std::vector<double> &x, double p) {
    check::shared_array<double> loss({0.0}), u(x);
    managed(loss, u, p, (int)x.size());
    cudaDeviceSynchronize();
    return loss.get()[0];
}

TEST(managed) {
    const std::vector<double> x = {0.3, 0.5, -0.2, 0.4}, along = {0.7, -0.3, 0.2, 0.6};
    const double p = 0.8, h = 1e-5;
    const auto gradient = [&](double e) {
        std::vector<double> moved = x;
        for (size_t i = 0; i < x.size(); i++)
            moved[i] += e * along[i];
        check::shared_array<double> loss({0.0}), u(moved), d_loss({1.0}), d_u(std::vector<double>(4, 0.0));
        double d_p = 0;
        EXPECT_STATUS(managed_grad(loss, u, p + e, 4, d_loss, d_u, &d_p), GW_OK);
        EXPECT_DEVICE_OK();
        std::vector<double> made = d_u.get();
        made.push_back(d_p);
        return made;
    };
    const double value = managed_of(x, p), sum = shared_sum;
    const std::vector<double> got = gradient(0), more = gradient(h), less = gradient(-h);
    gradient(0);
    EXPECT(check::near(shared_sum, sum, 1e-12, 1) && shared_hits == 8);
    EXPECT_NEAR(value, managed_of(x, p), 1e-12);
    for (size_t i = 0; i < 4; i++)
        EXPECT(check::near(got[i], slope([&](const std::vector<double> &y) { return managed_of(y, p); }, x, i),
                           1e-6, 1));
    EXPECT(check::near(got[4], (managed_of(x, p + h) - managed_of(x, p - h)) / (2 * h), 1e-6, 1));
    check::shared_array<double> loss({0.0}), u(x), t_loss({0.0}), t_u(along), d_loss({1.0}), t_d_loss({0.0}),
        d_u(std::vector<double>(4, 0.0)), t_d_u(std::vector<double>(4, 0.0));
    double d_p = 0, t_d_p = 0;
    EXPECT_STATUS(managed_hvp(loss, u, p, 4, t_loss, t_u, 1, d_loss, d_u, &d_p, t_d_loss, t_d_u, &t_d_p),
                  GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < 4; i++)
        EXPECT(check::near(t_d_u.get()[i], (more[i] - less[i]) / (2 * h), 1e-6, 1));
    EXPECT(check::near(t_d_p, (more[4] - less[4]) / (2 * h), 1e-6, 1));
}

double convolved_of(const std::vector<double> &all, double p) {
    check::shared_array<double> v(std::vector<double>(CELLS, 0.0)), u({all.begin(), all.begin() + CELLS}),
        h({all.begin() + CELLS, all.end()});
    convolved<double>(v, u, h, p, CELLS);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += (i + 1) * v.get()[i];
    return sum;
}

TEST(variables_of_templates) {
    const double p = 0.8, step = 1e-6;
    const std::vector<double> all = check::uniform_numbers(9, CELLS + 4, 0.2, 0.9);
    check::shared_array<double> v(std::vector<double>(CELLS, 0.0)), u({all.begin(), all.begin() + CELLS}),
        h({all.begin() + CELLS, all.end()}), d_v({1, 2, 3, 4, 5, 6}), d_u(std::vector<double>(CELLS, 0.0)),
        d_h(std::vector<double>(4, 0.0));
    double d_p = 0;
    EXPECT_STATUS(convolved_grad<double>(v, u, h, p, CELLS, d_v, d_u, d_h, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < all.size(); i++)
        EXPECT(check::near(i < CELLS ? d_u.get()[i] : d_h.get()[i - CELLS],
                           slope([&](const std::vector<double> &x) { return convolved_of(x, p); }, all, i),
                           1e-6, 1));
    EXPECT(check::near(d_p, (convolved_of(all, p + step) - convolved_of(all, p - step)) / (2 * step), 1e-6, 1));
}

} // namespace
TEST_MAIN
