// Programs whose kernels take structs by value: numbers, arrays of numbers, nested structs and pointers in
// them, whose adjoints come back; structs by value and by reference in helper functions. Against central
// differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstdint>
#include <functional>
#include <utility>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct rates {
    double left, right;
    rates(double l, double r) : left(l), right(r) {}
};
struct constants {
    int n;
    double dt;
    double weight[3];
    rates r;
    float slope;
};
struct field {
    double *next;
    const double *now;
    int n;
};
struct world { // numbers and pointers in one
    double *loss;
    const double *u, *target;
    double scale;
    int n;
};

__global__ void step(double *v, const double *u, constants c) {
    const int i = HERE;
    if (i >= c.n) return;
    const double left = i > 0 ? u[i - 1] : u[i], right = i < c.n - 1 ? u[i + 1] : u[i];
    v[i] = c.weight[1] * u[i] + c.dt * (c.r.left * left * u[i] + c.r.right * right) + c.slope * c.weight[i % 3];
}
__global__ void smooth(field f, double by) {
    const int i = HERE;
    if (i < f.n) f.next[i] = f.now[i] - by * f.now[i] * f.now[i];
}
__global__ void misfit(world w) {
    const int i = HERE;
    if (i < w.n) atomicAdd(w.loss, w.scale * (w.u[i] - w.target[i]) * (w.u[i] - w.target[i]));
}

static void advance(field &f, const constants &c, cudaStream_t stream) {
    step<<<(c.n + 15) / 16, 16, 0, stream>>>(f.next, f.now, c);
    double *written = f.next;
    f.next = const_cast<double *>(f.now);
    f.now = written;
    smooth<<<(c.n + 15) / 16, 16, 0, stream>>>(f, c.dt * c.r.left);
    written = f.next;
    f.next = const_cast<double *>(f.now);
    f.now = written;
}
static constants halved(constants c) {
    c.dt *= 0.5;
    c.weight[2] *= c.r.right;
    return c;
}

GW_GRADIENT("loss wrt u0, dt, left, right, slope, scale")
cudaError_t simulate(double *loss, const double *u0, const double *target, double dt, double left, double right,
                     float slope, double scale, int n, int steps, cudaStream_t stream) {
    const size_t bytes = n * sizeof(double);
    double *u, *v;
    cudaMalloc(&u, bytes);
    cudaMalloc(&v, bytes);
    cudaMemcpyAsync(u, u0, bytes, cudaMemcpyDeviceToDevice, stream);
    constants c = {n, dt, {0.25, 0.9, left * right}, {left, right}, slope};
    field f = {v, u, n};
    for (int t = 0; t < steps; t++)
        advance(f, t % 2 ? halved(c) : c, stream);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    world w = {loss, f.now, target, scale * scale, n};
    misfit<<<(n + 15) / 16, 16, 0, stream>>>(w);
    misfit<<<1, 8, 0, stream>>>(world{loss, w.u + 3, nullptr, 0, 0});
    cudaFree(u);
    cudaFree(v);
    return cudaGetLastError();
}

// What constructors set is no part of an adjoint.
class settled { // and what is not public comes back, too
    double from;

