/*
 * lookup.cu - times the gradient of look-ups whose place is computed from data, two of two neighbours each, in
 * a row of few or many cells: what is added to a cell are the adjoints of all who looked there. By an atomic
 * for each, by lanes of a warp that meet (GW_ACCUMULATE(x, match)), and by the block's cache of cells
 * (GW_ACCUMULATE(x, cache)). The sums of all are compared.
 *
 * Options: --lookups N, --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

/* Linear between neighbours: `at` and `other` from 0 to 1. */
#define LOOKUP(name, rung)                                                                                     \
    GW_GRADIENT("y wrt x")                                                                                     \
    GW_ACCUMULATE(x, rung)                                                                                     \
    __global__ void name(float *y, const float *x, const float *at, const float *other, int cells, int n) {    \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                   \
        if (i >= n) return;                                                                                    \
        const float u = at[i] * (float)(cells - 2), v = other[i] * (float)(cells - 2);                         \
        const int j = (int)u, k = (int)v;                                                                      \
        const float p = u - (float)j, q = v - (float)k;                                                        \
        y[i] = ((1 - p) * x[j] + p * x[j + 1]) * ((1 - q) * x[k] + q * x[k + 1]);                              \
    }
LOOKUP(by_atomics, atomic)
LOOKUP(by_match, match)
LOOKUP(by_cache, cache)

#include "lookup.grad.cuh"

#include <algorithm>
#include <cmath>

struct lookups {
    int n, cells;
    device_array<float> y, d_y, x, d_x, at, other;

    lookups(int count, int cell_count, numbers random = numbers(5))
        : n(count), cells(cell_count), y((size_t)n), d_y((size_t)n), x(std::vector<float>((size_t)cells, 0.5f)),
          d_x((size_t)cells), at(random.array((size_t)n, 0, 1)), other(random.array((size_t)n, 0, 1)) {}

    /* Milliseconds; the adjoints in `found`. */
    template <class G> double measure(G gradient, int repeats, std::vector<float> &found) {
        const dim3 block(256), grid(((unsigned)n + 255) / 256);
        const std::vector<float> seeds((size_t)n, 1.0f);
        const double ms = median_ms(
            repeats,
            [&] {
                d_y.set(seeds);
                must(cudaMemset(d_x, 0, (size_t)cells * sizeof(float)));
            },
            [&] {
                float *to = y, *seed = d_y, *sums = d_x;
                const float *from = x, *u = at, *v = other;
                must(gradient(grid, block, (size_t)0, (cudaStream_t)0, to, from, u, v, cells, n, seed, sums,
                              (void *)nullptr, (size_t)0));
            });
        found = d_x.get();
        return ms;
    }
};

static double apart(const std::vector<float> &a, const std::vector<float> &b) {
    double worst = 0, largest = 0;
    for (size_t i = 0; i < a.size(); i++) {
        worst = std::max(worst, (double)std::fabs(a[i] - b[i]));
        largest = std::max(largest, (double)std::fabs(a[i]));
    }
    return worst / largest;
}

#define BY(name) [](auto... a) -> gw_status { return name##_grad_launch(a...); }

int main(int argc, char **argv) {
    const int n = (int)option(argc, argv, "--lookups", on_cpu_device ? 4000 : 8 << 20),
              repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 7);
    bool holds = true;
    std::printf("# lookup: cells, ms by atomics, match, cache; %d threads\n", n);
    for (int cells = 8; cells <= (on_cpu_device ? 1 << 10 : 1 << 24); cells *= 8) {
        lookups all(n, cells);
        std::vector<float> one, other, cached;
        const double atomics = all.measure(BY(by_atomics), repeats, one),
                     match = all.measure(BY(by_match), repeats, other),
                     cache = all.measure(BY(by_cache), repeats, cached);
        std::printf("lookup %9d %8.3f %8.3f %8.3f\n", cells, atomics, match, cache);
        holds &= apart(one, other) < 1e-3 && apart(one, cached) < 1e-3;
    }
    return holds ? 0 : 1;
}
