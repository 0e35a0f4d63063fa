/*
 * rungs.cu - times additions of a warp to records of nine neighbouring floats in global memory: 1 to 32 lanes of each warp
 * have something to add to one record, which is the same for the lanes of a warp and drawn for each warp out of many (or
 * few): by an atomic for each lane and value, and summed over the warp first (gw_warp_add, whose choice by the number of
 * lanes -DGW_FEWEST_LANES=N moves). Then the gradient of a factor, one cell for all threads of the grid.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

#include <gradwright/device.cuh>

enum { threads = 256, values = 9, stride = 16 };

__device__ inline unsigned int scramble(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* The record of a round: uniform over all, or most often one of the first (about 1 / rank). */
__device__ inline unsigned int draw(unsigned int seed, unsigned int records, int zipf) {
    const unsigned int x = scramble(seed);
    if (!zipf) return x % records;
    return (unsigned int)powf((float)records, (float)(x >> 8) * (1.0f / 16777216.0f)) - 1;
}

template <bool TOGETHER>
__global__ void add_records(float *to, unsigned int records, int zipf, int active, int rounds) {
    const unsigned int lanes = gw_present_lanes();
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const bool adds = (int)(threadIdx.x % 32) < active;
    for (int round = 0; round < rounds; round++) {
        float *cell = to + (size_t)stride * draw(thread / 32 + 77777u * (unsigned int)round, records, zipf);
        const float v = adds ? 1.0f + (float)(thread & 3) : 0.0f;
        if (TOGETHER) {
            gw_warp_add(lanes, adds, gw_cells(cell, v, 2 * v, 3 * v, v, 2 * v, 3 * v, v, 2 * v, 3 * v));
        } else if (adds) {
            for (int k = 0; k < values; k++) gw_atomic_add(cell + k, (float)(k % 3 + 1) * v);
        }
    }
}

/* All threads add into d_k. */
GW_GRADIENT("y wrt k")
__global__ void scale(float *y, const float *x, float k, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = k * x[i];
}

#include "rungs.grad.cuh"

static double sum_of(const std::vector<float> &all) {
    double sum = 0;
    for (float v : all) sum += v;
    return sum;
}

/* Both ways, and whether they add up to the same. */
static bool measure_records(unsigned int records, int zipf, int active, int blocks, int rounds, int repeats) {
    device_array<float> one((size_t)records * stride), together((size_t)records * stride);
    const size_t bytes = one.size() * sizeof(float);
    const double alone_ms = median_ms(repeats, [&] { must(cudaMemset(one, 0, bytes)); }, [&] { add_records<false><<<blocks, threads>>>(one, records, zipf, active, rounds); });
    const double together_ms = median_ms(repeats, [&] { must(cudaMemset(together, 0, bytes)); }, [&] { add_records<true><<<blocks, threads>>>(together, records, zipf, active, rounds); });
    const double groups = (double)blocks * threads / 32 * rounds;
    std::printf("records %u%s, %d lanes: one by one %.4f ms (%.2f G records/s), together %.4f ms (%.2f G records/s), %.2fx\n", records,
                zipf ? " (zipf)" : "", active, alone_ms, groups / alone_ms * 1e-6, together_ms, groups / together_ms * 1e-6,
                alone_ms / together_ms);
    const double want = sum_of(one.get()), have = sum_of(together.get());
    return check("sums", std::fabs(have - want) / want, 1e-2);
}

static bool measure_one_cell(int n, int repeats) {
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    const std::vector<float> ones((size_t)n, 1.0f);
    device_array<float> y((size_t)n), x(ones), d_y(ones), d_k(1), start(ones);
    const double primal = median_ms(repeats, [] {}, [&] { scale<<<grid, block>>>(y, x, 2.0f, n); });
    const double gradient = median_ms(
        repeats,
        [&] {
            d_y.set(start);
            must(cudaMemset(d_k, 0, sizeof(float)));
        },
        [&] { must(scale_grad_launch(grid, block, 0, 0, y, x, 2.0f, n, d_y, d_k, nullptr, 0)); });
    print_times("one_cell", n, primal, gradient, 0);
    return check("one cell", std::fabs(sum_of(d_k.get()) - n) / n, 1e-3);
}

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    const int blocks = on_cpu_device ? 2 : 4096, rounds = on_cpu_device ? 3 : 64;
    bool holds = true;
    for (int zipf = 0; zipf < 2; zipf++)
        for (int active : {1, 2, 3, 4, 6, 8, 13, 16, 24, 32})
            holds = measure_records(on_cpu_device ? 50 : 1u << 20, zipf, active, blocks, rounds, repeats) && holds;
    return measure_one_cell(on_cpu_device ? 1000 : 1 << 24, repeats) && holds ? 0 : 1;
}
