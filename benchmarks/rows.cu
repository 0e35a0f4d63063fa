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
    device_array<char> space(
        layer_norm_workspace_bytes(grid, block, y.value, x.value, gain.value, bias.value, width));
    return measure_workload(
        "layer_norm", (double)rows * threads, repeats, 1e-2, space.size(),
        [&] { layer_norm<<<grid, block>>>(y.value, x.value, gain.value, bias.value, width); },
        [&] {
            must(layer_norm_grad_launch(grid, block, 0, 0, y.value, x.value, gain.value, bias.value, width,
                                        y.d(), x.d(), gain.d(), bias.d(), space, space.size()));
        },
        [&] {
            must(layer_norm_jvp_launch(grid, block, 0, 0, y.value, x.value, gain.value, bias.value, width,
                                       y.t(), x.t(), gain.t(), bias.t()));
        },
        y, x, gain, bias);
}

static bool measure_softmax(int rows, int width, int repeats) {
    const dim3 grid((unsigned)rows), block(threads);
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -3, 3), 3, false, true);
    device_array<char> space(softmax_workspace_bytes(grid, block, y.value, x.value, width));
    return measure_workload(
        "softmax", (double)rows * threads, repeats, 1e-2, space.size(),
        [&] { softmax<<<grid, block>>>(y.value, x.value, width); },
        [&] {
            must(softmax_grad_launch(grid, block, 0, 0, y.value, x.value, width, y.d(), x.d(), space,
                                     space.size()));
        },
        [&] { must(softmax_jvp_launch(grid, block, 0, 0, y.value, x.value, width, y.t(), x.t())); }, y, x);
}

static bool measure_sum(int blocks, int n, int repeats) {
    const dim3 grid((unsigned)blocks), block(threads);
    active_array<real> y(std::vector<real>((size_t)blocks), 1, true, false);
    active_array<real> x(random_reals(2, (size_t)n, -1, 1), 3, false, true);
    device_array<char> space(sum_of_squares_workspace_bytes(grid, block, y.value, x.value, n));
    return measure_workload(
        "sum_of_squares", (double)blocks * threads, repeats, 1e-2, space.size(),
        [&] { sum_of_squares<<<grid, block>>>(y.value, x.value, n); },
        [&] {
            must(sum_of_squares_grad_launch(grid, block, 0, 0, y.value, x.value, n, y.d(), x.d(), space,
                                            space.size()));
        },
        [&] { must(sum_of_squares_jvp_launch(grid, block, 0, 0, y.value, x.value, n, y.t(), x.t())); }, y, x);
}

static bool measure_scan(int n, int repeats) {
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    active_array<real> y(std::vector<real>((size_t)n), 1, true, false),
        x(random_reals(2, (size_t)n, -1, 1), 3, false, true);
    device_array<char> space(scan_workspace_bytes(grid, block, y.value, x.value, n));
    return measure_workload(
        "scan", (double)n, repeats, 1e-2, space.size(), [&] { scan<<<grid, block>>>(y.value, x.value, n); },
        [&] {
            must(scan_grad_launch(grid, block, 0, 0, y.value, x.value, n, y.d(), x.d(), space, space.size()));
        },
        [&] { must(scan_jvp_launch(grid, block, 0, 0, y.value, x.value, n, y.t(), x.t())); }, y, x);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_layer_norm(on_cpu_device ? 3 : 16384, on_cpu_device ? 600 : 1024, repeats);
    holds = measure_softmax(on_cpu_device ? 3 : 16384, on_cpu_device ? 600 : 1024, repeats) && holds;
    holds = measure_sum(on_cpu_device ? 2 : 1024, on_cpu_device ? 2000 : 1 << 26, repeats) && holds;
    return measure_scan(on_cpu_device ? 1000 : 1 << 24, repeats) && holds ? 0 : 1;
}
