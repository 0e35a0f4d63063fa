/*
 * scatter.cu - what bounds scattered additions, in two shapes:
 *   records  lanes of a warp each read a record of 12 neighbouring doubles, drawn out of many, and add 12
 * doubles to its adjoint, as the table lookup does: each lane its own, one after the other; or transposed
 * through shared memory, so that neighbouring lanes write neighbours, by the lanes that have a record, or by
 * all rows     each block adds to a row of 1,024 floats that all blocks share, as the gains of a layer norm
 * are; to one row, or to several in turn (whose sum would be one more kernel) Then the gradient of a sum of
 * records as it is emitted.
 *
 * Options: --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

#include <gradwright/emitted/device.cuh>

enum { threads = 256, values = 12, room = 4, width = 1024 };

__device__ inline unsigned int scramble(unsigned int x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

enum way { NOTHING, ALONE, TOGETHER, BY_ALL };

struct transposed {
    double value[room][values];
    double *to[room];
};

/* Records of `here`, each in a lane of its own, by the lanes of `helpers`, `room` records at a time. */
__device__ inline void add_transposed(transposed *s, unsigned int here, unsigned int helpers, bool mine,
                                      double *to, const double *value) {
    const unsigned int below = (1u << gw_lane()) - 1, count = (unsigned int)__popc(here),
                       of = (unsigned int)__popc(helpers);
    const unsigned int rank = (unsigned int)__popc(here & below),
                       number = (unsigned int)__popc(helpers & below);
    for (unsigned int first = 0; first < count; first += room) {
        const unsigned int turn = rank - first;
        if (mine && rank >= first && turn < room) {
#pragma unroll
            for (int k = 0; k < values; k++) s->value[turn][k] = value[k];
            s->to[turn] = to;
        }
        __syncwarp(helpers);
        const unsigned int items = (count - first < room ? count - first : room) * values;
        for (unsigned int item = number; item < items; item += of)
            gw_atomic_add(s->to[item / values] + item % values, s->value[item / values][item % values]);
        __syncwarp(helpers);
    }
}

template <way WAY>
__global__ void add_records(double *to, const double *from, unsigned int records, int active, int rounds,
                            double *kept) {
    __shared__ transposed shared[threads / 32];
    transposed *mine = &shared[threadIdx.x / 32];
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x, lanes = gw_present_lanes();
    const bool adds = (int)(scramble(thread) % 32) < active;
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        const size_t at = (size_t)values * (scramble(thread + 7777777u * (unsigned int)round) % records);
        double v[values];
#pragma unroll
        for (int k = 0; k < values; k++) v[k] = adds ? from[at + k] : 0.0;
        if (WAY == NOTHING) {
#pragma unroll
            for (int k = 0; k < values; k++) sum += v[k];
        } else if (WAY == ALONE && adds) {
#pragma unroll
            for (int k = 0; k < values; k++) gw_atomic_add(to + at + k, v[k]);
        } else if (WAY == TOGETHER && adds) {
            const unsigned int here = __activemask();
            add_transposed(mine, here, here, true, to + at, v);
        } else if (WAY == BY_ALL) {
            add_transposed(mine, __ballot_sync(lanes, adds), lanes, adds, to + at, v);
        }
    }
    if (WAY == NOTHING && sum == -1) *kept = sum;
}

__global__ void add_rows(float *to, unsigned int copies) {
    float *row = to + (size_t)width * (blockIdx.x % copies);
    for (unsigned int k = threadIdx.x; k < width; k += threads) gw_atomic_add(row + k, 1.0f + (float)(k % 3));
}

/* The gradient of such sums. */
struct twelve {
    double of[values];
};
GW_GRADIENT("y wrt x")
__global__ void sum_of_records(double *y, const twelve *x, const int *list, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < values; k++) sum += x[list[i]].of[k] * x[list[i]].of[k];
    y[i] = sum;
}

#include "scatter.grad.cuh"

static double sum_of(const std::vector<double> &all) {
    double sum = 0;
    for (double v : all) sum += v;
    return sum;
}

