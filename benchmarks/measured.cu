/*
 * measured.cu - times gradients whose tape is measured beside the same with a bound that the host knows: chains
 * whose lengths are in memory (lengths of a row, of which a few are long), and iterations that end when they
 * have converged. NAME: the measured form, its launch whole; NAME_measure: in place of the gradient the launch
 * that measures alone; NAME_bounded: with `&& k < limit` in the loop, of which each thread has a tape.
 *
 * Options: --threads N, --longest N, --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

GW_GRADIENT("y wrt x")
__global__ void chains(float *y, const float *x, const int *first, int n) {
    const int i = HERE;
    if (i >= n) return;
    float v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++) v = v - 0.1f * sinf(v) * v;
    y[i] = v;
}

GW_GRADIENT("y wrt x")
__global__ void chains_bounded(float *y, const float *x, const int *first, int n, int limit) {
    const int i = HERE;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < limit && first[i] + k < first[i + 1]; k++) v = v - 0.1f * sinf(v) * v;
    y[i] = v;
}

GW_GRADIENT("y wrt x")
__global__ void converge(float *y, const float *x, float tolerance, int n) {
    const int i = HERE;
    if (i >= n) return;
    float v = 1, step = 1;
    while (fabsf(step) > tolerance) {
        step = 0.3f * (x[i] / (v * v) - v);
        v += step;
    }
    y[i] = v;
}

GW_GRADIENT("y wrt x")
__global__ void converge_bounded(float *y, const float *x, float tolerance, int n, int limit) {
    const int i = HERE;
    if (i >= n) return;
    float v = 1, step = 1;
    for (int k = 0; k < limit && fabsf(step) > tolerance; k++) {
        step = 0.3f * (x[i] / (v * v) - v);
        v += step;
    }
    y[i] = v;
}

#include "measured.grad.cuh"

struct arrays {
    int n;
    device_array<float> y, x, d_y, d_x, seed;
    explicit arrays(int threads)
        : n(threads), y((size_t)n), x(numbers(3).array((size_t)n, 0.5, 2)), d_y((size_t)n), d_x((size_t)n),
          seed(numbers(4).array((size_t)n, -1, 1)) {}
    void clear() {
        d_y.set(seed);
        must(cudaMemset(d_x, 0, (size_t)n * sizeof(float)));
    }
};

/* Lines of one kernel; `measure` fills sizes, the gradients take their workspace. */
template <class P, class M, class R, class G, class B, class H>
static bool times(const char *name, arrays &a, int repeats, P primal, M measure, R read, G gradient, B bytes,
                  H bounded) {
    char text[64];
    auto title = [&](const char *how) {
        std::snprintf(text, sizeof text, "%s%s", name, how);
        return text;
    };
    device_array<char> sizes(sizeof(gw_sizes));
    gw_sizes *found = (gw_sizes *)(char *)sizes;
    must(measure(found));
    const size_t needed = read(found), asked = bytes();
    device_array<char> space(needed), room(asked);
    const double once = median_ms(repeats, [] {}, primal);
    const auto refill = [&] { a.clear(); };
    print_times(title(""), a.n, once, median_ms(repeats, refill, [&] { must(gradient(space, needed)); }),
                (double)needed);
    const std::vector<float> got = a.d_x.get();
    print_times(title("_measure"), a.n, once, median_ms(repeats, [] {}, [&] { must(measure(found)); }), 0);
    print_times(title("_bounded"), a.n, once,
                median_ms(repeats, refill, [&] { must(bounded(room, asked)); }), (double)asked);
    const std::vector<float> want = a.d_x.get();
    double apart = 0;
    for (size_t i = 0; i < want.size(); i++)
        apart = std::max(apart, std::fabs((double)got[i] - (double)want[i]));
    return check("measured against bounded", apart, 1e-6);
}

int main(int argc, char **argv) {
    const int n = (int)option(argc, argv, "--threads", on_cpu_device ? 2000 : 1 << 20);
    const int longest = (int)option(argc, argv, "--longest", 256);
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const dim3 grid((unsigned)((n + 255) / 256)), block(256);
    arrays a(n);
    /* Lengths fall off like 1 / u: half of them are below 16, and a warp's longest is far above its mean. */
    std::vector<int> starts((size_t)n + 1, 0);
    numbers random(5);
    for (size_t i = 0; i < (size_t)n; i++)
        starts[i + 1] = starts[i] + std::min(longest, (int)(8 / (double)random.next(0.01, 1)));
    device_array<int> first(starts);
    bool good = times(
        "chains", a, repeats, [&] { chains<<<grid, block>>>(a.y, a.x, first, n); },
        [&](gw_sizes *s) { return chains_measure_launch(grid, block, 0, 0, a.y, a.x, first, n, s); },
        [&](gw_sizes *s) { return chains_workspace_bytes_measured(s, (cudaStream_t)0); },
        [&](void *space, size_t bytes) {
            return chains_grad_launch(grid, block, 0, 0, a.y, a.x, first, n, a.d_y, a.d_x, space, bytes);
        },
        [&] { return chains_bounded_workspace_bytes(grid, block, a.y, a.x, first, n, longest); },
        [&](void *space, size_t bytes) {
            return chains_bounded_grad_launch(grid, block, 0, 0, a.y, a.x, first, n, longest, a.d_y, a.d_x,
                                              space, bytes);
        });
    const float tolerance = 1e-4f;
    good = times(
               "converge", a, repeats, [&] { converge<<<grid, block>>>(a.y, a.x, tolerance, n); },
               [&](gw_sizes *s) {
                   return converge_measure_launch(grid, block, 0, 0, a.y, a.x, tolerance, n, s);
               },
               [&](gw_sizes *s) { return converge_workspace_bytes_measured(s, (cudaStream_t)0); },
               [&](void *space, size_t bytes) {
                   return converge_grad_launch(grid, block, 0, 0, a.y, a.x, tolerance, n, a.d_y, a.d_x, space,
                                               bytes);
               },
               [&] { return converge_bounded_workspace_bytes(grid, block, a.y, a.x, tolerance, n, 64); },
               [&](void *space, size_t bytes) {
                   return converge_bounded_grad_launch(grid, block, 0, 0, a.y, a.x, tolerance, n, 64, a.d_y,
                                                       a.d_x, space, bytes);
               }) &&
           good;
    return good ? 0 : 1;
}
