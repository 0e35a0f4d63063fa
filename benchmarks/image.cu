/*
 * image.cu - times bilinear sampling of 16 planes of 2048 x 2048 cells at as many smoothly displaced places,
 * and the convolution of one plane of 4096 x 4096 cells with 5 x 5 weights.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

typedef float real;
#include "workloads/image.cuh"

#include "image.grad.cuh"

#include "support/workload.cuh"

static bool measure_sampling(int repeats) {
    const int size = on_cpu_device ? 40 : 2048, channels = on_cpu_device ? 2 : 16;
    const size_t cells = (size_t)size * size;
    const dim3 block(32, 8), grid((unsigned)(size + 31) / 32, (unsigned)(size + 7) / 8);
    std::vector<place> where(cells);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            where[(size_t)y * size + x] = {(real)(x + 3.3 * std::sin(0.011 * y)),
                                           (real)(y + 2.7 * std::cos(0.013 * x))};
    active_array<real> out(std::vector<real>(cells * channels), 1, true, false);
    active_array<real> image(random_reals(2, cells * channels, 0, 1), 3, false, true);
    active_array<place> places(where, 4, false, true);
    const timed_run run = {"bilinear", (double)cells, repeats, 1e-3, grid, block};
    return measure_kernel(run, KERNEL(sample_bilinear), out, summed(image), places, channels, size, size, size,
                          size);
}

static bool measure_convolution(int repeats) {
    const int size = on_cpu_device ? 40 : 4096, padded = size + 2 * radius;
    const dim3 block(32, 8), grid((unsigned)(size + 31) / 32, (unsigned)(size + 7) / 8);
    active_array<real> out(std::vector<real>((size_t)size * size), 1, true, false);
    active_array<real> image(random_reals(2, (size_t)padded * padded, 0, 1), 3, false, true);
    active_array<real> weights(random_reals(4, side * side, 0, 1), 5, false, true);
    const timed_run run = {"convolution", (double)size * size, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(convolve), out, image, weights, size, size);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = measure_sampling(repeats);
    return measure_convolution(repeats) && holds ? 0 : 1;
}
