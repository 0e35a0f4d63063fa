/*
 * embedding.cu - times the gradient of an embedding bag: each bag adds up weighted rows of a table, which its
 * list names. The keys are drawn uniformly, or most often from the first rows (about 1 / rank). The rows'
 * adjoints are added to atomically, as the cost model chooses, and by rows of each thread's own that are sorted
 * and summed (GW_ACCUMULATE(table, slots)), which gives the same bits on every run; and exactly
 * (GW_ACCUMULATE(table, exact)). Both are checked.
 *
 * Options: --bags N, --rows N, --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

enum { length = 32, quads = 16 }; /* entries of a bag; float4 of a row of the table */

__device__ inline void add_up(float4 *out, const float4 *table, const float *weight, const int *ids, int bags) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= bags * quads) return;
    const int bag = i / quads, part = i % quads;
    float4 sum = {0, 0, 0, 0};
    for (int j = 0; j < length; j++) {
        const float w = weight[bag * length + j];
        const float4 row = table[ids[bag * length + j] * quads + part];
        sum.x += w * row.x;
        sum.y += w * row.y;
        sum.z += w * row.z;
        sum.w += w * row.w;
    }
    out[i] = sum;
}

GW_GRADIENT("out wrt table")
__global__ void bag(float4 *out, const float4 *table, const float *weight, const int *ids, int bags) {
    add_up(out, table, weight, ids, bags);
}

GW_GRADIENT("out wrt table") GW_ACCUMULATE(table, slots)
__global__ void bag_in_rows(float4 *out, const float4 *table, const float *weight, const int *ids, int bags) {
    add_up(out, table, weight, ids, bags);
}

GW_GRADIENT("out wrt table")
GW_ACCUMULATE(table, exact) __global__
    void bag_exactly(float4 *out, const float4 *table, const float *weight, const int *ids, int bags) {
    add_up(out, table, weight, ids, bags);
}

#include "embedding.grad.cuh"

static bool same(const std::vector<float4> &a, const std::vector<float4> &b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(float4)) == 0;
}

static double distance(const std::vector<float4> &got, const std::vector<float4> &want) {
    double apart = 0, size = 0;
    const float *a = &got[0].x, *b = &want[0].x;
    for (size_t i = 0; i < 4 * want.size(); i++)
        apart += std::pow((double)a[i] - (double)b[i], 2), size += std::pow((double)b[i], 2);
    return std::sqrt(apart / size);
}

static std::vector<int> draw(size_t count, int rows, bool zipf) {
    numbers random(zipf ? 5 : 6);
    std::vector<int> ids;
    for (size_t i = 0; i < count; i++) {
        const double u = (double)random.next(0, 1);
        ids.push_back(std::min(rows - 1, (int)(zipf ? std::pow((double)rows, u) - 1 : u * rows)));
    }
    return ids;
}

static bool measure(bool zipf, int bags, int rows, int repeats) {
    const int n = bags * quads;
    const dim3 grid((unsigned)((n + 255) / 256)), block(256);
    const size_t cells = (size_t)rows * quads;
    device_array<float4> out((size_t)n), table(cells), d_out((size_t)n), seed((size_t)n), d_table(cells);
    device_array<float> weight(numbers(7).array((size_t)bags * length, -1, 1));
    device_array<int> ids(draw((size_t)bags * length, rows, zipf));
    {
        const std::vector<float> drawn = numbers(8).array(4 * (size_t)n, -1, 1);
        std::vector<float4> seeds((size_t)n);
        std::memcpy(seeds.data(), drawn.data(), drawn.size() * sizeof(float));
        seed.set(seeds);
    }
    const size_t bytes = bag_in_rows_workspace_bytes(grid, block, out, table, weight, ids, bags);
    const size_t exact_bytes = bag_exactly_workspace_bytes(grid, block, out, table, weight, ids, bags, cells);
    device_array<char> space(std::max(bytes, exact_bytes));
    auto clear = [&] {
        d_out.set(seed);
        must(cudaMemset(d_table, 0, cells * sizeof(float4)));
    };
    auto plain = [&] {
        must(bag_grad_launch(grid, block, 0, 0, out, table, weight, ids, bags, d_out, d_table, nullptr, 0));
    };
    auto in_rows = [&] {
        must(bag_in_rows_grad_launch(grid, block, 0, 0, out, table, weight, ids, bags, d_out, d_table, space,
                                     bytes));
    };
    auto exactly = [&] {
        must(bag_exactly_grad_launch(grid, block, 0, 0, out, table, weight, ids, bags, d_out, d_table, cells,
                                     space, exact_bytes));
    };
    const double primal = median_ms(
        repeats, [] {}, [&] { bag<<<grid, block>>>(out, table, weight, ids, bags); });
    print_times(zipf ? "embedding_zipf" : "embedding", n, primal, median_ms(repeats, clear, plain), 0, "bag");
    const std::vector<float4> want = d_table.get();
    print_times(zipf ? "embedding_zipf_slots" : "embedding_slots", n, primal,
                median_ms(repeats, clear, in_rows), (double)bytes, "bag_in_rows");
    const std::vector<float4> first = d_table.get();
    bool holds = check("sums of rows", distance(first, want), 1e-5), equal = true;
    print_times(zipf ? "embedding_zipf_exact" : "embedding_exact", n, primal,
                median_ms(repeats, clear, exactly), (double)exact_bytes, "bag_exactly");
    const std::vector<float4> exact = d_table.get();
    holds = check("exact sums", distance(exact, want), 1e-5) && holds;
    for (int run = 0; run < 3; run++) {
        clear();
        in_rows();
        equal = same(d_table.get(), first) && equal;
        clear();
        exactly();
        equal = same(d_table.get(), exact) && equal;
    }
    std::printf("%s: %s bits on every run\n", zipf ? "zipf" : "uniform", equal ? "the same" : "OTHER");
    return holds && equal;
}

int main(int argc, char **argv) {
    const int bags = (int)option(argc, argv, "--bags", on_cpu_device ? 200 : 16384),
              rows = (int)option(argc, argv, "--rows", on_cpu_device ? 300 : 100000);
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20);
    const bool uniform = measure(false, bags, rows, repeats), zipf = measure(true, bags, rows, repeats);
    return uniform && zipf ? 0 : 1;
}
