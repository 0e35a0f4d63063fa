/*
 * stencil.cu - times a step of heat conduction in 8,192 x 8,192 cells (five points, slopes that need the cells)
 * and in 512 x 512 x 256 cells (seven points, constant coefficients).
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
#include "workloads/stencil.cuh"

#include "stencil.grad.cuh"

#include "support/workload.cuh"

static unsigned parts(int length, unsigned of) { return ((unsigned)length + of - 1) / of; }

static bool measure_plane(int repeats) {
    const int size = on_cpu_device ? 40 : 8192;
    const dim3 block(32, 8), grid(parts(size, block.x), parts(size, block.y));
    const size_t cells = (size_t)size * size;
    const real rate = (real)0.1;
    active_array<real> next(std::vector<real>(cells), 1, true, false);
    active_array<real> now(random_reals(2, cells, 0, 1), 3, false, true);
    const timed_run run = {"conduct_5", (double)cells, repeats, 1e-3, grid, block};
    return measure_kernel(run, KERNEL(conduct_5), next, now, rate, size, size);
}

static bool measure_space(int repeats) {
    const int nx = on_cpu_device ? 20 : 512, ny = nx, nz = nx / 2;
    const dim3 block(64, 4), grid(parts(nx, block.x), parts(ny, block.y), (unsigned)nz);
    const size_t cells = (size_t)nx * ny * nz;
    const real centre = (real)0.4, side = (real)0.1;
    active_array<real> next(std::vector<real>(cells), 1, true, false);
    active_array<real> now(random_reals(2, cells, 0, 1), 3, false, true);
    const timed_run run = {"conduct_7", (double)cells, repeats, 1e-3, grid, block};
    return measure_kernel(run, KERNEL(conduct_7), next, now, centre, side, nx, ny, nz);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_plane(repeats);
    return measure_space(repeats) && holds ? 0 : 1;
}
