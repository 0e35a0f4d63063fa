/*
 * exact.cu - times additions to long accumulators (emitted/exact.cuh) beside atomic ones, to 1,000, 100,000
 * and 9 million cells drawn by each thread, of floats and doubles. In the lines NAME, "primal" is by
 * gw_atomic_add and "gradient" by gw_exact_add; in those of NAME_round, "primal" is clearing the accumulators
 * and "gradient" rounding them. Every sum must be the host's, to the bit.
 *
 * Options: --repeats N
 */
#include "../examples/support/measure.cuh"

#include <gradwright/emitted/exact.cuh>

#include <string>

enum { threads = 256 };

template <class T> __global__ void add_atomically(T *sums, const int *cells, const float *values, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) gw_atomic_add(&sums[cells[i]], (T)values[i]);
}

template <class T>
__global__ void add_exactly(gw_exact<T> *sums, const int *cells, const float *values, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) gw_exact_add(&sums[cells[i]], (T)values[i]);
}

/* Multiples of 2^-24 between -1 and 1, of which a double holds the sum of 2^28. */
struct additions {
    std::vector<int> cells;
    std::vector<float> values;
    std::vector<double> sums;

    additions(int count, int n) : cells((size_t)n), values((size_t)n), sums((size_t)count, 0) {
        uint64_t state = 1;
        for (size_t i = 0; i < cells.size(); i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            cells[i] = (int)((state >> 33) % (uint64_t)count);
            state = state * 6364136223846793005u + 1442695040888963407u;
            values[i] = (float)((int)(state >> 39) - (1 << 24)) / (float)(1 << 24);
            sums[(size_t)cells[i]] += values[i];
        }
    }
};

template <class T> static bool measure(const char *name, const additions &all, int repeats) {
    const int n = (int)all.cells.size();
    const size_t count = all.sums.size(), bytes = gw_exact_bytes<T>(count);
    const dim3 grid((unsigned)((n + threads - 1) / threads)), block(threads);
    device_array<int> cells(all.cells);
    device_array<float> values(all.values);
    device_array<T> sums(count);
    device_array<gw_exact<T>> exact(count);
    auto clear = [&] { must(gw_exact_clear<T>(name, exact, count, nullptr)); };
    auto clear_sums = [&] { must(cudaMemset(sums, 0, count * sizeof(T))); };
    const double atomically =
        median_ms(repeats, clear_sums, [&] { add_atomically<T><<<grid, block>>>(sums, cells, values, n); });
    const double exactly =
        median_ms(repeats, clear, [&] { add_exactly<T><<<grid, block>>>(exact, cells, values, n); });
    print_times(name, n, atomically, exactly, (double)bytes);
    const double rounding = median_ms(repeats, clear_sums, [&] {
        must(gw_exact_sum(name, nullptr, gw_exact_column<T>{sums, exact, count}));
    });
    const std::vector<T> got = sums.get();
    const double clearing = median_ms(repeats, [] {}, clear);
    print_times((std::string(name) + "_round").c_str(), (double)count, clearing, rounding, (double)bytes);
    for (size_t i = 0; i < count; i++)
        if (got[i] != (T)all.sums[i]) return false;
    return true;
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const int n = on_cpu_device ? 2000 : 9000000;
    bool holds = true;
    for (int count : {1000, 100000, 9000000}) {
        const std::string name = "_" + std::to_string(count);
        const additions all(on_cpu_device ? std::min(count, 3000) : count, n);
        holds &= measure<float>(("float" + name).c_str(), all, repeats);
        holds &= measure<double>(("double" + name).c_str(), all, repeats);
    }
    std::printf(holds ? "every number is right\n" : "WRONG numbers\n");
    return holds ? 0 : 1;
}
