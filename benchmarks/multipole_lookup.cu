/*
 * multipole_lookup.cu - times 1.02 million lookups in the published large problem: 355 nuclides, 321 of them in
 * fuel, of up to 1000 poles in up to 100 windows.
 *
 * Options: --lookups N, --repeats N
 */
#include <gradwright/gradwright.h>

typedef double real;
#include "workloads/multipole_lookup.cuh"

#include "multipole_lookup.grad.cuh"

#include "support/workload.cuh"
#include "workloads/multipole_data.h"

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 5);
    const int lookups = (int)option(argc, argv, "--lookups", on_cpu_device ? 100 : 1020000);
    const multipole_data data =
        on_cpu_device ? multipole_data(20, 60, 6, 15, 0.5) : multipole_data(355, 1000, 100, 321, 0.5);
    const dim3 grid((unsigned)((lookups + 127) / 128)), block(128);
    active_array<real> out(std::vector<real>((size_t)lookups * 4), 1, true, false);
    active_array<pole> poles(data.poles, 2, false, true);
    device_array<pole_window> windows(data.windows);
    device_array<int> window_count(data.window_count), nuclide_count(data.nuclide_count), nuclide(data.nuclide);
    device_array<real> radius(data.radius), concentration(data.concentration);
    const timed_run run = {"multipole_lookup", (double)lookups, repeats, 1e-6, grid, block};
    const bool holds = measure_kernel(run, KERNEL(multipole_lookup), out, summed(poles), windows, window_count,
                                      radius, nuclide_count, nuclide, concentration, data.sizes, lookups);
    return holds ? 0 : 1;
}
