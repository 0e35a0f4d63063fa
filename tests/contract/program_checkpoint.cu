// Loops of programs with GW_CHECKPOINT and GW_CHECKPOINT_BINOMIAL: what a segment changes is put back before it
// runs again. The same programs with each kind of mark and without: what the caller sees and the gradient are
// the same to the bit; without, the gradient is compared with central differences. And what that costs in
// memory.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// No cell's adjoint is a sum over threads, so that its bits are the same in any order of these.
__global__ void step(double *v, const double *u, const double *k, double dt, int n) {
    const int i = HERE;
    if (i < n) v[i] = u[i] + dt * k[i] * u[i] * (1 - u[i]);
}
__global__ void decay(double *u, const double *k, double dt, int n) {
    const int i = HERE;
    if (i < n) u[i] = u[i] / (1 + dt * k[i] * u[i]);
}
__global__ void grow(double *k, int n) {
    const int i = HERE;
    if (i < n) k[i] = k[i] * (1 + 0.1 * k[i]);
}
__global__ void misfit(double *loss, const double *u, const double *target, int n) {
    const int i = HERE;
    if (i < n) loss[i] += (u[i] - target[i]) * (u[i] - target[i]);
}

// In it: buffers that change their names, a number that the host carries, kernels in place, an input and
// outputs that are overwritten, a buffer of one step, a loop in the loop, a branch around all.
#define PLAIN(NAME, EACH, WITHIN)                                                                              \
    GW_GRADIENT("loss wrt u0, k, dt")                                                                          \
    cudaError_t NAME(double *loss, double *path, const double *u0, double *k, const double *target, double dt, \
                     int n, int steps, int inner, cudaStream_t stream) {                                       \
        double *u = nullptr, *v = nullptr, rate = dt;                                                          \
        const size_t bytes = n * sizeof(double);                                                               \
        const dim3 grid((n + 15) / 16), block(16);                                                             \
        cudaError_t error = cudaMalloc(&u, bytes);                                                             \
        if (error != cudaSuccess) return error;                                                                \
        cudaMalloc(&v, bytes);                                                                                 \
        cudaMemcpyAsync(u, u0, bytes, cudaMemcpyDeviceToDevice, stream);                                       \
        cudaMemsetAsync(loss, 0, bytes, stream);                                                               \
        EACH for (int t = 0; t < steps; t++) {                                                                 \
            double *half;                                                                                      \
            cudaMalloc(&half, bytes / 2);                                                                      \
            step<<<grid, block, 0, stream>>>(v, u, k, rate * rate, n);                                         \
            std::swap(u, v);                                                                                   \
            if (t % 3 == 1) decay<<<grid, block, 0, stream>>>(u, k, dt, n);                                    \
            WITHIN for (int s = 0; s < inner; s++) {                                                           \
                step<<<grid, block, 0, stream>>>(v, u, k, rate * (s + 1), n);                                  \
                decay<<<grid, block, 0, stream>>>(v, k, rate, n);                                              \
                std::swap(u, v);                                                                               \
            }                                                                                                  \
            cudaMemcpyAsync(half, u + n / 2, bytes / 2, cudaMemcpyDeviceToDevice, stream);                     \
            misfit<<<1, n / 2, 0, stream>>>(loss + 1, half, target, n / 2);                                    \
            cudaMemcpyAsync(path + t * n, u, bytes, cudaMemcpyDeviceToDevice, stream);                         \
            grow<<<grid, block, 0, stream>>>(k, n);                                                            \
            cudaFree(half);                                                                                    \
            rate *= 0.9;                                                                                       \
        }                                                                                                      \
        grow<<<grid, block, 0, stream>>>(k, n);                                                                \
        step<<<grid, block, 0, stream>>>(v, u, k, rate, n);                                                    \
        misfit<<<grid, block, 0, stream>>>(loss, v, target, n);                                                \
        cudaFree(u);                                                                                           \
        cudaFree(v);                                                                                           \
        return cudaGetLastError();                                                                             \
    }
