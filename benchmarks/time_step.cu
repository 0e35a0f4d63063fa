/*
 * time_step.cu - times the largest time step that 90^3 elements allow: the least of each of 128 blocks, and the
 * least of these. Lanes of a warp are taken to run in step, by the derivatives too.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
enum { threads = 128 };
#include "workloads/time_step.cuh"

#include "time_step.grad.cuh"

#include "support/workload.cuh"

static bool measure_elements(int blocks, int n, int repeats) {
    const dim3 grid((unsigned)blocks), block(threads);
    const size_t count = (size_t)n;
    std::vector<int> all(count);
    for (int i = 0; i < n; i++)
        all[(size_t)i] = (int)((long)i * 7 % n);
    device_array<int> elements(all);
    active_array<real> crossing(std::vector<real>((size_t)blocks), 1, true, false),
        change(std::vector<real>((size_t)blocks), 2, true, false);
    active_array<real> speed(random_reals(3, count, 0.5, 2), 4, false, true),
        rate(random_reals(5, count, -1.5, 1), 6, false, true),
        length(random_reals(7, count, 0.5, 2), 8, false, true);
    active_number<real> viscosity(6, 9), most_change(0.1, 10);
    const timed_run run = {"time_steps", (double)blocks * threads, repeats, 1e-9, grid, block};
    return measure_kernel(run, KERNEL(time_steps), crossing, change, elements, summed(speed), summed(rate),
                          summed(length), viscosity, most_change, n);
}

static bool measure_blocks(int blocks, int repeats) {
    active_array<real> step(std::vector<real>(2), 1, true, false);
    active_array<real> crossing(random_reals(2, (size_t)blocks, 0.1, 2), 3, false, true),
        change(random_reals(4, (size_t)blocks, 0.1, 2), 5, false, true);
    const timed_run run = {"time_step", 2.0 * threads, repeats, 1e-9, dim3(2), dim3(threads)};
    return measure_kernel(run, KERNEL(time_step), step, crossing, change, blocks);
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const int edge = on_cpu_device ? 9 : 90, n = edge * edge * edge, blocks = on_cpu_device ? 4 : 128;
    const bool holds = measure_elements(blocks, n, repeats);
    return measure_blocks(blocks, repeats) && holds ? 0 : 1;
}
