/*
 * heat.cu - a heat equation turned round: from the temperature at a few times and a map of where it was
 * measured, the initial field and the diffusivity are found by descent. The whole simulation, its two buffers
 * that change places at every step included, is one function of the host with a gradient.
 *
 * The same function with marks before its loop keeps a part of the fields: one of 32, or what a budget of 32
 * states of the loop has room for, the root of 1,000 steps.
 *
 * Options: --width N, --height N, --steps N, --rounds N: 0 only checks; --measured-width N, --measured-height
 * N, --measured-rounds N: of what is timed, 0: nothing. Writes truth, start and end of both fields as
 * heat_*.png and the loss as heat_loss.svg into the folder that --out names; without --out it writes nothing.
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include <algorithm>
#include <utility>

#define CELL                                                                                                   \
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x),                                                \
              y = (int)(blockIdx.y * blockDim.y + threadIdx.y);                                                \
    if (x >= width || y >= height) return;                                                                     \
    const int i = y * width + x

/* One step of du/dt = div(k grad u), with no flow over the border. k is between two cells their mean. */
__global__ void diffuse(float *next, const float *u, const float *k, float dt, int width, int height) {
    CELL;
    const int west = x > 0 ? i - 1 : i, east = x < width - 1 ? i + 1 : i;
    const int north = y > 0 ? i - width : i, south = y < height - 1 ? i + width : i;
    const float flow = (k[i] + k[west]) * (u[west] - u[i]) + (k[i] + k[east]) * (u[east] - u[i]) +
                       (k[i] + k[north]) * (u[north] - u[i]) + (k[i] + k[south]) * (u[south] - u[i]);
    next[i] = u[i] + 0.5f * dt * flow;
}

/* The mean square of what differs from the measurement. */
__global__ void compare(float *loss, const float *u, const float *measured, float weight, int width,
                        int height) {
    CELL;
    const float off = u[i] - measured[i];
    atomicAdd(loss, weight * off * off);
}

struct shape {
    int width, height, steps, times; /* measured is at `times` times, evenly apart */
    dim3 block() const { return dim3(32, 8); }
    dim3 grid() const { return dim3((width + 31) / 32, (height + 7) / 8); }
    size_t cells() const { return (size_t)width * height; }
};

/* Step t, and what was measured behind it, if it was. */
static void advance(float *loss, float *&u, float *&next, const float *k, const float *measured, float dt,
                    int t, const shape &s, cudaStream_t stream) {
    const int apart = s.steps / s.times;
    diffuse<<<s.grid(), s.block(), 0, stream>>>(next, u, k, dt, s.width, s.height);
    std::swap(u, next);
    if ((t + 1) % apart != 0) return;
    const float weight = 1.0f / ((float)s.times * (float)s.cells());
    compare<<<s.grid(), s.block(), 0, stream>>>(loss, u, measured + ((t + 1) / apart - 1) * s.cells(), weight,
                                                s.width, s.height);
}

/* The same program for each way to keep what its steps overwrite, which is said of its loop. */
#define MISFIT(NAME, LOOP)                                                                                     \
    GW_GRADIENT("loss wrt u0, k")                                                                              \
    cudaError_t NAME(float *loss, const float *u0, const float *k, const float *measured, float dt, shape s,   \
                     cudaStream_t stream) {                                                                    \
        const size_t bytes = s.cells() * sizeof(float);                                                        \
        float *u = nullptr, *next = nullptr;                                                                   \
        cudaMalloc(&u, bytes);                                                                                 \
        cudaMalloc(&next, bytes);                                                                              \
        cudaMemcpyAsync(u, u0, bytes, cudaMemcpyDeviceToDevice, stream);                                       \
        cudaMemsetAsync(loss, 0, sizeof(float), stream);                                                       \
        LOOP advance(loss, u, next, k, measured, dt, t, s, stream);                                            \
        cudaFree(u);                                                                                           \
        cudaFree(next);                                                                                        \
        return cudaGetLastError();                                                                             \
    }