PLAIN(plain, , )
PLAIN(plain_3, GW_CHECKPOINT(3), )
PLAIN(plain_1, GW_CHECKPOINT(1), )
PLAIN(plain_100, GW_CHECKPOINT(100), )
PLAIN(plain_b1, GW_CHECKPOINT_BINOMIAL(1), )
PLAIN(plain_b3, GW_CHECKPOINT_BINOMIAL(3), )
PLAIN(plain_b50, GW_CHECKPOINT_BINOMIAL(50), )
PLAIN(plain_in_2, , GW_CHECKPOINT(2))
PLAIN(plain_in_b2, , GW_CHECKPOINT_BINOMIAL(2))
PLAIN(plain_2_2, GW_CHECKPOINT(2), GW_CHECKPOINT(2))
PLAIN(plain_b2_2, GW_CHECKPOINT_BINOMIAL(2), GW_CHECKPOINT(2))
PLAIN(plain_2_b1, GW_CHECKPOINT(2), GW_CHECKPOINT_BINOMIAL(1))
PLAIN(plain_b2_b2, GW_CHECKPOINT_BINOMIAL(2), GW_CHECKPOINT_BINOMIAL(2))

// Two streams; each step allocates the state of the next, and frees its own. Checks that end the process leave
// a marked loop one that counts.
static void check_call(cudaError_t code, const char *file, int line, bool ends = true) {
    if (code == cudaSuccess) return;
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
    if (ends) exit((int)code);
}
#define CHECKED(call) check_call((call), __FILE__, __LINE__)
#define CHAIN(NAME, EACH)                                                                                      \
    GW_GRADIENT("loss wrt u0, k, dt")                                                                          \
    void NAME(double *loss, double *path, const double *u0, double *k, const double *target, double dt, int n, \
              int steps, cudaStream_t stream, cudaStream_t beside) {                                           \
        const size_t bytes = n * sizeof(double);                                                               \
        const dim3 grid((n + 15) / 16), block(16);                                                             \
        double *u;                                                                                             \
        cudaMalloc(&u, bytes);                                                                                 \
        cudaMemcpyAsync(u, u0, bytes, cudaMemcpyDeviceToDevice, stream);                                       \
        cudaMemsetAsync(loss, 0, bytes, beside);                                                               \
        EACH for (int t = 0; t < steps; t++) {                                                                 \
            double *next;                                                                                      \
            CHECKED(cudaMalloc(&next, bytes));                                                                 \
            step<<<grid, block, 0, stream>>>(next, u, k, dt, n);                                               \
            if (cudaGetLastError() != cudaSuccess) throw std::runtime_error("step");                           \
            CHECKED(cudaStreamSynchronize(stream));                                                            \
            misfit<<<grid, block, 0, beside>>>(loss, u, target, n);                                            \
            cudaMemcpyAsync(path + t * n, next, bytes, cudaMemcpyDeviceToDevice, beside);                      \
            cudaStreamSynchronize(beside);                                                                     \
            grow<<<grid, block, 0, stream>>>(k, n);                                                            \
            cudaFree(u);                                                                                       \
            u = next;                                                                                          \
        }                                                                                                      \
        cudaStreamSynchronize(stream);                                                                         \
        misfit<<<grid, block, 0, beside>>>(loss, u, target, n);                                                \
        cudaFree(u);                                                                                           \
        cudaDeviceSynchronize();                                                                               \
    }
CHAIN(chain, )
CHAIN(chain_3, GW_CHECKPOINT(3))
CHAIN(chain_1, GW_CHECKPOINT(1))
CHAIN(chain_b2, GW_CHECKPOINT_BINOMIAL(2))
CHAIN(chain_b4, GW_CHECKPOINT_BINOMIAL(4))

// By way of memory of the host; a loop that stops; arrays of the host; a helper.
#define HOSTED(NAME, LOOP, WITHIN)                                                                             \
    static void NAME##_relax(double *u, double *half, double rate, int n, int count) {                         \
        WITHIN for (int s = 0; s < count; s++) decay<<<1, n>>>(half, u, rate, n);                              \
    }                                                                                                          \
    GW_GRADIENT("u wrt u, k, dt")                                                                              \
    int NAME(double *u, double *k, double dt, int n, int steps, int stop) {                                    \
        const size_t bytes = n * sizeof(double);                                                               \
        double rates[2] = {dt, 0.5 * dt};                                                                      \
        double *half, *sink;                                                                                   \
        cudaMalloc(&half, bytes);                                                                              \
        cudaMallocHost(&sink, bytes);                                                                          \
        cudaMemset(half, 0, bytes);                                                                            \
        int t = 0;                                                                                             \
        LOOP {                                                                                                 \
            step<<<1, n>>>(half, u, k, rates[t % 2], n);                                                       \
            cudaMemcpy(sink, half, bytes, cudaMemcpyDeviceToHost);                                             \
            NAME##_relax(k, half, dt, n, t);                                                                   \
            misfit<<<1, n>>>(u, half, k, n);                                                                   \
            cudaMemcpy(half, sink, bytes, cudaMemcpyHostToDevice);                                             \
            rates[t % 2] *= 1 + rates[1 - t % 2];                                                              \
            t++;                                                                                               \
            if (t == stop) break;                                                                              \
            step<<<1, n>>>(u, half, k, rates[t % 2], n);                                                       \
        }                                                                                                      \
        cudaFree(half);                                                                                        \
        cudaFreeHost(sink);                                                                                    \
        return t;                                                                                              \
    }
