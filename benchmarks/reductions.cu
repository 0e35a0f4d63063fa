/*
 * reductions.cu - times reductions by shuffles and a soft histogram by atomics: a weighted sum of squares over
 * 64 Mi cells, and 16 Mi values in 256 bins.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
enum { threads = 256, bins = 256 };
#include "workloads/reductions.cuh"

#include "reductions.grad.cuh"

#include "support/workload.cuh"

static bool measure_reduction(int blocks, int n, int repeats) {
    const dim3 grid((unsigned)blocks), block(threads);
    active_array<real> y(std::vector<real>((size_t)blocks), 1, true, false);
    active_array<real> x(random_reals(2, (size_t)n, -1, 1), 3, false, true),
        w(random_reals(4, (size_t)n, 0, 1), 5, false, true);
    const timed_run run = {"block_reduction", (double)blocks * threads, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(block_reduction), y, x, w, n);
}

static bool measure_histogram(int blocks, int n, int repeats) {
    const dim3 grid((unsigned)blocks), block(threads);
    active_array<real> h(std::vector<real>(bins), 1, true, false);
    active_array<real> x(random_reals(2, (size_t)n, 0, 1), 3, false, true),
        mass(random_reals(4, (size_t)n, 0, 1), 5, false, true);
    const timed_run run = {"soft_histogram", (double)blocks * threads, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(soft_histogram), h, x, mass, n);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_reduction(on_cpu_device ? 2 : 1024, on_cpu_device ? 2000 : 1 << 26, repeats);
    return measure_histogram(on_cpu_device ? 2 : 1024, on_cpu_device ? 3000 : 1 << 24, repeats) && holds ? 0
                                                                                                         : 1;
}