#define STEPS         for (int t = 0; t < s.steps; t++)
#define PARTS         for (int first = 0; first < s.steps; first += 25)
#define STEPS_OF_PART for (int t = first; t < std::min(first + 25, s.steps); t++)
/* The field of every step. */
MISFIT(misfit, STEPS)
/* Both buffers once in 32 steps, which run again on the way back. */
MISFIT(misfit_in_parts, GW_CHECKPOINT(32) STEPS)
/* Both buffers 15 times at most, and the fields of 25 steps: less, for more that runs again. */
MISFIT(misfit_in_budget, GW_CHECKPOINT_BINOMIAL(15) PARTS STEPS_OF_PART)

#include "heat.grad.cuh"

#include "../support/descent.h"
#include "../support/measure.cuh"
#include "../support/pictures.h"

enum way { whole, in_parts, in_budget };
struct form {
    way how;
    const char *name;
    size_t budget; /* fields; 0: no limit */
};
enum { long_run = 1000, root = 32 };
static const form forms[] = {
    {whole, "heat", 0}, {in_parts, "heat_in_parts", 0}, {in_budget, "heat_in_budget", 2 * root}}; // two a state

/* ---- the truth ---- */
static double bump(double x, double y, double at_x, double at_y, double size) {
    return std::exp(-((x - at_x) * (x - at_x) + (y - at_y) * (y - at_y)) / (size * size));
}

struct fields {
    std::vector<float> u, k;
};

static fields make_truth(int width, int height) {
    fields f;
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            const double x = (i + 0.5) / width, y = (j + 0.5) / height;
            f.u.push_back((float)(bump(x, y, 0.3, 0.35, 0.12) + 0.8 * bump(x, y, 0.7, 0.6, 0.15) +
                                  0.5 * bump(x, y, 0.35, 0.75, 0.1)));
            f.k.push_back((float)(0.5 + 0.35 * std::sin(6 * x) * std::cos(5 * y)));
        }
    return f;
}

/* ---- the problem ---- */
struct problem {
    shape size;
    float dt = 0.25f;
    cudaStream_t stream = nullptr;
    gw_pool *pool = nullptr;
    device_array<float> u, k, measured, loss, d_loss, d_u, d_k;

    problem(int w, int h, int steps)
        : size{w, h, steps, 4}, u(cells()), k(cells()), measured(4 * cells()), loss(1), d_loss(1), d_u(cells()),
          d_k(cells()) {
        must(cudaStreamCreate(&stream));
        must(gw_pool_make(&pool));
    }
    ~problem() {
        gw_pool_free(pool);
        cudaStreamDestroy(stream);
    }
    size_t cells() const { return size.cells(); }

    /* What would be measured of these fields. */
    void measure(const fields &truth) {
        device_array<float> a(truth.u), b(cells());
        k.set(truth.k);
        float *now = a, *next = b;
        for (int t = 0, at = 0; t < size.steps; t++) {
            diffuse<<<size.grid(), size.block()>>>(next, now, k, dt, size.width, size.height);
            std::swap(now, next);
            if ((t + 1) % (size.steps / size.times) == 0)
                must(cudaMemcpy(measured + at++ * cells(), now, cells() * sizeof(float),
                                cudaMemcpyDeviceToDevice));
        }
        must(cudaDeviceSynchronize());
    }
    double value(const fields &f) {
        u.set(f.u), k.set(f.k);
        run();
        must(cudaDeviceSynchronize());
        return loss.get()[0];
    }
    void run() { must(misfit(loss, u, k, measured, dt, size, stream)); }
    void seed() {
        d_loss.set(std::vector<float>{1});
        must(cudaMemset(d_u, 0, cells() * sizeof(float)));
        must(cudaMemset(d_k, 0, cells() * sizeof(float)));
    }
    /* The run fails if the budget does not do. */
    void run_gradient(const form &f) {
        gw_pool_limit(pool, f.budget * cells() * sizeof(float));
        if (f.how == whole)
            must(misfit_grad_in(pool, loss, u, k, measured, dt, size, stream, d_loss, d_u, d_k));
        if (f.how == in_parts)
            must(misfit_in_parts_grad_in(pool, loss, u, k, measured, dt, size, stream, d_loss, d_u, d_k));
        if (f.how == in_budget)
            must(misfit_in_budget_grad_in(pool, loss, u, k, measured, dt, size, stream, d_loss, d_u, d_k));
    }
    double peak_fields() const { return (double)gw_pool_peak(pool) / ((double)cells() * sizeof(float)); }
    double gradient(const fields &f, fields &to, const form &way = forms[0]) {
        u.set(f.u), k.set(f.k);
        seed();
        run_gradient(way);
        must(cudaStreamSynchronize(stream));
        to.u = d_u.get(), to.k = d_k.get();
        return loss.get()[0];
    }
};

