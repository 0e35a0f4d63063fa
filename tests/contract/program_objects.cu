// Programs whose memory classes hold: freed at the end of scopes, moved, returned, left early.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <memory>
#include <utility>

__global__ void square(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * u[i];
}
__global__ void total(double *loss, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, u[i]);
}

template <class T> class buffer {
    T *at = nullptr;
    size_t count = 0;

  public:
    explicit buffer(size_t n) : count(n) { cudaMalloc(&at, n * sizeof(T)); }
    buffer(buffer &&from) : at(from.at), count(from.count) { from.at = nullptr, from.count = 0; }
    buffer &operator=(buffer &&from) {
        std::swap(at, from.at);
        std::swap(count, from.count);
        return *this;
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    ~buffer() { cudaFree(at); }
    T *get() { return at; }
    const T *get() const { return at; }
    size_t bytes() const { return count * sizeof(T); }
    operator T *() { return at; }
};

struct fields {
    buffer<double> now, next;
    cudaStream_t on;
    fields(size_t n, cudaStream_t stream) : now(n), next(n), on(stream) {}
    void step(int n) {
        square<<<1, 32, 0, on>>>(next.get(), now.get(), n);
        std::swap(now, next);
    }
};

static buffer<double> squared(const double *x, int n, cudaStream_t stream) {
    buffer<double> made(n);
    square<<<1, 32, 0, stream>>>(made, x, n);
    return made;
}

// x^(2^(steps + 1)), summed
GW_GRADIENT("loss wrt x")
cudaError_t powers(double *loss, const double *x, int n, int steps, cudaStream_t stream) {
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    fields f(n, stream);
    f.now = squared(x, n, stream);
    int done = 0;
    struct stepper { // a class of references
        fields &all;
        int &count;
        const int &cells;
        void step() const { all.step(cells), count++; }
    };
    const stepper next{f, done, n};
    for (int t = 0; t < steps; t++) {
        if (t == 2) {
            buffer<double> other(n); // a step by way of another buffer
            square<<<1, 32, 0, stream>>>(other, f.now, n);
            f.next = std::move(other);
            std::swap(f.now, f.next);
            continue;
        }
        next.step();
    }
    if (done > 2) return cudaGetLastError(); // the loss stays 0
    total<<<1, 32, 0, stream>>>(loss, f.now, n);
    return cudaGetLastError();
}

struct device_free {
    void operator()(double *at) const { cudaFree(at); }
};
typedef std::unique_ptr<double[], device_free> memory;
static memory allocate(int n) {
    double *at = nullptr;
    cudaMalloc(&at, n * sizeof(double));
    return memory(at);
}

GW_GRADIENT("loss wrt x")
void fourths(double *loss, const double *x, int n, bool again) {
    memory u = allocate(n), v;
    cudaMemset(loss, 0, sizeof(double));
    square<<<1, 32>>>(u.get(), x, n);
    if (again) v = allocate(n);
    if (v) {
        square<<<1, 32>>>(v.get(), u.get(), n);
        std::swap(u, v);
    }
    total<<<1, 32>>>(loss, u.get(), n);
}
#include "program_objects.grad.cuh"

namespace {

TEST(powers) {
    const std::vector<double> numbers = {0.9, 1.1, -0.8, 0.7, 1.05};
    const int n = (int)numbers.size();
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int steps = 0; steps < 5; steps++) {
        size_t held = 0;
        for (int run = 0; run < 2; run++) {
            check::array<double> loss({7.0}), x(numbers), d_loss({1.0}), d_x(numbers);
            EXPECT_STATUS(powers_grad_in(pool, loss, x, n, steps, nullptr, d_loss, d_x), GW_OK);
            EXPECT_DEVICE_OK();
            const double power = std::pow(2, steps + 1);
            for (int i = 0; i < n; i++) {
                const double slope = steps > 3 ? 0 : power * std::pow(numbers[i], power - 1);
                EXPECT(check::near(d_x.get()[i] - numbers[i], slope, 1e-12, 1));
            }
            EXPECT(x.get() == numbers);
            EXPECT(!run || gw_pool_held(pool) == held);
            held = gw_pool_held(pool);
        }
    }
    gw_pool_free(pool);
}

TEST(fourths) {
    const std::vector<double> numbers = {0.9, 1.1, -0.8};
    for (int again = 0; again < 2; again++) {
        check::array<double> loss({7.0}), x(numbers), d_loss({1.0}), d_x({0, 0, 0});
        EXPECT_STATUS(fourths_grad(loss, x, 3, again != 0, d_loss, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        for (size_t i = 0; i < 3; i++) {
            const double z = numbers[i], slope = again ? 4 * z * z * z : 2 * z;
            EXPECT(check::near(d_x.get()[i], slope, 1e-12, 1));
        }
    }
}

} // namespace
TEST_MAIN