template <way WAY>
static double time_records(device_array<double> &to, device_array<double> &from, unsigned int records,
                           int active, int blocks, int rounds, int repeats) {
    device_array<double> kept(1);
    const size_t bytes = to.size() * sizeof(double);
    return median_ms(
        repeats, [&] { must(cudaMemset(to, 0, bytes)); },
        [&] { add_records<WAY><<<blocks, threads>>>(to, from, records, active, rounds, kept); });
}

static bool measure_records(unsigned int records, int active, int blocks, int rounds, int repeats) {
    const size_t cells = (size_t)records * values;
    device_array<double> from(std::vector<double>(cells, 0.5)), alone(cells), together(cells), by_all(cells);
    const double nothing_ms = time_records<NOTHING>(alone, from, records, active, blocks, rounds, repeats);
    const double alone_ms = time_records<ALONE>(alone, from, records, active, blocks, rounds, repeats);
    const double together_ms = time_records<TOGETHER>(together, from, records, active, blocks, rounds, repeats);
    const double by_all_ms = time_records<BY_ALL>(by_all, from, records, active, blocks, rounds, repeats);
    const double groups = (double)blocks * threads * active / 32 * rounds;
    std::printf("records %u, %d lanes of 32: read only %.4f ms, one by one %.4f ms (%.2f G records/s), "
                "transposed by those lanes %.4f ms (%.2f), "
                "by all %.4f ms (%.2f)\n",
                records, active, nothing_ms, alone_ms, groups / alone_ms * 1e-6, together_ms,
                groups / together_ms * 1e-6, by_all_ms, groups / by_all_ms * 1e-6);
    const double want = sum_of(alone.get());
    return check("transposed", std::fabs(sum_of(together.get()) - want) / want, 1e-9) &&
           check("by all", std::fabs(sum_of(by_all.get()) - want) / want, 1e-9);
}

static bool measure_rows(unsigned int copies, int blocks, int repeats) {
    device_array<float> to((size_t)width * copies);
    const double ms = median_ms(
        repeats, [&] { must(cudaMemset(to, 0, width * copies * sizeof(float))); },
        [&] { add_rows<<<blocks, threads>>>(to, copies); });
    double sum = 0;
    for (float v : to.get()) sum += v;
    const double want = (double)blocks * (width + width - 1); /* 342 times 1 and 341 times 2 and 3 */
    std::printf("rows: %d blocks add %d floats to %u rows: %.4f ms (%.2f G sectors/s)\n", blocks, (int)width,
                copies, ms, (double)blocks * width / 8 / ms * 1e-6);
    return check("rows", std::fabs(sum - want) / want, 1e-3);
}

static bool measure_sum(int n, int records, int repeats) {
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    std::vector<int> at((size_t)n);
    unsigned long long state = 1;
    for (int &k : at)
        k = (int)((state = state * 6364136223846793005ull + 1442695040888963407ull) >> 33) % records;
    const std::vector<double> ones((size_t)n, 1.0);
    device_array<double> y((size_t)n), d_y(ones), start(ones);
    device_array<twelve> x((size_t)records), d_x((size_t)records);
    device_array<int> list(at);
    const double primal = median_ms(repeats, [] {}, [&] { sum_of_records<<<grid, block>>>(y, x, list, n); });
    const double gradient = median_ms(
        repeats, [&] { d_y.set(start); },
        [&] { must(sum_of_records_grad_launch(grid, block, 0, 0, y, x, list, n, d_y, d_x, nullptr, 0)); });
    print_times("sum_of_records", n, primal, gradient, 0);
    return true;
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 10);
    const unsigned int records = on_cpu_device ? 50 : 2000000;
    bool holds = true;
    for (int active : {2, 4, 8, 16, 32})
        holds = measure_records(records, active, on_cpu_device ? 2 : 4096, on_cpu_device ? 3 : 32, repeats) &&
                holds;
    for (unsigned int copies : {1, 2, 4, 8, 16, 32, 128})
        holds = measure_rows(copies, on_cpu_device ? 128 : 16384, repeats) && holds;
    return measure_sum(on_cpu_device ? 1000 : 1 << 24, (int)records, repeats) && holds ? 0 : 1;
}