#define TURNS while (t < steps)
HOSTED(hosted, TURNS, )
HOSTED(hosted_3, GW_CHECKPOINT(3) TURNS, )
HOSTED(hosted_3_2, GW_CHECKPOINT(3) TURNS, GW_CHECKPOINT(2))
HOSTED(hosted_in_b2, TURNS, GW_CHECKPOINT_BINOMIAL(2))
HOSTED(hosted_2_b1, GW_CHECKPOINT(2) TURNS, GW_CHECKPOINT_BINOMIAL(1))
// Behind the break it goes on to its end.
HOSTED(hosted_b2, GW_CHECKPOINT_BINOMIAL(2) for (int s = 0; s < steps; s++), )

// Many steps.
#define LONG(NAME, EACH)                                                                                       \
    GW_GRADIENT("u wrt u, k")                                                                                  \
    void NAME(double *u, double *k, double dt, int n, int steps, cudaStream_t stream) {                        \
        const size_t bytes = n * sizeof(double);                                                               \
        const dim3 grid((n + 15) / 16), block(16);                                                             \
        double *a, *b;                                                                                         \
        cudaMalloc(&a, bytes);                                                                                 \
        cudaMalloc(&b, bytes);                                                                                 \
        cudaMemcpyAsync(a, u, bytes, cudaMemcpyDeviceToDevice, stream);                                        \
        EACH for (int t = 0; t < steps; t++) {                                                                 \
            step<<<grid, block, 0, stream>>>(b, a, k, dt, n);                                                  \
            std::swap(a, b);                                                                                   \
        }                                                                                                      \
        cudaMemcpyAsync(u, a, bytes, cudaMemcpyDeviceToDevice, stream);                                        \
        cudaFree(a);                                                                                           \
        cudaFree(b);                                                                                           \
    }
LONG(long_run, )
LONG(long_run_b32, GW_CHECKPOINT_BINOMIAL(32))
LONG(long_run_32, GW_CHECKPOINT(32))
#include "program_checkpoint.grad.cuh"

#define GRADIENT(NAME) [](auto &&...each) { return NAME##_grad_in(each...); }

namespace {

enum { CELLS = 20, STEPS_MOST = 14 };

std::vector<double> numbers(uint64_t seed, double low, double high, int count = CELLS) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < count; i++)
        made.push_back(random.uniform(low, high));
    return made;
}

/* What a caller sees. */
struct seen {
    std::vector<double> loss, path, u, k, d_u, d_k;
    double d_dt = 0;
    bool operator==(const seen &other) const {
        return loss == other.loss && path == other.path && u == other.u && k == other.k && d_u == other.d_u &&
               d_k == other.d_k && check::near(d_dt, other.d_dt, 1e-12, 1e-12);
    }
};

struct world {
    check::array<double> loss, path, u, k, target, d_loss, d_u, d_k;
    explicit world(const std::vector<double> &u0, const std::vector<double> &k0)
        : loss(numbers(9, 0, 1)), path(std::vector<double>((size_t)CELLS * STEPS_MOST, 0.5)), u(u0), k(k0),
          target(numbers(3, 0.5, 1)), d_loss(numbers(6, 0.5, 1)), d_u(numbers(7, 0, 1)), d_k(numbers(8, 0, 1)) {
    }
    seen all() {
        seen s;
        s.loss = loss.get(), s.path = path.get(), s.u = u.get(), s.k = k.get();
        s.d_u = d_u.get(), s.d_k = d_k.get();
        return s;
    }
};

const double dt = 0.3;

template <class F> seen run_plain(check::trial &trial, F f, gw_pool *pool, int steps, int inner) {
    world w(numbers(1, 0.5, 1.5), numbers(2, 0.2, 0.8));
    double d_dt = 0;
    EXPECT_STATUS(f(pool, w.loss, w.path, w.u, w.k, w.target, dt, CELLS, steps, inner, nullptr, w.d_loss, w.d_u,
                    w.d_k, &d_dt),
                  GW_OK);
    EXPECT_DEVICE_OK();
    seen s = w.all();
    s.d_dt = d_dt;
    return s;
}

