// Arrays of a program's own between the host and the device: malloc, calloc, new, vectors, arrays on the stack,
// tables at file scope; copied both ways, worked on by loops on the host. Against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

__global__ void square(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * u[i];
}
__global__ void gather(double *v, const double *u, const int *ids, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[ids[i]] * u[ids[i]];
}
__global__ void weigh(double *v, const double *u, const double *w, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] += w[i] * u[i];
}
__global__ void total(double *loss, const double *v, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, v[i]);
}

// What the programs have in common: v = u^2 on the device.
static double *squared(const double *x, int n) {
    double *v;
    cudaMalloc(&v, n * sizeof(double));
    square<<<1, 64>>>(v, x, n);
    return v;
}
static void finish(double *loss, double s, double *v) {
    cudaMemcpy(loss, &s, sizeof s, cudaMemcpyHostToDevice);
    cudaFree(v);
}

// Down, worked on, up and down again.
GW_GRADIENT("loss wrt x, p")
void by_malloc(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), *h = (double *)malloc(n * sizeof(double)), s = 0;
    cudaMemcpy(h, v, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++)
        h[i] += p * h[i - 1];
    cudaMemcpy(v, h, n * sizeof(double), cudaMemcpyHostToDevice);
    square<<<1, 64>>>(v, v, n);
    cudaMemcpy(h, v, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        s += (i + 1) * h[i];
    free(h);
    finish(loss, s, v);
}

// Zeros from the start; a helper that allocates, and one that frees; a test for null.
static double *zeros(int n) {
    double *made = (double *)calloc(n, sizeof *made);
    if (!made) exit(1);
    return made;
}
static void release(double *what) { free(what); }
GW_GRADIENT("loss wrt x, p")
void by_calloc(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), *w = zeros(n), *h = zeros(n), s = 0, *on_device;
    for (int i = 0; i < n; i += 2)
        w[i] += p * i;
    cudaMalloc(&on_device, n * sizeof(double));
    cudaMemcpy(on_device, w, n * sizeof(double), cudaMemcpyHostToDevice);
    weigh<<<1, 64>>>(v, x, on_device, n);
    cudaMemcpy(h + 1, v + 1, (n - 1) * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        s += h[i] * h[i];
    release(w);
    release(h);
    cudaFree(on_device);
    finish(loss, s, v);
}

// Integers and numbers; what is filled and copied by memset, memcpy and std::fill.
GW_GRADIENT("loss wrt x, p")
void by_new(double *loss, const double *x, double p, int n) {
    int *order = new int[n], *ids;
    double *h = new double[n], *w = new double[n](), *kept = new double[n], *v, s = 0;
    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    cudaMalloc(&ids, n * sizeof(int));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpy(ids, order, n * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<1, 64>>>(v, x, ids, n);
    cudaMemcpyAsync(h, v, n * sizeof(double), cudaMemcpyDeviceToHost);
    memcpy(kept, h, n * sizeof(double));
    std::fill(w, w + n, p);
    cudaMemcpy(v, w, n * sizeof(double), cudaMemcpyHostToDevice);
    weigh<<<1, 64>>>(v, x, v, n);
    memset(h, 0, n * sizeof(double));
    cudaMemcpy(w, v, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        s += kept[i] * w[i] + h[i];
    delete[] order;
    delete[] h;
    delete[] w;
    delete[] kept;
    cudaFree(ids);
    finish(loss, s, v);
}

// Two buffers that change places, by a pointer to each.
GW_GRADIENT("loss wrt x, p")
void by_turns(double *loss, const double *x, double p, int n) {
    std::vector<double> first(n), second(n, 0.5);
    double *from = first.data(), *to = second.data(), *v = squared(x, n), s = 0;
    cudaMemcpy(from, v, n * sizeof(double), cudaMemcpyDefault);
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            to[i] = p * from[i] + 0.25 * from[(i + 1) % n];
        cudaMemcpy(v, to, n * sizeof(double), cudaMemcpyDefault);
        square<<<1, 64>>>(v, v, n);
        cudaMemcpy(to, v, n * sizeof(double), cudaMemcpyDefault);
        std::swap(from, to);
    }
    for (double h : first)
        s += h;
    for (double h : second)
        s += 2 * h;
    finish(loss, s, v);
}

// On the stack, longer than what is kept in variables, and of a number that only a run knows; rows; structs.
struct pair {
    double value;
    int count;
};
__global__ void pairs(pair *c, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) c[i].value = u[i] * u[i], c[i].count = i;
}
GW_GRADIENT("loss wrt x, p")
void on_the_stack(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), s = 0;
    pair *c;
    cudaMalloc(&c, n * sizeof *c);
    pairs<<<1, 64>>>(c, x, n);
    for (int t = 0; t < 2; t++) {
        double h[400], few[64] = {0}, rows[8][64];
        pair kept[64];
        cudaMemcpy(h, v, n * sizeof(double), cudaMemcpyDeviceToHost);
        cudaMemcpy(few + t, v, (n - t) * sizeof(double), cudaMemcpyDeviceToHost);
        cudaMemcpy(rows[t + 1], v, n * sizeof(double), cudaMemcpyDeviceToHost);
        cudaMemcpy(kept, c, n * sizeof(pair), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) {
            s += h[i] * few[i] * (i + t) + kept[i].value * kept[i].count;
            rows[t + 1][i] *= p;
        }
        cudaMemcpy(v, rows[t + 1], n * sizeof(double), cudaMemcpyHostToDevice);
    }
    cudaFree(c);
    finish(loss, s, v);
}

