/*
 * hydrodynamics.cu - times the equation of state on cubes of 30^3 and 90^3 elements, all in one region whose
 * list is a shuffle of runs, with one update and with ten.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
#include "workloads/hydrodynamics.cuh"

#include "hydrodynamics.grad.cuh"

#include "support/workload.cuh"

/* Elements 0 to count - 1 in runs of up to 512, the runs in random order. */
static std::vector<int> region_of(int count) {
    numbers random(7);
    std::vector<std::vector<int>> runs;
    for (int at = 0; at < count;) {
        int length = std::min(count - at, 1 + (int)random.next(0, 512));
        runs.emplace_back();
        for (int k = 0; k < length; k++) runs.back().push_back(at++);
    }
    for (size_t k = runs.size(); k > 1; k--)
        std::swap(runs[k - 1], runs[(size_t)random.next(0, (double)k - 0.5)]);
    std::vector<int> list;
    for (const std::vector<int> &run : runs) list.insert(list.end(), run.begin(), run.end());
    return list;
}

static bool measure(const char *name, int edge, int updates, int repeats) {
    const int count = edge * edge * edge;
    const size_t n = (size_t)count;
    const dim3 grid((unsigned)((count + 127) / 128)), block(128);
    const material m = {1e-7, 1e-7, 1e-7, -1e15, 0, 1e-9, 1e9, 1};
    active_array<real> e(random_reals(1, n, 0.5, 1.5), 11, true, true),
        p(random_reals(2, n, 0.5, 1.5), 12, true, true), q(random_reals(3, n, 0.5, 1.5), 13, true, true),
        ss(std::vector<real>(n), 14, true, false), qq(random_reals(4, n, 0.5, 1.5), 15, false, true),
        ql(random_reals(5, n, 0.5, 1.5), 16, false, true), delv(random_reals(6, n, -0.1, 0.1), 17, false, true),
        volume(random_reals(7, n, 0.7, 1.3), 18, false, true);
    device_array<int> list(region_of(count));
    const timed_run run = {name, (double)grid.x * block.x, repeats, 1e-9, grid, block};
    return measure_kernel(run, KERNEL(equation_of_state), e, p, q, ss, qq, ql, delv, volume, list, count,
                          updates, m);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    bool holds = measure("hydro_30", on_cpu_device ? 5 : 30, 1, repeats);
    holds = measure("hydro_90", on_cpu_device ? 6 : 90, 1, repeats) && holds;
    return measure("hydro_90_ten_updates", on_cpu_device ? 6 : 90, 10, repeats) && holds ? 0 : 1;
}