static double distance(const std::vector<float> &a, const std::vector<float> &b) {
    double off = 0, length = 0;
    for (size_t i = 0; i < a.size(); i++)
        off += (a[i] - b[i]) * (a[i] - b[i]), length += b[i] * b[i];
    return std::sqrt(off / length);
}

/* ---- the gradient against differences, along two directions ---- */
static bool check_gradient(problem &p, const fields &at) {
    fields d;
    p.gradient(at, d);
    bool holds = true;
    for (int of_k = 0; of_k < 2; of_k++) {
        const std::vector<float> along = numbers((uint64_t)of_k + 3).array(p.cells(), 0.5, 1);
        double got = 0;
        for (size_t i = 0; i < p.cells(); i++)
            got += (double)(of_k ? d.k : d.u)[i] * along[i];
        double ends[2];
        for (int side = 0; side < 2; side++) {
            fields moved = at;
            for (size_t i = 0; i < p.cells(); i++)
                (of_k ? moved.k : moved.u)[i] += (side ? -0.02f : 0.02f) * along[i];
            ends[side] = p.value(moved);
        }
        const double want = (ends[0] - ends[1]) / 0.04;
        holds = check(of_k ? "derivative by the diffusivity" : "derivative by the initial field",
                      std::fabs(got - want) / std::fabs(want), 1e-2) &&
                holds;
    }
    return holds;
}

/* The report's parts are the pool's peak. */
static bool check_report(const problem &p, const form &way) {
    gw_program_figures f;
    gw_pool_figures(p.pool, &f);
    const double field = (double)p.cells() * sizeof(float),
                 sum = (double)(f.own + f.saved + f.shadows + f.work);
    std::printf("%s: peak %.1f fields for %d steps: %.1f the program's own, %.1f saved, %.1f adjoints, %.1f "
                "workspace",
                way.name, p.peak_fields(), p.size.steps, (double)f.own / field, (double)f.saved / field,
                (double)f.shadows / field, (double)f.work / field);
    std::printf(way.budget ? "; budget %zu\n" : "\n", way.budget);
    return check("report's parts beside the peak", std::fabs(sum / (double)gw_pool_peak(p.pool) - 1), 0);
}

/* The same gradient each way, over 1,000 steps. */
static bool check_forms(const fields &at, int width, int height) {
    fields first;
    bool holds = true;
    for (const form &way : forms) {
        problem p(width, height, long_run);
        p.measure(make_truth(width, height));
        fields d;
        p.gradient(at, d, way);
        holds = check_report(p, way) && holds;
        if (way.how == whole) {
            first = d;
            continue;
        }
        holds = check("field's gradient beside the first way's", distance(d.u, first.u), 1e-5) && holds;
        holds = check("diffusivity's gradient beside the first way's", distance(d.k, first.k), 1e-5) && holds;
    }
    return holds;
}

/* Milliseconds of the program and of its gradient, each way. */
static bool measure(int width, int height, int steps, int rounds) {
    const fields truth = make_truth(width, height);
    bool holds = true;
    for (const form &way : forms) {
        problem p(width, height, steps);
        p.measure(truth);
        p.u.set(truth.u);
        const double primal = median_ms(
            rounds, [] {}, [&] { p.run(); });
        const double gradient = median_ms(
            rounds, [&] { p.seed(); }, [&] { p.run_gradient(way); });
        print_times(way.name, (double)p.cells(), primal, gradient, (double)gw_pool_peak(p.pool));
        holds = check_report(p, way) && holds;
    }
    return holds;
}

