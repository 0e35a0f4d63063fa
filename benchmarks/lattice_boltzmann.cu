/*
 * lattice_boltzmann.cu - times one D3Q19 step, gathering and sending, on a lattice of the published size (120 x
 * 120 x 150 and a boundary, rows padded to 128). By bytes the gradient moves 95 words where the primal moves
 * 38: it reads in and d_out, reads and writes d_in, and zeroes d_out.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
#include "workloads/lattice_boltzmann.cuh"

#include "lattice_boltzmann.grad.cuh"

#include "support/workload.cuh"

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const int nx = on_cpu_device ? 16 : 128, ny = on_cpu_device ? 6 : 122, nz = on_cpu_device ? 6 : 152;
    const size_t cells = (size_t)directions * nx * ny * nz;
    const dim3 grid(1, (unsigned)ny, (unsigned)nz), block((unsigned)nx);
    const real omega = (real)1.2;
    active_array<real> out(std::vector<real>(cells), 1, true, false),
        in(random_reals(2, cells, 0.04, 0.06), 3, false, true);
    timed_run run = {"lattice_pull", (double)nx * ny * nz, repeats, 1e-3, grid, block};
    const bool holds = measure_kernel(run, KERNEL(pull_step), out, in, omega, nx, ny, nz);
    out.direction.set(std::vector<real>(cells));
    run.name = "lattice_push";
    return measure_kernel(run, KERNEL(push_step), out, in, omega, nx, ny, nz) && holds ? 0 : 1;
}