  protected:
    double own;
    explicit settled(double by) : from(2), own(by) {}
    __device__ double less() const { return from - 2; }
};
struct tuned : private settled {
    double by;
    tuned() : settled(1), by(5) {}
    explicit tuned(double b) : settled(b), by(1) {}
    __device__ double operator()(double v) const { return by * own * v * v + less(); }
};
__global__ void tune(double *v, const double *u, tuned f, int n) {
    const int i = HERE;
    if (i < n) v[i] = f(u[i]);
}
GW_GRADIENT("y wrt x, p")
void constructed(double *y, const double *x, double p, int n) {
    tuned one;
    one.by = p;
    tune<<<1, 64>>>(y, x, one, n);
    tune<<<1, 64>>>(y, y, tuned(p), n);
}
// A model whose tensors are parts of one buffer, taken when they are first needed: more pointers than 16, sizes
// in arrays beside them, and a cast of one that is set through a list.
enum { TENSORS = 18 };
struct tensors {
    double *t0, *t1, *t2, *t3, *t4, *t5, *t6, *t7, *t8, *t9, *t10, *t11, *t12, *t13, *t14, *t15, *t16, *t17;
};
struct network {
    tensors of;
    size_t sizes[TENSORS];
    double *memory;
    int n;
    double scale;
};
static double *point_at(double **targets[], const size_t *sizes, int count) {
    size_t all = 0;
    for (int i = 0; i < count; i++) all += sizes[i];
    double *memory;
    cudaMalloc((void **)&memory, all * sizeof *memory);
    double *at = memory;
    for (int i = 0; i < count; i++) {
        *(targets[i]) = at;
        at += sizes[i];
    }
    return memory;
}
static double *take(tensors *of, const size_t *sizes) {
    double **all[] = {&of->t0, &of->t1,  &of->t2,  &of->t3,  &of->t4,  &of->t5,  &of->t6,  &of->t7,  &of->t8,
                      &of->t9, &of->t10, &of->t11, &of->t12, &of->t13, &of->t14, &of->t15, &of->t16, &of->t17};
    return point_at(all, sizes, TENSORS);
}
__global__ void pairs(double2 *to, const double *x, double p, int n) {
    const int i = threadIdx.x;
    if (i < n) to[i] = make_double2(p * x[i], x[i] * x[i]);
}
__global__ void products(double *to, const double *of, int n) {
    const int i = threadIdx.x;
    if (i < n) to[i] = of[2 * i] * of[2 * i + 1];
}
static void through(network *m, double *y, const double *x) {
    if (m->memory == nullptr) {
        for (int i = 0; i < TENSORS; i++) m->sizes[i] = (i == 2 ? 2 : 1) * m->n;
        m->memory = take(&m->of, m->sizes);
    }
    tensors of = m->of;
    pairs<<<1, 64>>>((double2 *)of.t2, x, m->scale, m->n);
    products<<<1, 64>>>(of.t17, of.t2, m->n);
    cudaMemcpy(y, of.t17, m->sizes[17] * sizeof *y, cudaMemcpyDeviceToDevice);
}
GW_GRADIENT("y wrt x, p")
void lazily(double *y, const double *x, double p, int n) {
    network m;
    m.memory = nullptr;
    m.n = n;
    m.scale = p;
    through(&m, y, x);
    cudaFree(m.memory);
}
// Arrays of several types cut out of one piece of memory by numbers, whose size is found by cutting nothing.
template <class T> static void obtain(char *&chunk, T *&to, std::size_t count, std::size_t alignment) {
    const std::size_t at = (reinterpret_cast<std::uintptr_t>(chunk) + alignment - 1) & ~(alignment - 1);
    to = reinterpret_cast<T *>(at);
    chunk = reinterpret_cast<char *>(to + count);
}
struct pieces {
    double *squares;
    bool *odd;
    float *halves;
    static pieces from(char *&chunk, std::size_t n) {
        pieces p;
        obtain(chunk, p.squares, n, 128);
        obtain(chunk, p.odd, n, 128);
        obtain(chunk, p.halves, n, 128);
        return p;
    }
};
template <class T> static std::size_t needed(std::size_t n) {
    char *size = nullptr;
    T::from(size, n);
    return (std::size_t)size + 128;
}
__global__ void spread(pieces p, const double *x, int n) {
    const int i = HERE;
    if (i < n) p.squares[i] = x[i] * x[i], p.odd[i] = i % 2, p.halves[i] = (float)(x[i] / 2);
}
__global__ void join(double *y, const double *squares, const bool *odd, const float *halves, int n) {
    const int i = HERE;
    if (i < n) y[i] = odd[i] ? squares[i] * halves[i] : squares[i] + halves[i];
}
static void by_pieces(std::function<char *(std::size_t)> memory, double *y, const double *x, int n) {
    char *chunk = memory(needed<pieces>(n));
    pieces p = pieces::from(chunk, n);
    spread<<<(n + 15) / 16, 16>>>(p, x, n);
    join<<<(n + 15) / 16, 16>>>(y, p.squares, p.odd, p.halves, n);
}
GW_GRADIENT("y wrt x")
void carved(double *y, const double *x, char *given, int n) {
    char *own = nullptr;
    auto allocate = [&](std::size_t bytes) {
        cudaMalloc(&own, bytes);
        return own;
    };
    by_pieces(allocate, y, x, n);
    by_pieces([=](std::size_t) { return given; }, y, y, n);
    cudaFree(own);
}

#include "program_structs.grad.cuh"

namespace {

enum { CELLS = 37, STEPS = 4 };

struct inputs {
    std::vector<double> u0;
    double number[5]; // dt, left, right, slope, scale
};

std::vector<double> numbers(uint64_t seed, double low, double high) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < CELLS; i++)
        made.push_back(random.uniform(low, high));
    return made;
}

double loss_of(const inputs &x) {
    check::array<double> loss({0.0}), u(x.u0), target(numbers(3, 0.5, 1));
    const double *k = x.number;
    if (simulate(loss, u, target, k[0], k[1], k[2], (float)k[3], k[4], CELLS, STEPS, nullptr) != cudaSuccess)
        return -1;
    return loss.get()[0];
}