static void write_fields(const std::string &folder, const char *which, const fields &f, int width, int height) {
    const std::string name = folder + "/heat_" + which;
    if (!write_png(name + "_u.png", f.u, width, height, 0, 1) ||
        !write_png(name + "_k.png", f.k, width, height, 0.1, 0.9))
        std::fprintf(stderr, "%s cannot be written\n", name.c_str());
}

/* The initial field and the diffusivity, found from what was measured. */
static bool descend(problem &p, fields &now, const fields &truth, int rounds, const std::string &folder) {
    if (!rounds) return true;
    const double far_u = distance(now.u, truth.u), far_k = distance(now.k, truth.k);
    adam of_u(p.cells(), 0.02), of_k(p.cells(), 0.004);
    std::vector<double> losses;
    size_t held = 0;
    const progress line(rounds);
    for (int round = 0; round < rounds; round++) {
        fields d;
        losses.push_back(p.gradient(now, d));
        if (round == 0) held = gw_pool_held(p.pool);
        of_u.step(now.u, d.u);
        if (round >= rounds / 4) of_k.step(now.k, d.k); // first the field, or k is fitted to a wrong one
        for (float &v : now.k)
            v = std::min(0.95f, std::max(0.05f, v)); // steps of 0.25 are stable there
        line.tell(round, "loss %.3e, off the truth by %.3f (field), %.3f (diffusivity)", losses.back(),
                  distance(now.u, truth.u), distance(now.k, truth.k));
    }
    losses.push_back(p.value(now));
    std::printf("loss %.3e -> %.3e; %.1f MiB held\n", losses.front(), losses.back(), (double)held / (1 << 20));
    if (!folder.empty()) {
        write_fields(folder, "end", now, p.size.width, p.size.height);
        write_curve(folder + "/heat_loss.svg", "misfit over rounds", losses);
    }
    bool holds =
        check("loss beside the first one", losses.back() / losses.front(), on_cpu_device ? 0.05 : 0.01);
    holds = check("field, off the truth", distance(now.u, truth.u) / far_u, on_cpu_device ? 0.6 : 0.3) && holds;
    holds = check("diffusivity, off the truth", distance(now.k, truth.k) / far_k, 1) && holds;
    holds = check("bytes allocated after the first round", (double)(gw_pool_held(p.pool) - held), 0) && holds;
    return holds;
}

int main(int argc, char **argv) {
    const int width = (int)option(argc, argv, "--width", on_cpu_device ? 24 : 128),
              height = (int)option(argc, argv, "--height", on_cpu_device ? 16 : 96),
              steps = (int)option(argc, argv, "--steps", on_cpu_device ? 40 : 1000),
              rounds = (int)option(argc, argv, "--rounds", on_cpu_device ? 100 : 400);
    const std::string folder = text_option(argc, argv, "--out");
    problem p(width, height, steps);
    const fields truth = make_truth(width, height);
    fields now{std::vector<float>(p.cells(), 0.2f), std::vector<float>(p.cells(), 0.5f)};
    p.measure(truth);
    fields between = now;
    for (size_t i = 0; i < p.cells(); i++)
        between.u[i] += 0.5f * (truth.u[i] - now.u[i]), between.k[i] += 0.5f * (truth.k[i] - now.k[i]);
    bool holds = check_gradient(p, between);
    holds = check_forms(between, width, height) && holds;
    if (!folder.empty())
        write_fields(folder, "truth", truth, width, height), write_fields(folder, "start", now, width, height);
    holds = descend(p, now, truth, rounds, folder) && holds;
    const int timed = (int)option(argc, argv, "--measured-rounds", on_cpu_device ? 0 : 5);
    if (timed)
        holds = measure((int)option(argc, argv, "--measured-width", 2048),
                        (int)option(argc, argv, "--measured-height", 1536), steps, timed) &&
                holds;
    return holds ? 0 : 1;
}
