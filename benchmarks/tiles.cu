/*
 * tiles.cu - times the kernels on tiles in shared memory: a product of matrices of 2048 x 2048, the convolution
 * of a plane of 4096 x 4096 cells with 5 x 5 weights, and all pairs of 65536 bodies.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
enum { tile = 16 };
#include "workloads/tiles.cuh"

#include "tiles.grad.cuh"

#include "support/workload.cuh"

static dim3 tiles_of(int size) {
    return dim3((unsigned)((size + tile - 1) / tile), (unsigned)((size + tile - 1) / tile));
}

static bool measure_multiply(int repeats) {
    const int size = on_cpu_device ? 48 : 2048;
    const size_t cells = (size_t)size * size;
    const dim3 grid = tiles_of(size), block(tile, tile);
    active_array<real> C(std::vector<real>(cells), 1, true, false);
    active_array<real> A(random_reals(2, cells, -1, 1), 3, false, true),
        B(random_reals(4, cells, -1, 1), 5, false, true);
    const timed_run run = {"multiply", (double)cells, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(multiply), C, A, B, size, size, size);
}

static bool measure_convolution(int repeats) {
    const int size = on_cpu_device ? 40 : 4096;
    const size_t cells = (size_t)size * size;
    const dim3 grid = tiles_of(size), block(tile, tile);
    active_array<real> out(std::vector<real>(cells), 1, true, false),
        image(random_reals(2, cells, 0, 1), 3, false, true);
    active_array<real> weights(random_reals(4, side * side, 0, 1), 5, false, true);
    const timed_run run = {"convolve_tile", (double)cells, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(convolve_tile), out, image, weights, size, size);
}

static bool measure_bodies(int repeats) {
    const int n = on_cpu_device ? 600 : 65536;
    const real softening = (real)0.01;
    const dim3 grid((unsigned)((n + bodies - 1) / bodies)), block(bodies);
    std::vector<body> start((size_t)n);
    numbers random(2);
    for (body &b : start) {
        b.x = random.next(-1, 1), b.y = random.next(-1, 1), b.z = random.next(-1, 1);
        b.mass = random.next(0.5, 1.5);
    }
    active_array<push> pull(std::vector<push>((size_t)n), 1, true, false);
    active_array<body> all(start, 3, false, true);
    const timed_run run = {"n_body", (double)n, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(n_body), pull, all, n, softening);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_multiply(repeats);
    holds = measure_convolution(repeats) && holds;
    return measure_bodies(repeats) && holds ? 0 : 1;
}
