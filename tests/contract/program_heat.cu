// A program with a time loop, written by hand as it would be emitted (program.h): ping-pong buffers, a kernel
// in place, buffers of one step, two streams with events, an input that is overwritten and put back. Against
// central differences; without allocations in a second run; as a graph, replayed; within a limit.
#include "../support/expect.cuh"

#include <gradwright/emitted/program.cuh>

#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("v wrt u, k")
__global__ void step(double *v, const double *u, const double *k, double dt, int n) {
    int i = HERE;
    if (i >= n) return;
    double left = i > 0 ? u[i - 1] : u[i], right = i < n - 1 ? u[i + 1] : u[i];
    v[i] = u[i] + dt * k[i] * (left - 2 * u[i] + right) * u[i];
}

GW_GRADIENT("u wrt u, k")
__global__ void decay(double *u, const double *k, double dt, int n) {
    int i = HERE;
    if (i < n) u[i] = u[i] / (1 + dt * k[i] * u[i]);
}

GW_GRADIENT("loss wrt u")
__global__ void misfit(double *loss, const double *u, const double *target, int n) {
    int i = HERE;
    if (i < n) atomicAdd(loss, (u[i] - target[i]) * (u[i] - target[i]));
}

#include "program_heat.grad.cuh"

enum { cells = 40, steps = 6 };
static const dim3 grid(5), block(8);
static const double dt = 0.1;
static const size_t bytes = cells * sizeof(double);

/* Streams and events of the caller; each event is used in every step. */
struct lanes {
    cudaStream_t main = nullptr, side = nullptr;
    cudaEvent_t made = nullptr, read = nullptr;
    lanes() {
        cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&read, cudaEventDisableTiming);
    }
    ~lanes() {
        cudaEventDestroy(made);
        cudaEventDestroy(read);
        cudaStreamDestroy(main);
        cudaStreamDestroy(side);
    }
};

/* The primal: `u` is overwritten by each step; `sum` is the misfit of all steps, on a stream of its own. */
static void simulate(double *sum, double *u, const double *k, const double *target, const lanes &on) {
    double *v;
    cudaMalloc(&v, bytes);
    cudaMemsetAsync(sum, 0, sizeof(double), on.main);
    for (int s = 0; s < steps; s++) {
        double *w;
        cudaMalloc(&w, bytes);
        step<<<grid, block, 0, on.main>>>(w, u, k, dt, cells);
        decay<<<grid, block, 0, on.main>>>(w, k, dt, cells);
        cudaMemcpyAsync(v, w, bytes, cudaMemcpyDefault, on.main);
        cudaEventRecord(on.made, on.main);
        cudaStreamWaitEvent(on.side, on.made, 0);
        misfit<<<grid, block, 0, on.side>>>(sum, v, target, cells);
        cudaMemcpyAsync(u, w, bytes, cudaMemcpyDefault, on.main);
        cudaEventRecord(on.read, on.side);
        cudaStreamWaitEvent(on.main, on.read, 0);
        cudaFree(w);
    }
    cudaFree(v);
}

struct adjoints {
    double *sum, *u, *k;
};

static void launched(gw_program *run, const char *what) { gw_program_check(run, cudaGetLastError(), what); }

