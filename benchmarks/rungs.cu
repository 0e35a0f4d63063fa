/*
 * rungs.cu - times each rung of the ladder on one work: in every round, 1 to 32 lanes of each warp of a block
 * add to one record of four floats, which is drawn for the block and the round out of many, all alike or most
 * often the first ones (Zipf). The gradient of one kernel, once for each rung (GW_ACCUMULATE). Then cells that
 * all threads of a block have, or all of the grid, and records of nine floats by gw_warp_add beside an atomic
 * for each lane and value (-DGW_FEWEST_LANES=N moves its choice).
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

#include <gradwright/emitted/device.cuh>

enum { threads = 256, values = 9, stride = 16 };

/* ---- one record for the lanes of a block that add ---- */
#define SCATTER(name, rung)                                                                                    \
    GW_GRADIENT("y wrt x")                                                                                     \
    GW_ACCUMULATE(x, rung) __global__ void name(float *y, const float4 *x, const int *keys, int rounds,        \
                                                int active) {                                                  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                         \
        float sum = 0;                                                                                         \
        for (int round = 0; round < rounds; round++) {                                                         \
            int key = keys[round * gridDim.x + blockIdx.x];                                                    \
            if ((int)(threadIdx.x % 32) < active) {                                                            \
                float4 v = x[key];                                                                             \
                sum += v.x * v.y + v.z * v.w;                                                                  \
            }                                                                                                  \
        }                                                                                                      \
        y[i] = sum;                                                                                            \
    }
SCATTER(by_atomics, atomic)
SCATTER(by_vectors, vector)
SCATTER(by_warps, warp)
SCATTER(by_butterflies, warp-butterfly)
SCATTER(by_serial, warp-serial)
SCATTER(by_match, match)
SCATTER(by_blocks, grid)
SCATTER(by_slots, slots)

/* ---- one cell for the threads of a block, or of the grid ---- */
#define SCALE(name, cell, rung)                                                          \
    GW_GRADIENT("y wrt k") GW_ACCUMULATE(k, rung)                                        \
    __global__ void name(float *y, const float *x, const float *k, int n) {              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
        if (i < n) y[i] = k[cell] * x[i];                                                \
    }
SCALE(one_cell, 0, auto)
SCALE(one_cell_by_atomics, 0, atomic)
SCALE(one_cell_by_warps, 0, warp)
SCALE(one_cell_by_blocks, 0, grid)
SCALE(of_block, blockIdx.x, auto)
SCALE(of_block_by_atomics, blockIdx.x, atomic)
SCALE(of_block_by_warps, blockIdx.x, warp)
SCALE(of_block_by_blocks, blockIdx.x, grid)

#include "rungs.grad.cuh"

