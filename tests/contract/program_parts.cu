// Programs that are given structs with pointers, by value or by const reference: an output in one, numbers
// beside, integers, streams, arrays and structs of pointers, members that change places. Their adjoints are
// structs of the same type, as kernels have them. Against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <utility>

struct lists {
    const int *ids;
    const double *mean;
    int n;
};
struct pair_of {
    double *now, *next;
};
struct base {
    const double *target;
};
struct model : base {
    double *loss;
    const double *weight[2];
    pair_of work;
    const int *order;
    double rate;
    cudaStream_t stream;
};

__global__ void by_lists(double *v, lists l) {
    const int i = threadIdx.x;
    if (i < l.n) v[i] = l.mean[l.ids[i]] * l.mean[i];
}
__global__ void weigh(double *v, const double *u, const double *weight, const int *order, double rate, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[order[i]] * weight[i] + rate * u[i];
}
template <class T> __global__ void misfit(T *loss, const T *u, const T *target, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(loss, (u[i] - target[i]) * (u[i] - target[i]));
}

static void turn(pair_of &p) {
    double *const now = p.now;
    p.now = p.next;
    p.next = now;
}

GW_GRADIENT("m.loss wrt l.mean, m.weight, m.rate, m.target")
cudaError_t fitted(model m, const lists &l, int steps) {
    cudaMemsetAsync(m.loss, 0, sizeof(double), m.stream);
    by_lists<<<1, 32, 0, m.stream>>>(m.work.now, l);
    for (int t = 0; t < steps; t++) {
        weigh<<<1, 32, 0, m.stream>>>(m.work.next, m.work.now, m.weight[t % 2], m.order, m.rate, l.n);
        turn(m.work);
    }
    misfit<<<1, 32, 0, m.stream>>>(m.loss, m.work.now, m.target, l.n);
    return cudaGetLastError();
}

template <class T> struct view {
    T *out;
    const T *in;
};
template <class T> GW_GRADIENT("v.out wrt v.in") cudaError_t squares(view<T> v, int n, cudaStream_t stream) {
    cudaMemsetAsync(v.out, 0, sizeof(T), stream);
    misfit<<<1, 32, 0, stream>>>(v.out, v.in, v.in + n, n);
    return cudaGetLastError();
}
template cudaError_t squares<double>(view<double>, int, cudaStream_t);

// All of a struct, and no number in it.
GW_GRADIENT("out wrt l")
cudaError_t products(double *out, lists l) {
    by_lists<<<1, 32>>>(out, l);
    return cudaGetLastError();
}
// It ends the memory that it was given, alone and in a struct; its gradient does not.
GW_GRADIENT("loss wrt x, work")
void consumed(double *loss, double *x, pair_of work, int n) {
    cudaMemset(loss, 0, sizeof(double));
    misfit<<<1, n>>>(loss, x, work.now, n);
    cudaFree(x);
    cudaFree(work.now);
}
#include "program_parts.grad.cuh"