template <class F> seen run_chain(check::trial &trial, F f, gw_pool *pool, int steps) {
    static cudaStream_t streams[2];
    for (cudaStream_t &s : streams)
        if (!s) EXPECT(cudaStreamCreate(&s) == cudaSuccess);
    world w(numbers(1, 0.5, 1.5), numbers(2, 0.2, 0.8));
    double d_dt = 0;
    EXPECT_STATUS(f(pool, w.loss, w.path, w.u, w.k, w.target, dt, CELLS, steps, streams[0], streams[1],
                    w.d_loss, w.d_u, w.d_k, &d_dt),
                  GW_OK);
    EXPECT_DEVICE_OK();
    seen s = w.all();
    s.d_dt = d_dt;
    return s;
}

template <class F> seen run_hosted(check::trial &trial, F f, gw_pool *pool, int steps, int stop) {
    world w(numbers(1, 0.5, 1.5), numbers(2, 0.2, 0.8));
    seen s;
    EXPECT_STATUS(f(pool, w.u, w.k, dt, CELLS, steps, stop, w.d_u, w.d_k, &s.d_dt), GW_OK);
    EXPECT_DEVICE_OK();
    const double d_dt = s.d_dt;
    s = w.all();
    s.d_dt = d_dt;
    return s;
}

/* Twice from one pool, the second time without allocations. */
template <class R> void same(check::trial &trial, const char *name, const seen &expected, R run) {
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    size_t held = 0;
    for (int i = 0; i < 2; i++) {
        if (!(run(pool) == expected)) trial.fail(__FILE__, __LINE__, std::string(name) + " is not the same");
        if (i) EXPECT(gw_pool_held(pool) == held);
        held = gw_pool_held(pool);
    }
    gw_pool_free(pool);
}

#define SAME_PLAIN(NAME)                                                                                       \
    same(trial, #NAME, expected,                                                                               \
         [&](gw_pool *pool) { return run_plain(trial, GRADIENT(NAME), pool, steps, inner); })
