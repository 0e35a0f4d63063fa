/*
 * rows.cu - times the kernels in which a block meets to sum up a row: layer normalisation and softmax of 16384
 * rows of 1024, a sum of squares over 64 Mi cells, and a scan of 16 Mi cells in blocks.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
enum { threads = 256 };
#include "workloads/rows.cuh"

#include "rows.grad.cuh"

#include "support/workload.cuh"

static bool measure_layer_norm(int rows, int width, int repeats) {
    const dim3 grid((unsigned)rows), block(threads);
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -1, 1), 3, false, true);
    active_array<real> gain(random_reals(4, (size_t)width, 0.5, 1.5), 5, false, true);
    active_array<real> bias(random_reals(6, (size_t)width, -1, 1), 7, false, true);
    const timed_run run = {"layer_norm", (double)rows * threads, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(layer_norm), y, x, gain, bias, width);
}

static bool measure_softmax(int rows, int width, int repeats) {
    const dim3 grid((unsigned)rows), block(threads);
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -3, 3), 3, false, true);
    const timed_run run = {"softmax", (double)rows * threads, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(softmax), y, x, width);
}

static bool measure_sum(int blocks, int n, int repeats) {
    const dim3 grid((unsigned)blocks), block(threads);
    active_array<real> y(std::vector<real>((size_t)blocks), 1, true, false);
    active_array<real> x(random_reals(2, (size_t)n, -1, 1), 3, false, true);
    const timed_run run = {"sum_of_squares", (double)blocks * threads, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(sum_of_squares), y, x, n);
}

static bool measure_scan(int n, int repeats) {
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    active_array<real> y(std::vector<real>((size_t)n), 1, true, false),
        x(random_reals(2, (size_t)n, -1, 1), 3, false, true);
    const timed_run run = {"scan", (double)n, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(scan), y, x, n);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_layer_norm(on_cpu_device ? 3 : 16384, on_cpu_device ? 600 : 1024, repeats);
    holds = measure_softmax(on_cpu_device ? 3 : 16384, on_cpu_device ? 600 : 1024, repeats) && holds;
    holds = measure_sum(on_cpu_device ? 2 : 1024, on_cpu_device ? 2000 : 1 << 26, repeats) && holds;
    return measure_scan(on_cpu_device ? 1000 : 1 << 24, repeats) && holds ? 0 : 1;
}