// At file scope: tables that are read, and buffers that both sides write.
static const int stride[4] = {3, 1, 2, 0};
static const double shares[3] = {0.5, -1.5, 2};
static double buffer[64], grid[2][64];
namespace inner {
float scale[2] = {1.5f, 0.5f};
}
__constant__ int on_device_stride[4];
__constant__ double on_device_shares[3];
__constant__ float on_device_scale[2];
__global__ void mix(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = on_device_shares[i % 3] * u[(i + on_device_stride[i % 4]) % n] * on_device_scale[i % 2];
}
GW_GRADIENT("loss wrt x, p")
void at_file_scope(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), *w, s = 0;
    cudaMalloc(&w, n * sizeof(double));
    cudaMemcpyToSymbol(on_device_stride, stride, sizeof stride);
    cudaMemcpyToSymbol(on_device_shares, shares, sizeof shares);
    cudaMemcpyToSymbol(on_device_scale, inner::scale, sizeof inner::scale);
    mix<<<1, 64>>>(w, v, n);
    cudaMemcpy(buffer, w, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(grid[1], w, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        grid[1][i] *= p * buffer[n - 1 - i] * shares[2];
    cudaMemcpy(v, grid[1], n * sizeof(double), cudaMemcpyHostToDevice);
    square<<<1, 64>>>(v, v, n);
    cudaMemcpy(grid[0], v, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        s += grid[0][i] + stride[1] * grid[1][i];
    cudaFree(w);
    finish(loss, s, v);
}

// In a marked loop, on a stream: what is copied without waiting is there, as from memory that is not pinned.
GW_GRADIENT("loss wrt x, p")
void in_a_marked_loop(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), *h = (double *)malloc(n * sizeof(double)), s = 0;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    GW_CHECKPOINT(3) for (int t = 0; t < 7; t++) {
        cudaMemcpyAsync(h, v, n * sizeof(double), cudaMemcpyDeviceToHost, stream);
        h[t % n] *= p;
        cudaMemcpyAsync(v, h, n * sizeof(double), cudaMemcpyHostToDevice, stream);
        h[0] = 100;
        if (t % 2) square<<<1, 64, 0, stream>>>(v, v, n);
    }
    cudaMemcpyAsync(h, v, n * sizeof(double), cudaMemcpyDeviceToHost, stream);
    for (int i = 0; i < n; i++)
        s += h[i];
    free(h);
    cudaStreamDestroy(stream);
    finish(loss, s, v);
}

// Owners that free by themselves, bytes of no type, a vector that grows, flags; one host array into another.
static void *checked(size_t bytes) {
    void *made = malloc(bytes);
    if (made == nullptr) abort();
    return made;
}
struct holder {
    double *at;
    explicit holder(int n) : at(new double[n]) {}
    ~holder() { delete[] at; }
    double &operator[](int i) { return at[i]; }
};
__global__ void large(bool *is, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) is[i] = u[i] > 0.25;
}
GW_GRADIENT("loss wrt x, p")
void by_owners(double *loss, const double *x, double p, int n) {
    const size_t bytes = n * sizeof(double);
    std::unique_ptr<double[]> first(new double[n]);
    auto second = std::make_unique<double[]>(n);
    holder third(n);
    double *fourth = (double *)checked(bytes), *v = squared(x, n), s = 0;
    bool *is, *flags = new bool[n];
    std::vector<double> grown;
    for (int i = 0; i < n; i++)
        grown.push_back(p * i);
    cudaMemcpy(first.get(), v, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(&second[0], first.get(), bytes, cudaMemcpyHostToHost);
    cudaMalloc(&is, n);
    large<<<1, 64>>>(is, v, n);
    cudaMemcpy(flags, is, n, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        first[i] = flags[i] ? p * second[n - 1 - i] : -second[i];
    cudaMemcpy(v, first.get(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(third.at, v, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(v, grown.data(), bytes, cudaMemcpyHostToDevice);
    weigh<<<1, 64>>>(v, x, v, n);
    cudaMemcpy(fourth, v, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(grown.data() + 1, v + 1, (n - 1) * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        s += third[i] * fourth[i] + grown[i] * i;
    free(fourth);
    delete[] flags;
    cudaFree(is);
    finish(loss, s, v);
}

// Boxes that are copied without waiting.
static void copy_box(void *to, void *from, int n, cudaMemcpyKind kind, cudaStream_t stream) {
    cudaMemcpy3DParms box = {};
    box.dstPtr = make_cudaPitchedPtr(to, n * sizeof(double), n, 1);
    box.srcPtr = make_cudaPitchedPtr(from, n * sizeof(double), n, 1);
    box.extent = make_cudaExtent(n * sizeof(double), 1, 1);
    box.kind = kind;
    cudaMemcpy3DAsync(&box, stream);
}
GW_GRADIENT("loss wrt x, p")
void by_boxes(double *loss, const double *x, double p, int n) {
    double *v = squared(x, n), *h = (double *)malloc(n * sizeof(double)), s = 0;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    for (int t = 0; t < 3; t++) {
        copy_box(h, v, n, cudaMemcpyDeviceToHost, stream);
        h[t] *= p;
        copy_box(v, h, n, cudaMemcpyHostToDevice, stream);
        h[0] = 100;
        square<<<1, 64, 0, stream>>>(v, v, n);
    }
    copy_box(h, v, n, cudaMemcpyDeviceToHost, stream);
    for (int i = 0; i < n; i++)
        s += h[i];
    free(h);
    cudaStreamDestroy(stream);
    finish(loss, s, v);
}
#include "program_host_arrays.grad.cuh"

namespace {

typedef void program(double *, const double *, double, int);
typedef gw_status gradient(gw_pool *, double *, const double *, int, double *, double *, double *);
const double p = 0.6;

double loss_of(program *run, const std::vector<double> &x, double p) {
    check::array<double> loss({0.0}), u(x);
    run(loss, u, p, (int)x.size());
    return loss.get()[0];
}

void compare(check::trial &trial, program *run, gradient *back) {
    const double h = 1e-5;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (const int n : {7, 12, 12}) {
        std::vector<double> x;
        check::generator random = {(uint64_t)n};
        for (int i = 0; i < n; i++)
            x.push_back(random.uniform(0.2, 0.9));
        check::array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>((size_t)n, 0.0));
        double d_p = 0;
        EXPECT_STATUS(back(pool, loss, u, n, d_loss, d_u, &d_p), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT_NEAR(loss.get()[0], loss_of(run, x, p), 1e-12);
        EXPECT(check::near(d_p, (loss_of(run, x, p + h) - loss_of(run, x, p - h)) / (2 * h), 1e-6, 1));
        for (size_t i = 0; i < (size_t)n; i++) {
            std::vector<double> more = x, less = x;
            more[i] += h, less[i] -= h;
            const double want = (loss_of(run, more, p) - loss_of(run, less, p)) / (2 * h);
            EXPECT(check::near(d_u.get()[i], want, 1e-6, 1));
        }
    }
    gw_pool_free(pool);
}

#define COMPARE(NAME)                                                                                          \
    gw_status NAME##_back(gw_pool *pool, double *loss, const double *x, int n, double *d_loss, double *d_x,    \
                          double *d_p) {                                                                       \
        return NAME##_grad_in(pool, loss, x, p, n, d_loss, d_x, d_p);                                          \
    }                                                                                                          \
    TEST(NAME) { compare(trial, NAME, NAME##_back); }
COMPARE(by_malloc)
COMPARE(by_calloc)
COMPARE(by_new)
COMPARE(by_turns)
COMPARE(on_the_stack)
COMPARE(at_file_scope)
COMPARE(in_a_marked_loop)
COMPARE(by_owners)
COMPARE(by_boxes)

} // namespace
TEST_MAIN