double by_differences(const inputs &x, double inputs::*, int which) {
    const double h = which == 3 ? 1.0 / 1024 : 1e-5; // the slope is a float
    inputs more = x, less = x;
    more.number[which] += h, less.number[which] -= h;
    return (loss_of(more) - loss_of(less)) / (2 * h);
}

TEST(simulate) {
    const inputs x = {numbers(1, 0.5, 1), {0.125, 0.75, 0.5, 0.25, 1.25}};
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    size_t held = 0;
    for (int run = 0; run < 3; run++) {
        const double *k = x.number;
        check::array<double> loss({0.0}), u(x.u0), target(numbers(3, 0.5, 1)), d_loss({1.0}),
            d_u(std::vector<double>((size_t)CELLS, 0.5));
        double d[5] = {};
        float d_slope = 0;
        EXPECT_STATUS(simulate_grad_in(pool, loss, u, target, k[0], k[1], k[2], (float)k[3], k[4], CELLS, STEPS,
                                       nullptr, d_loss, d_u, &d[0], &d[1], &d[2], &d_slope, &d[4]),
                      GW_OK);
        EXPECT_DEVICE_OK();
        d[3] = d_slope;
        EXPECT(u.get() == x.u0 && d_loss.get()[0] == 0);
        EXPECT_NEAR(loss.get()[0], loss_of(x), 1e-12);
        for (int i = 0; i < 5; i++)
            EXPECT(check::near(d[i], by_differences(x, nullptr, i), i == 3 ? 1e-4 : 1e-6, 1));
        for (size_t i = 0; i < CELLS; i += 3) {
            const double h = 1e-5;
            inputs more = x, less = x;
            more.u0[i] += h, less.u0[i] -= h;
            EXPECT(check::near(d_u.get()[i] - 0.5, (loss_of(more) - loss_of(less)) / (2 * h), 1e-6, 1));
        }
        if (run == 1) held = gw_pool_held(pool);
    }
    EXPECT(held > 0 && gw_pool_held(pool) == held); // nothing was allocated again
    gw_pool_free(pool);
}

TEST(constructed) {
    const double p = 0.75;
    const std::vector<double> at = numbers(5, 0.5, 1), none((size_t)CELLS, 0.0), ones((size_t)CELLS, 1.0);
    check::array<double> y(none), x(at), d_y(ones), d_x(none);
    double d_p = 0, want_p = 0;
    EXPECT_STATUS(constructed_grad(y, x, p, CELLS, d_y, d_x, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++) {
        const double v = at[i];
        EXPECT_NEAR(y.get()[i], p * p * p * v * v * v * v, 1e-14);
        EXPECT_NEAR(d_x.get()[i], 4 * p * p * p * v * v * v, 1e-14);
        want_p += 3 * p * p * v * v * v * v;
    }
    EXPECT_NEAR(d_p, want_p, 1e-13);
}

TEST(carved) { // x^3 / 2, or x^2 + x / 2, twice
    const std::vector<double> at = numbers(5, 0.5, 1), none((size_t)CELLS, 0.0), ones((size_t)CELLS, 1.0);
    check::array<double> x(at), arena(std::vector<double>(256, 0.0)), d_x(none);
    for (int run = 0; run < 2; run++) {
        check::array<double> y(none), d_y(ones);
        EXPECT_STATUS(carved_grad(y, x, (char *)(double *)arena, CELLS, d_y, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        for (size_t i = 0; i < CELLS; i++) {
            const double v = at[i], w = i % 2 ? v * v * v / 2 : v * v + v / 2;
            const double slope = i % 2 ? 2.25 * w * w * v * v : (2 * w + 0.5) * (2 * v + 0.5);
            EXPECT_NEAR(y.get()[i], i % 2 ? w * w * w / 2 : w * w + w / 2, 1e-6);
            EXPECT_NEAR(d_x.get()[i], (run + 1) * slope, 1e-6);
        }
    }
}

TEST(lazily) { // p x^3
    const double p = 0.75;
    const std::vector<double> at = numbers(5, 0.5, 1), none((size_t)CELLS, 0.0), ones((size_t)CELLS, 1.0);
    check::array<double> y(none), x(at), d_y(ones), d_x(none);
    double d_p = 0, want_p = 0;
    EXPECT_STATUS(lazily_grad(y, x, p, CELLS, d_y, d_x, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++) {
        const double v = at[i];
        EXPECT_NEAR(y.get()[i], p * v * v * v, 1e-14);
        EXPECT_NEAR(d_x.get()[i], 3 * p * v * v, 1e-14);
        want_p += v * v * v;
    }
    EXPECT_NEAR(d_p, want_p, 1e-13);
}

} // namespace
TEST_MAIN