#define SAME_CHAIN(NAME)                                                                                       \
    same(trial, #NAME, expected, [&](gw_pool *pool) { return run_chain(trial, GRADIENT(NAME), pool, steps); })
#define SAME_HOSTED(NAME)                                                                                      \
    same(trial, #NAME, expected,                                                                               \
         [&](gw_pool *pool) { return run_hosted(trial, GRADIENT(NAME), pool, steps, stop); })

TEST(one_loop) {
    for (int steps : {0, 1, 2, 3, 7, 12}) {
        const int inner = steps % 3;
        const seen expected = run_plain(trial, GRADIENT(plain), nullptr, steps, inner);
        SAME_PLAIN(plain_3), SAME_PLAIN(plain_1), SAME_PLAIN(plain_100);
        SAME_PLAIN(plain_b1), SAME_PLAIN(plain_b3), SAME_PLAIN(plain_b50);
    }
}

TEST(loops_in_loops) {
    for (int steps : {0, 1, 4, 5})
        for (int inner : {0, 1, 5}) {
            const seen expected = run_plain(trial, GRADIENT(plain), nullptr, steps, inner);
            SAME_PLAIN(plain_in_2), SAME_PLAIN(plain_in_b2), SAME_PLAIN(plain_2_2);
            SAME_PLAIN(plain_b2_2), SAME_PLAIN(plain_2_b1), SAME_PLAIN(plain_b2_b2);
        }
}

TEST(streams_and_allocations) {
    for (int steps : {0, 1, 2, 7, 12}) {
        const seen expected = run_chain(trial, GRADIENT(chain), nullptr, steps);
        SAME_CHAIN(chain_3), SAME_CHAIN(chain_1), SAME_CHAIN(chain_b2), SAME_CHAIN(chain_b4);
    }
}

TEST(through_the_host) {
    for (int steps : {0, 1, 2, 7})
        for (int stop : {-1, 1, 4}) {
            const seen expected = run_hosted(trial, GRADIENT(hosted), nullptr, steps, stop);
            SAME_HOSTED(hosted_3), SAME_HOSTED(hosted_3_2), SAME_HOSTED(hosted_in_b2), SAME_HOSTED(hosted_2_b1);
            SAME_HOSTED(hosted_b2);
        }
}

double sum(const std::vector<double> &loss) {
    const std::vector<double> seed = numbers(6, 0.5, 1);
    double all = 0;
    for (size_t i = 0; i < loss.size(); i++)
        all += seed[i] * loss[i];
    return all;
}

template <class P> double near_there(P primal, int which, size_t cell, double by) {
    std::vector<double> u0 = numbers(1, 0.5, 1.5), k0 = numbers(2, 0.2, 0.8);
    if (which < 2) (which ? k0 : u0)[cell] += by;
    world w(u0, k0);
    primal(w, which == 2 ? dt + by : dt);
    cudaDeviceSynchronize();
    return sum(w.loss.get());
}

template <class P> void differences(check::trial &trial, const seen &s, P primal) {
    const double h = 1e-5;
    const std::vector<double> old[] = {numbers(7, 0, 1), numbers(8, 0, 1)};
    for (int which = 0; which < 3; which++)
        for (size_t i = 0; i < (which < 2 ? CELLS : 1); i += 3) {
            const double expected =
                (near_there(primal, which, i, h) - near_there(primal, which, i, -h)) / (2 * h);
            const double found = which == 2 ? s.d_dt : (which ? s.d_k : s.d_u)[i] - old[which][i];
            EXPECT(check::near(found, expected, 1e-6, 1));
        }
    EXPECT(s.u == numbers(1, 0.5, 1.5) && s.k == numbers(2, 0.2, 0.8)); /* inputs as they were */
}

TEST(central_differences) {
    if (trial.quick) return;
    differences(trial, run_plain(trial, GRADIENT(plain_b2_2), nullptr, 5, 3), [](world &w, double by) {
        plain(w.loss, w.path, w.u, w.k, w.target, by, CELLS, 5, 3, nullptr);
    });
    differences(trial, run_chain(trial, GRADIENT(chain_3), nullptr, 7), [](world &w, double by) {
        chain(w.loss, w.path, w.u, w.k, w.target, by, CELLS, 7, nullptr, nullptr);
    });
}

struct end {
    gw_status status;
    std::vector<double> u, d_u, d_k;
    size_t peak;
};

template <class F> end run_long(F f, int n, int steps, size_t limit, size_t spill = SIZE_MAX) {
    gw_pool *pool = nullptr;
    end e = {gw_pool_make(&pool), {}, {}, {}, 0};
    gw_pool_limit(pool, limit);
    if (e.status == GW_OK && spill != SIZE_MAX) e.status = gw_pool_spill(pool, spill);
    if (e.status != GW_OK) return e;
    check::array<double> u(numbers(1, 0.5, 1.5, n)), k(numbers(2, 0.2, 0.8, n)), d_u(numbers(3, 0, 1, n)),
        d_k(std::vector<double>((size_t)n, 0));
    e.status = f(pool, u, k, 0.01, n, steps, nullptr, d_u, d_k);
    cudaDeviceSynchronize();
    e.u = u.get(), e.d_u = d_u.get(), e.d_k = d_k.get();
    e.peak = gw_pool_peak(pool);
    gw_pool_free(pool);
    return e;
}

static void bounded(check::trial &trial, int steps) {
    const int n = 256;
    const size_t state = 2 * n * sizeof(double), limit = (32 + 4) * state;
    const end full = run_long(GRADIENT(long_run), n, steps, 0),
              few = run_long(GRADIENT(long_run_b32), n, steps, limit);
    EXPECT(full.status == GW_OK && few.status == GW_OK);
    EXPECT(few.u == full.u && few.d_u == full.d_u && few.d_k == full.d_k);
    EXPECT(few.peak <= limit && full.peak > steps * state / 2);
    const end segments = run_long(GRADIENT(long_run_32), n, steps, 0);
    EXPECT(segments.d_u == full.d_u && segments.d_k == full.d_k);
    EXPECT(segments.peak < ((steps + 31) / 32 + 32 / 2 + 6) * state);
    const end none = run_long(GRADIENT(long_run), n, steps, limit);
    EXPECT(none.status == GW_ERROR_MEMORY && none.u == full.u);
    EXPECT(std::strstr(gw_last_error(), "GW_CHECKPOINT_BINOMIAL"));
    const end spilled = run_long(GRADIENT(long_run), n, steps, limit, 10 * state);
    EXPECT(spilled.status == GW_OK && spilled.d_u == full.d_u && spilled.d_k == full.d_k);
    EXPECT(spilled.u == full.u && spilled.peak < 16 * state);
    if (steps == 300) trial.report("states", (double)few.peak / (double)state);
}
TEST(bounded_memory) {
    bounded(trial, 300);
    if (!trial.quick) bounded(trial, 1000);
}

} // namespace
TEST_MAIN