static gw_status simulate_grad_in(gw_pool *pool, double *sum, double *u, const double *k, const double *target,
                                  const lanes &on, const adjoints &d, size_t *saved) {
    gw_program *run = gw_program_begin(pool);
    gw_program_given(run, sum, d.sum, sizeof(double));
    gw_program_given(run, u, d.u, 0);
    gw_program_given(run, k, d.k, 0);
    gw_program_given(run, target, nullptr, 0);
    gw_program_named(run, u, "u");
    gw_program_input<double>(run, u);
    double *v = (double *)gw_program_alloc(run, bytes, GW_SPACE_DEVICE), *all[steps] = {};
    gw_program_set<double>(run, sum, 0, sizeof(double), on.main, false);
    for (int s = 0; s < steps && !gw_program_failed(run); s++) {
        double *w = all[s] = (double *)gw_program_alloc(run, bytes, GW_SPACE_DEVICE);
        gw_program_reads(run, u);
        gw_program_reads(run, k);
        gw_program_writes(run, w, 0, on.main);
        if (gw_program_failed(run)) break;
        step<<<grid, block, 0, on.main>>>(w, u, k, dt, cells);
        launched(run, "step");
        gw_program_reads(run, w);
        gw_program_reads(run, k);
        gw_program_writes(run, w, 0, on.main);
        if (gw_program_failed(run)) break;
        decay<<<grid, block, 0, on.main>>>(w, k, dt, cells);
        launched(run, "decay");
        gw_program_copy<double>(run, v, w, bytes, cudaMemcpyDefault, on.main, false);
        gw_program_check(run, cudaEventRecord(on.made, on.main), "cudaEventRecord");
        gw_program_check(run, cudaStreamWaitEvent(on.side, on.made, 0), "cudaStreamWaitEvent");
        gw_program_reads(run, v);
        gw_program_reads(run, target);
        gw_program_writes(run, sum, 0, on.side);
        if (gw_program_failed(run)) break;
        misfit<<<grid, block, 0, on.side>>>(sum, v, target, cells);
        launched(run, "misfit");
        gw_program_copy<double>(run, u, w, bytes, cudaMemcpyDefault, on.main, false);
        gw_program_check(run, cudaEventRecord(on.read, on.side), "cudaEventRecord");
        gw_program_check(run, cudaStreamWaitEvent(on.main, on.read, 0), "cudaStreamWaitEvent");
        gw_program_release(run, w);
    }
    gw_program_release(run, v);
    *saved = gw_program_saved_bytes(run);
    for (int s = steps; s-- > 0 && !gw_program_failed(run);) {
        double *w = all[s];
        gw_program_unwait(run, on.main, on.read);
        gw_program_unrecord(run, on.read, on.side);
        gw_program_copy_back<double>(run, u, w, bytes, cudaMemcpyDefault, on.main, false);
        gw_program_unwrite(run, sum);
        auto content = [&](const double *p, cudaStream_t s) { return (double *)gw_program_content(run, p, s); };
        auto shadow = [&](const double *p, cudaStream_t s) { return (double *)gw_program_shadow(run, p, s); };
        double *was = content(v, on.side), *aim = content(target, on.side);
        double *d_sum = shadow(sum, on.side), *d_v = shadow(v, on.side);
        if (gw_program_failed(run)) break;
        gw_program_check_status(
            run, misfit_grad_launch(grid, block, 0, on.side, sum, was, aim, cells, d_sum, d_v, nullptr, 0),
            "misfit");
        gw_program_unwait(run, on.side, on.made);
        gw_program_unrecord(run, on.made, on.main);
        gw_program_copy_back<double>(run, v, w, bytes, cudaMemcpyDefault, on.main, false);
        gw_program_unwrite(run, w);
        double *before = content(w, on.main), *rate = content(k, on.main);
        double *d_w = shadow(w, on.main), *d_k = shadow(k, on.main), *d_u = shadow(u, on.main);
        if (gw_program_failed(run)) break;
        gw_program_check_status(run,
                                decay_grad_launch(grid, block, 0, on.main, before, rate, dt, cells, d_w, d_k,
                                                  gw_program_workspace(run, 64, on.main), 64),
                                "decay");
        gw_program_unwrite(run, w);
        double *old = content(u, on.main);
        if (gw_program_failed(run)) break;
        gw_program_check_status(
            run, step_grad_launch(grid, block, 0, on.main, w, old, rate, dt, cells, d_w, d_u, d_k, nullptr, 0),
            "step");
        gw_program_unalloc(run, w);
    }
    gw_program_set_back<double>(run, sum, sizeof(double), on.main);
    gw_program_unalloc(run, v);
    return gw_program_end(run);
}

struct fields {
    std::vector<double> start, rates, aims;
    check::array<double> sum{std::vector<double>(1, 0.0)}, u, k, target, d_sum{std::vector<double>(1, 1.0)},
        d_u, d_k;
    static std::vector<double> drawn(uint64_t seed) {
        check::generator random{seed};
        std::vector<double> list(cells);
        for (double &x : list)
            x = random.uniform(0.2, 1.2);
        return list;
    }
    fields()
        : start(drawn(1)), rates(drawn(2)), aims(drawn(3)), u(start), k(rates), target(aims),
          d_u(std::vector<double>(cells, 0.0)), d_k(std::vector<double>(cells, 0.0)) {}
    adjoints d() { return {d_sum, d_u, d_k}; }
};

static double loss(const std::vector<double> &start, const std::vector<double> &rates, const lanes &on) {
    fields f;
    check::array<double> u(start), k(rates);
    simulate(f.sum, u, k, f.target, on);
    cudaDeviceSynchronize();
    return f.sum.get()[0];
}

