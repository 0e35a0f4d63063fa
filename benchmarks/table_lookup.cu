/*
 * table_lookup.cu - times 17 million lookups in the published large problem: 355 nuclides, 321 of them in fuel,
 * of 11303 points each, 10000 bins.
 *
 * Options: --lookups N, --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
#include "workloads/table_lookup.cuh"

#include "table_lookup.grad.cuh"

#include "support/workload.cuh"
#include "workloads/table_data.h"

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 5);
    const int lookups = (int)option(argc, argv, "--lookups", on_cpu_device ? 1000 : 17000000);
    const table_data data = on_cpu_device ? table_data(20, 100, 16, 15) : table_data(355, 11303, 10000, 321);
    const dim3 grid((unsigned)((lookups + 255) / 256)), block(256);
    active_array<real> out(std::vector<real>((size_t)lookups * 5), 1, true, false);
    active_array<table_point> points(data.grid, 2, false, true);
    device_array<int> bin_start(data.bin_start), nuclide_count(data.nuclide_count), nuclide(data.nuclide);
    device_array<real> concentration(data.concentration);
    const timed_run run = {"table_lookup", (double)lookups, repeats, 1e-6, grid, block};
    const bool holds = measure_kernel(run, KERNEL(table_lookup), out, summed(points), bin_start, nuclide_count,
                                      nuclide, concentration, data.sizes, lookups);
    return holds ? 0 : 1;
}
