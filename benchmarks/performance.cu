/*
 * performance.cu - gradient time over primal time of two kernels at the ends of the scale.
 *
 *   map   y = x*x + x, one element a thread: nothing but memory traffic. Its gradient must read x and d_y,
 *         read and write d_x, and zero d_y: 20 bytes where the primal moves 8.
 *   ode   y += dt * p * sin(y), a run-time number of steps a thread: nothing but arithmetic. Its reverse sweep
 *         needs y of each step, which lies in the workspace: one value a step.
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

static bool measure_ode(int n, int steps, int repeats) {
    numbers random(2);
    const float dt = 2.0f / (float)steps;
    std::vector<float> x = random.array(n, 0.5, 1.5), p = random.array(n, 0.5, 1.5), ones(n, 1.0f);
    device_array<float> y((size_t)n), device_x(x), device_p(p), seed(ones), d_y(ones), d_x((size_t)n), d_p((size_t)n);
    device_array<char> workspace(ode_workspace_bytes(blocks(n), block, y, device_x, device_p, dt, n, steps));
    auto gradient_once = [&] {
        must(ode_grad_launch(blocks(n), block, 0, 0, y, device_x, device_p, dt, n, steps, d_y, d_x, d_p, workspace,
                             workspace.size()));
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
        median_ms(repeats, [] {}, [&] { ode<<<blocks(n), block>>>(y, device_x, device_p, dt, n, steps); });
    double gradient = median_ms(repeats, [&] { d_y.set(seed); }, gradient_once);
    double threads = (double)blocks(n).x * block;
    print_times("ode", threads, primal, gradient, (double)workspace.size());
    bool holds = check("ode: d_x against a tangent sweep in double", relative_error(got[0], want[0]), 1e-3);
    return check("ode: d_p against a tangent sweep in double", relative_error(got[1], want[1]), 1e-3) && holds;
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", 20);
    bool holds = measure_map((int)option(argc, argv, "--map", on_cpu_device ? 1 << 18 : 1 << 26), repeats);
    holds = measure_ode((int)option(argc, argv, "--threads", on_cpu_device ? 1 << 9 : 1 << 20),
                        (int)option(argc, argv, "--steps", on_cpu_device ? 100 : 1000), repeats) && holds;
    return holds ? 0 : 1;
}