__host__ __device__ inline unsigned int scramble(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* The record of a round: uniform over all, or most often one of the first (about 1 / rank). */
__host__ __device__ inline unsigned int draw(unsigned int seed, unsigned int records, int zipf) {
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

static double sum_of(const std::vector<float> &all) {
    double sum = 0;
    for (float v : all) sum += v;
    return sum;
}

/* ---- each rung ---- */
struct scatter {
    int blocks, rounds, repeats;
    unsigned int records;
    std::vector<float> seeds;
    device_array<float> y, d_y, d_x;
    device_array<float4> x;
    device_array<int> drawn;

    scatter(int block_count, int round_count, unsigned int record_count, int repeat_count)
        : blocks(block_count), rounds(round_count), repeats(repeat_count), records(record_count),
          seeds((size_t)block_count * threads, 1.0f), y(seeds.size()), d_y(seeds.size()),
          d_x((size_t)record_count * 4), x(std::vector<float4>(record_count, float4{1, 1, 1, 1})),
          drawn((size_t)block_count * round_count) {}

    /* Milliseconds of one gradient; false where its sum is not that of all who add. */
    template <class G, class W> bool measure(G gradient, W workspace, int active, double &ms) {
        const dim3 grid((unsigned)blocks), block(threads);
        float *values_of = y, *seeds_of = d_y, *sums = d_x;
        const float4 *cells = x;
        const int *keys = drawn;
        const size_t bytes = workspace(grid, block, values_of, cells, keys, rounds, active);
        device_array<char> space(bytes);
        void *at = (char *)space;
        ms = median_ms(
            repeats,
            [&] {
                d_y.set(seeds);
                must(cudaMemset(d_x, 0, d_x.size() * sizeof(float)));
            },
            [&] {
                must(gradient(grid, block, (size_t)0, (cudaStream_t)0, values_of, cells, keys, rounds, active,
                              seeds_of, reinterpret_cast<float4 *>(sums), at, bytes));
            });
        const double want = 4.0 * blocks * (threads / 32) * active * rounds;
        return std::fabs(sum_of(d_x.get()) - want) <= 1e-2 * want;
    }
};

#define MEASURE(name)                                                                                          \
    holds = s.measure([](auto... a) -> gw_status { return name##_grad_launch(a...); },                         \
                      [](auto... a) -> size_t { return name##_workspace_bytes(a...); }, active, ms) &&         \
            holds;                                                                                             \
    std::printf(" %8.4f", ms)

static bool measure_rungs(scatter &s) {
    bool holds = true;
    double ms = 0;
    std::printf(
        "\n%-9s%5s %8s %8s %8s %8s %8s %8s %8s %8s  ms; %d blocks of %d threads, %d rounds, %u records\n",
        "keys", "lanes", "atomic", "vector", "warp", "butterfl", "serial", "match", "block", "slots", s.blocks,
        (int)threads, s.rounds, s.records);
    for (int zipf = 0; zipf < 2; zipf++) {
        std::vector<int> keys;
        for (size_t i = 0; i < s.drawn.size(); i++) keys.push_back((int)draw((unsigned)i, s.records, zipf));
        s.drawn.set(keys);
        for (int active : {1, 2, 4, 8, 13, 16, 24, 32}) {
            std::printf("%-9s%5d", zipf ? "Zipf" : "uniform", active);
            MEASURE(by_atomics);
            MEASURE(by_vectors);
            MEASURE(by_warps);
            MEASURE(by_butterflies);
            MEASURE(by_serial);
            MEASURE(by_match);
            MEASURE(by_blocks);
            MEASURE(by_slots);
            std::printf("\n");
        }
    }
    return check("rungs", holds ? 0 : 1, 0.5);
}

/* Both ways, and whether they add up to the same. */
static bool measure_records(unsigned int records, int zipf, int active, int blocks, int rounds, int repeats) {
    device_array<float> one((size_t)records * stride), together((size_t)records * stride);
    const size_t bytes = one.size() * sizeof(float);
    const double alone_ms = median_ms(
        repeats, [&] { must(cudaMemset(one, 0, bytes)); },
        [&] { add_records<false><<<blocks, threads>>>(one, records, zipf, active, rounds); });
    const double together_ms = median_ms(
        repeats, [&] { must(cudaMemset(together, 0, bytes)); },
        [&] { add_records<true><<<blocks, threads>>>(together, records, zipf, active, rounds); });
    const double groups = (double)blocks * threads / 32 * rounds;
    std::printf("records %u%s, %d lanes: one by one %.4f ms (%.2f G records/s), together %.4f ms (%.2f G "
                "records/s), %.2fx\n",
                records, zipf ? " (zipf)" : "", active, alone_ms, groups / alone_ms * 1e-6, together_ms,
                groups / together_ms * 1e-6, alone_ms / together_ms);
    const double want = sum_of(one.get()), have = sum_of(together.get());
    return check("sums", std::fabs(have - want) / want, 1e-2);
}

template <class P, class G>
static bool measure_cells(const char *name, P primal, G gradient, int n, int repeats) {
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    const std::vector<float> ones((size_t)n, 1.0f);
    device_array<float> y((size_t)n), x(ones), k(std::vector<float>(grid.x, 2.0f)), d_y(ones), d_k(grid.x);
    float *to = y, *factors = k, *seeds = d_y, *sums = d_k;
    const float *from = x;
    const double primal_ms = median_ms(repeats, [] {}, [&] { primal<<<grid, block>>>(to, from, factors, n); });
    const double gradient_ms = median_ms(
        repeats,
        [&] {
            d_y.set(ones);
            must(cudaMemset(d_k, 0, grid.x * sizeof(float)));
        },
        [&] {
            must(gradient(grid, block, (size_t)0, (cudaStream_t)0, to, from, (const float *)factors, n, seeds,
                          sums, (void *)nullptr, (size_t)0));
        });
    print_times(name, n, primal_ms, gradient_ms, 0);
    return check(name, std::fabs(sum_of(d_k.get()) - n) / n, 1e-3);
}
#define CELLS(name)                                                                                            \
    holds = measure_cells(                                                                                     \
                #name, name, [](auto... a) -> gw_status { return name##_grad_launch(a...); }, n, repeats) &&   \
            holds

int main(int argc, char **argv) {
    int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    bool holds = true;
    const int n = on_cpu_device ? 1000 : 1 << 24;
    CELLS(one_cell);
    CELLS(one_cell_by_atomics);
    CELLS(one_cell_by_warps);
    CELLS(one_cell_by_blocks);
    CELLS(of_block);
    CELLS(of_block_by_atomics);
    CELLS(of_block_by_warps);
    CELLS(of_block_by_blocks);
    {
        scatter s(on_cpu_device ? 2 : 1024, on_cpu_device ? 3 : 32, on_cpu_device ? 50 : 1u << 20, repeats);
        holds = measure_rungs(s) && holds;
    }
    const int blocks = on_cpu_device ? 2 : 4096, rounds = on_cpu_device ? 3 : 64;
    for (int zipf = 0; zipf < 2; zipf++)
        for (int active : {1, 2, 3, 4, 6, 8, 13, 16, 24, 32})
            holds =
                measure_records(on_cpu_device ? 50 : 1u << 20, zipf, active, blocks, rounds, repeats) && holds;
    return holds ? 0 : 1;
}