namespace {

enum { CELLS = 11, STEPS = 3 };

std::vector<double> numbers(uint64_t seed, size_t count = CELLS) {
    check::generator random = {seed};
    std::vector<double> made;
    for (size_t i = 0; i < count; i++)
        made.push_back(random.uniform(0.5, 1));
    return made;
}
std::vector<int> turned(int by) {
    std::vector<int> made;
    for (int i = 0; i < CELLS; i++)
        made.push_back((i * 3 + by) % CELLS);
    return made;
}

struct inputs {
    std::vector<double> mean = numbers(1), weight[2] = {numbers(2), numbers(3)}, target = numbers(4);
    double rate = 0.375;
};

struct memory {
    check::array<double> loss{std::vector<double>{0.0}}, mean, first, second, target, now{numbers(8)},
        next{numbers(9)};
    check::array<int> ids{turned(2)}, order{turned(5)};
    explicit memory(const inputs &x)
        : mean(x.mean), first(x.weight[0]), second(x.weight[1]), target(x.target) {}
    model m(double rate) {
        model made = {};
        made.target = target, made.loss = loss, made.weight[0] = first, made.weight[1] = second;
        made.work = {now, next}, made.order = order, made.rate = rate;
        return made;
    }
    lists l() { return {ids, mean, CELLS}; }
};

double loss_of(const inputs &x) {
    memory all(x);
    if (fitted(all.m(x.rate), all.l(), STEPS) != cudaSuccess) return -1;
    return all.loss.get()[0];
}

template <class F> double slope(const inputs &x, F number) {
    const double h = 1e-6;
    inputs more = x, less = x;
    number(more) += h, number(less) -= h;
    return (loss_of(more) - loss_of(less)) / (2 * h);
}

TEST(fitted) {
    const inputs x;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    size_t held = 0;
    for (int run = 0; run < 3; run++) {
        memory all(x);
        const std::vector<double> zeros(CELLS);
        check::array<double> d_loss({1.0}), d_mean(std::vector<double>((size_t)CELLS, 0.25)), d_first(zeros),
            d_second(zeros), d_target(zeros);
        model d = {};
        d.loss = d_loss, d.weight[0] = d_first, d.weight[1] = d_second, d.target = d_target, d.rate = 0.5;
        lists d_l = {nullptr, d_mean, 0};
        EXPECT_STATUS(fitted_grad_in(pool, all.m(x.rate), all.l(), STEPS, &d, &d_l), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT_NEAR(all.loss.get()[0], loss_of(x), 1e-12);
        EXPECT(all.mean.get() == x.mean && d_loss.get()[0] == 0);
        EXPECT(check::near(d.rate - 0.5, slope(x, [](inputs &y) -> double & { return y.rate; }), 1e-6, 1));
        for (size_t i = 0; i < CELLS; i++) {
            EXPECT(check::near(d_mean.get()[i] - 0.25,
                               slope(x, [i](inputs &y) -> double & { return y.mean[i]; }), 1e-6, 1));
            EXPECT(check::near(d_target.get()[i], slope(x, [i](inputs &y) -> double & { return y.target[i]; }),
                               1e-6, 1));
            for (size_t k = 0; k < 2; k++)
                EXPECT(check::near((k ? d_second : d_first).get()[i],
                                   slope(x, [i, k](inputs &y) -> double & { return y.weight[k][i]; }), 1e-6,
                                   1));
        }
        if (run == 1) held = gw_pool_held(pool);
    }
    EXPECT(held > 0 && gw_pool_held(pool) == held); // nothing was allocated again
    gw_pool_free(pool);
}

TEST(without_memory) { // numbers in a struct stay as they were
    const inputs x;
    memory all(x);
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    gw_pool_limit(pool, 256);
    const std::vector<double> zeros(CELLS);
    check::array<double> d_loss({1.0}), d_mean(zeros), d_first(zeros), d_second(zeros), d_target(zeros);
    model d = {};
    d.loss = d_loss, d.weight[0] = d_first, d.weight[1] = d_second, d.target = d_target, d.rate = 0.5;
    lists d_l = {nullptr, d_mean, 0};
    EXPECT_STATUS(fitted_grad_in(pool, all.m(x.rate), all.l(), STEPS, &d, &d_l), GW_ERROR_MEMORY);
    EXPECT(d.rate == 0.5 && all.mean.get() == x.mean);
    gw_pool_free(pool);
}

TEST(squares) { // of a template; the two halves of `in` meet in one buffer
    check::array<double> out({0.0}), in(numbers(5, 2 * CELLS)), d_out({1.0}),
        d_in(std::vector<double>(2 * CELLS));
    EXPECT_STATUS(squares_grad(view<double>{out, in}, CELLS, nullptr, view<double>{d_out, d_in}), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++) {
        const double apart = 2 * (in.get()[i] - in.get()[i + CELLS]);
        EXPECT_NEAR(d_in.get()[i], apart, 1e-14);
        EXPECT_NEAR(d_in.get()[i + CELLS], -apart, 1e-14);
    }
}

TEST(consumed) {
    const std::vector<double> zeros(CELLS);
    check::array<double> loss({0.0}), x(numbers(6)), now(numbers(7)), d_loss({1.0}), d_x(zeros), d_now(zeros);
    const pair_of work = {now, nullptr}, d_work = {d_now, nullptr};
    for (int k = 1; k <= 2; k++) { // the memory is there again
        d_loss.set({1.0});
        EXPECT_STATUS(consumed_grad(loss, x, work, CELLS, d_loss, d_x, d_work), GW_OK);
        EXPECT_DEVICE_OK();
        for (size_t i = 0; i < CELLS; i++) {
            EXPECT_NEAR(d_x.get()[i], k * 2 * (x.get()[i] - now.get()[i]), 1e-13);
            EXPECT_NEAR(d_now.get()[i], -d_x.get()[i], 1e-13);
        }
    }
}

TEST(products) {
    const std::vector<double> mean = numbers(6);
    const std::vector<int> ids = turned(2);
    std::vector<double> want((size_t)CELLS);
    for (size_t i = 0; i < CELLS; i++) {
        want[i] += mean[(size_t)ids[i]];
        want[(size_t)ids[i]] += mean[i];
    }
    check::array<double> out(numbers(7)), d_out(std::vector<double>((size_t)CELLS, 1.0)), in(mean),
        d_in(std::vector<double>((size_t)CELLS));
    check::array<int> places(ids);
    EXPECT_STATUS(products_grad(out, lists{places, in, CELLS}, d_out, lists{nullptr, d_in, 0}), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++)
        EXPECT_NEAR(d_in.get()[i], want[i], 1e-14);
}

} // namespace
TEST_MAIN
