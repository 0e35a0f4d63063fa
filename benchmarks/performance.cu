/*
 * performance.cu - gradient time over primal time of two kernels at the ends of the scale.
 *
 *   map   y = x*x + x, one element a thread: nothing but memory traffic. Its gradient must read x and d_y,
 *         read and write d_x, and zero d_y: 20 bytes where the primal moves 8.
 *   ode   y += dt * p * sin(y), a run-time number of steps a thread: nothing but arithmetic. Its reverse sweep
 *         needs y of each step, which lies in the workspace: one value a step.
 *   ode_checkpointed   the same with GW_CHECKPOINT(25): 40 values for 1,000 steps in the workspace.
 *
 * The two demonstrations (examples/) print their times in the same form. Sizes are for a large GPU, and
 * scaled down on the CPU device. Options: --map N, --threads N, --steps N, --repeats N.
 */
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i] + x[i];
}

GW_GRADIENT("y wrt x, p")
__global__ void ode(float *y, const float *x, const float *p, float dt, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], q = p[i];
    for (int k = 0; k < steps; k++) v += dt * q * sinf(v);
    y[i] = v;
}

GW_GRADIENT("y wrt x, p")
__global__ void ode_checkpointed(float *y, const float *x, const float *p, float dt, int n, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], q = p[i];
    GW_CHECKPOINT(25) for (int k = 0; k < steps; k++) v += dt * q * sinf(v);
    y[i] = v;
}

#include "performance.grad.cuh"

#include "../examples/support/measure.cuh"

enum { block = 256 };
static dim3 blocks(long n) { return dim3((unsigned)((n + block - 1) / block)); }

/* The results at a few places against the closed form or a host sweep in double. */
static bool measure_map(int n, int repeats) {
    numbers random(1);
    std::vector<float> x = random.array(n, -1, 1), ones(n, 1.0f);
    device_array<float> y((size_t)n), device_x(x), seed(ones), d_y(ones), d_x((size_t)n);
    double primal = median_ms(repeats, [] {}, [&] { map<<<blocks(n), block>>>(y, device_x, n); });
    double gradient = median_ms(
        repeats, [&] { d_y.set(seed); },
        [&] { must(map_grad_launch(blocks(n), block, 0, 0, y, device_x, n, d_y, d_x, nullptr, 0)); });
    std::vector<float> got = d_x.get();
    std::vector<double> sampled, want;
    for (int i = 0; i < n; i += n / 1000 + 1) {
        sampled.push_back(got[i]);
        want.push_back((repeats + 2) * (2.0 * x[i] + 1)); /* accumulated over every launch */
    }
    print_times("map", n, primal, gradient, (double)map_workspace_bytes(blocks(n), block, y, device_x, n));
    return check("map: d_x against the closed form", relative_error(sampled, want), 1e-5);
}

static double ode_gradient(double v, double p, double dt, int steps, double *d_p) {
    double d_v = 1;
    *d_p = 0;
    for (int k = 0; k < steps; k++) { /* forward: (dv/dx, dv/dp) along with v */
        *d_p = *d_p * (1 + dt * p * std::cos(v)) + dt * std::sin(v);
        d_v *= 1 + dt * p * std::cos(v);
        v += dt * p * std::sin(v);
    }
    return d_v;
}

template <class Primal, class Gradient, class Bytes>
static bool measure_ode(const char *name, Primal primal_once, Gradient launch, Bytes bytes, int n, int steps,
                        int repeats) {
    numbers random(2);
    const float dt = 2.0f / (float)steps;
    std::vector<float> x = random.array(n, 0.5, 1.5), p = random.array(n, 0.5, 1.5), ones(n, 1.0f);
    device_array<float> y((size_t)n), device_x(x), device_p(p), seed(ones), d_y(ones), d_x((size_t)n),
        d_p((size_t)n);
    device_array<char> workspace(bytes(n, steps));
    auto gradient_once = [&] {
        must(launch(y, device_x, device_p, dt, n, steps, d_y, d_x, d_p, workspace, workspace.size()));
    };
    gradient_once();
    std::vector<float> got_x = d_x.get(), got_p = d_p.get();
    std::vector<double> got[2], want[2];
    for (int i = 0; i < n; i += n / 200 + 1) {
        double exact_p, exact_x = ode_gradient(x[i], p[i], dt, steps, &exact_p);
        got[0].push_back(got_x[i]);
        got[1].push_back(got_p[i]);
        want[0].push_back(exact_x);
        want[1].push_back(exact_p);
    }
    double primal =
        median_ms(repeats, [] {}, [&] { primal_once(y, device_x, device_p, dt, n, steps); });
    double gradient = median_ms(repeats, [&] { d_y.set(seed); }, gradient_once);
    double threads = (double)blocks(n).x * block;
    print_times(name, threads, primal, gradient, (double)workspace.size());
    bool holds = check("ode: d_x against a tangent sweep in double", relative_error(got[0], want[0]), 1e-3);
    return check("ode: d_p against a tangent sweep in double", relative_error(got[1], want[1]), 1e-3) && holds;
}

/* The functions that bear the kernel's name. */
#define MEASURE_ODE(kernel)                                                                                    \
    measure_ode(                                                                                               \
        #kernel,                                                                                               \
        [](float *y, const float *x, const float *p, float dt, int n, int m) {                                 \
            kernel<<<blocks(n), block>>>(y, x, p, dt, n, m);                                                   \
        },                                                                                                     \
        [](float *y, const float *x, const float *p, float dt, int n, int m, float *d_y, float *d_x,           \
           float *d_p, void *w, size_t bytes) {                                                                \
            return kernel##_grad_launch(blocks(n), block, 0, 0, y, x, p, dt, n, m, d_y, d_x, d_p, w, bytes);   \
        },                                                                                                     \
        [](int n, int m) {                                                                                     \
            return kernel##_workspace_bytes(blocks(n), block, nullptr, nullptr, nullptr, 0.0f, n, m);          \
        },                                                                                                     \
        threads, steps, repeats)

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", 20);
    bool holds = measure_map((int)option(argc, argv, "--map", on_cpu_device ? 1 << 18 : 1 << 26), repeats);
    const int threads = (int)option(argc, argv, "--threads", on_cpu_device ? 1 << 9 : 1 << 20);
    const int steps = (int)option(argc, argv, "--steps", on_cpu_device ? 100 : 1000);
    holds = MEASURE_ODE(ode) && holds;
    holds = MEASURE_ODE(ode_checkpointed) && holds;
    return holds ? 0 : 1;
}