/* Reverse against differences in some cells; `times` runs have added up. */
static void compare(check::trial &trial, fields &f, const lanes &on, double times) {
    const std::vector<double> d_u = f.d_u.get(), d_k = f.d_k.get();
    EXPECT(f.u.get() == f.start); /* put back */
    EXPECT(f.k.get() == f.rates);
    EXPECT(f.d_sum.get()[0] == 0); /* consumed */
    EXPECT_NEAR(f.sum.get()[0], loss(f.start, f.rates, on), 1e-12);
    for (int i = 0; i < cells; i += 3) {
        const double h = 1e-5;
        std::vector<double> more = f.start, less = f.start;
        more[i] += h, less[i] -= h;
        EXPECT_NEAR(d_u[i] / times, (loss(more, f.rates, on) - loss(less, f.rates, on)) / (2 * h), 1e-5);
        more = less = f.rates;
        more[i] += h, less[i] -= h;
        EXPECT_NEAR(d_k[i] / times, (loss(f.start, more, on) - loss(f.start, less, on)) / (2 * h), 1e-5);
    }
    trial.report("d_u", d_u[0]);
    trial.report("d_k", d_k[0]);
}

TEST(gradient_of_a_program) {
    lanes on;
    fields f;
    size_t saved = 0;
    EXPECT_STATUS(simulate_grad_in(nullptr, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_OK);
    EXPECT_DEVICE_OK();
    compare(trial, f, on, 1);
    /* `w` and `u` once a step; `v` is read by each misfit but the last one's value stays where it is. */
    EXPECT(saved == (3 * steps - 1) * bytes);
}

TEST(a_second_run_allocates_nothing) {
    lanes on;
    fields f;
    gw_pool *pool = nullptr;
    size_t saved = 0, held = 0;
    EXPECT_STATUS(gw_pool_make(&pool), GW_OK);
    for (int n = 0; n < 3; n++) {
        f.d_sum.set(std::vector<double>(1, 1.0));
        EXPECT_STATUS(simulate_grad_in(pool, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_OK);
        EXPECT_DEVICE_OK();
        if (n) EXPECT(gw_pool_held(pool) == held);
        held = gw_pool_held(pool);
    }
    compare(trial, f, on, 3);
    EXPECT(gw_pool_peak(pool) <= held);
    gw_pool_free(pool);
}

TEST(a_graph_is_replayed) {
    lanes on;
    fields f;
    gw_pool *pool = nullptr;
    size_t saved = 0;
    EXPECT_STATUS(gw_pool_make(&pool), GW_OK);
    EXPECT_STATUS(simulate_grad_in(pool, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_OK);
    EXPECT_DEVICE_OK();
    const size_t held = gw_pool_held(pool);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    EXPECT(cudaStreamBeginCapture(on.main, cudaStreamCaptureModeGlobal) == cudaSuccess);
    EXPECT_STATUS(simulate_grad_in(pool, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_OK);
    EXPECT(cudaStreamEndCapture(on.main, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&replay, graph, nullptr, nullptr, 0) == cudaSuccess);
    EXPECT(gw_pool_held(pool) == held);
    for (int n = 0; n < 100; n++) {
        f.d_sum.set(std::vector<double>(1, 1.0));
        EXPECT(cudaGraphLaunch(replay, on.main) == cudaSuccess);
        EXPECT_DEVICE_OK();
    }
    compare(trial, f, on, 101);
    cudaGraphExecDestroy(replay);
    cudaGraphDestroy(graph);
    gw_pool_free(pool);
}

TEST(a_limit_that_is_too_small) {
    lanes on;
    fields f;
    gw_pool *pool = nullptr;
    size_t saved = 0;
    EXPECT_STATUS(gw_pool_make(&pool), GW_OK);
    gw_pool_limit(pool, 10 * bytes);
    EXPECT_STATUS(simulate_grad_in(pool, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_ERROR_MEMORY);
    EXPECT(std::strstr(gw_last_error(), "limited to 3200"));
    EXPECT_DEVICE_OK();
    EXPECT(f.u.get() == f.start &&
           f.d_u.get() == std::vector<double>(cells, 0.0)); /* failed on its way forward */
    gw_pool_limit(pool, 0);
    EXPECT_STATUS(simulate_grad_in(pool, f.sum, f.u, f.k, f.target, on, f.d(), &saved), GW_OK);
    EXPECT_DEVICE_OK();
    compare(trial, f, on, 1);
    gw_pool_free(pool);
}
TEST_MAIN
