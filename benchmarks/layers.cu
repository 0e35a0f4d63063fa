/*
 * layers.cu - times a picture of 1920 x 1080 pixels with 100,000 discs, four pixels a thread, or as many as
 * PIXELS says (-DPIXELS=1: a pixel a thread).
 *
 * Options: --discs N, --repeats N
 */
#include <gradwright/gradwright.h>

#ifndef PIXELS
#define PIXELS 4
#endif
typedef float real;
enum { tile = 16, pixels = PIXELS, rows = tile / pixels, batch = tile * rows };
#include "workloads/layers.cuh"

#include "layers.grad.cuh"

#include "support/workload.cuh"
#include "workloads/layers_data.h"

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 5),
              width = on_cpu_device ? 70 : 1920, height = on_cpu_device ? 40 : 1080,
              count = (int)option(argc, argv, "--discs", on_cpu_device ? 300 : 100000);
    const layers_data data(width, height, count, 40, 0.05, 0.6, 1);
    const size_t cells = (size_t)width * (size_t)height;
    const dim3 grid((unsigned)((width + tile - 1) / tile), (unsigned)((height + tile - 1) / tile)),
        block(tile, rows);
    active_array<real> picture(std::vector<real>(3 * cells), 1, true, false),
        left(std::vector<real>(cells), 2, true, false),
        colours(random_reals(3, 3 * data.discs.size(), 0, 1), 4, false, true);
    active_array<disc> discs(data.discs, 5, false, true);
    device_array<int> ids(data.ids), from(data.from);
    const timed_run run = {"layers", (double)cells, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(layers), picture, left, summed(discs), summed(colours), ids, from, width,
                          height)
               ? 0
               : 1;
}
