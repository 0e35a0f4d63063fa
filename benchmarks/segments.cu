/*
 * segments.cu - times the gradient of a look-up by a sorted list of segments, out[i] = weight[i] *
 * table[ids[i]]: what is added to a segment are sums over a stretch of the list. The segments are of one length
 * or so, or a few have most of the entries. The adjoints of the table are added to atomically; in rows of each
 * thread's own that are sorted and summed (GW_ACCUMULATE(table, slots)); and in rows that stand in the order of
 * the list, which GW_SORTED says is that of the keys, so that nothing is sorted; and exactly. Rows and exact
 * sums give the same bits on every run; that is checked.
 *
 * Options: --entries N, --segments N, --repeats N
 */
#include <gradwright/gradwright.h>

#include "../examples/support/measure.cuh"

#define LOOK_UP(name, type, product)                                                                           \
    __global__ void name(type *out, const type *table, const float *weight, const int *ids, int n) {           \
        const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);                                            \
        if (i >= n) return;                                                                                    \
        const float w = weight[i];                                                                             \
        const type row = table[ids[i]];                                                                        \
        out[i] = product;                                                                                      \
    }
#define ONE w *row
#define FOUR make_float4(w * row.x, w * row.y, w * row.z, w * row.w)

GW_GRADIENT("out wrt table")
LOOK_UP(atomically, float, ONE)
GW_GRADIENT("out wrt table")
GW_ACCUMULATE(table, slots) LOOK_UP(sorting, float, ONE) GW_GRADIENT("out wrt table")
    GW_ACCUMULATE(table, slots) GW_SORTED(ids) LOOK_UP(standing, float, ONE) GW_GRADIENT("out wrt table")
        GW_ACCUMULATE(table, exact) LOOK_UP(exactly, float, ONE) GW_GRADIENT("out wrt table")
            LOOK_UP(atomically_4, float4, FOUR) GW_GRADIENT("out wrt table") GW_ACCUMULATE(table, slots)
                LOOK_UP(sorting_4, float4, FOUR) GW_GRADIENT("out wrt table") GW_ACCUMULATE(table, slots)
                    GW_SORTED(ids) LOOK_UP(standing_4, float4, FOUR) GW_GRADIENT("out wrt table")
                        GW_ACCUMULATE(table, exact) LOOK_UP(exactly_4, float4, FOUR)

#include "segments.grad.cuh"

    /* Entries of the list, in order: as many of each segment as chance has it, or about 1 / (rank + 1) of them.
     */
    static std::vector<int> draw(int entries, int segments, bool uneven) {
    numbers random(uneven ? 5 : 6);
    std::vector<int> ids((size_t)entries);
    for (int &id : ids) {
        const double u = (double)random.next(0, 1);
        id = std::min(segments - 1, (int)(uneven ? std::pow((double)segments, u) - 1 : u * segments));
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

static double distance(const std::vector<float> &got, const std::vector<float> &want) {
    double apart = 0, size = 0;
    for (size_t i = 0; i < want.size(); i++)
        apart += std::pow((double)got[i] - (double)want[i], 2), size += std::pow((double)want[i], 2);
    return std::sqrt(apart / size);
}

/* A launch by its name, and how many bytes of workspace it takes. */
#define GRADIENT(name, ...)                                                                                    \
    [&] {                                                                                                      \
        return name##_workspace_bytes(grid, block, (cell *)out_at, (const cell *)table_at, weight, ids,        \
                                      n __VA_OPT__(, ) __VA_ARGS__);                                           \
    },                                                                                                         \
        [&](void *space, size_t bytes) {                                                                       \
            must(name##_grad_launch(grid, block, 0, 0, (cell *)out_at, (const cell *)table_at, weight, ids, n, \
                                    (cell *)d_out_at, (cell *)d_table_at __VA_OPT__(, ) __VA_ARGS__, space,    \
                                    bytes));                                                                   \
        }

struct bench {
    int entries, segments, repeats;
    bool uneven;
};

template <class cell, class P, class A, class B, class C, class D, class E, class F, class G, class H>
static bool measure(const bench &s, const char *name, P primal, A, B atomically, C sorting_bytes, D sorting,
                    E standing_bytes, F standing, G exact_bytes, H exactly, device_array<float> &d_out,
                    const device_array<float> &seed, device_array<float> &d_table) {
    const size_t bytes = sorting_bytes(), less = standing_bytes(), most = exact_bytes(),
                 cells = (size_t)s.segments * sizeof(cell) / sizeof(float);
    device_array<char> space(std::max({bytes, less, most}));
    auto clear = [&] {
        d_out.set(seed);
        must(cudaMemset(d_table, 0, cells * sizeof(float)));
    };
    auto title = [&](const char *how) {
        static char text[64];
        std::snprintf(text, sizeof text, "segments%s%s%s", name, s.uneven ? "_uneven" : "", how);
        return text;
    };
    const char *const of_four = sizeof(cell) > sizeof(float) ? "_4" : "";
    auto kernel = [&](const char *way) {
        static char text[64];
        std::snprintf(text, sizeof text, "%s%s", way, of_four);
        return text;
    };
    const double once = median_ms(s.repeats, [] {}, primal);
    print_times(title(""), s.entries, once, median_ms(s.repeats, clear, [&] { atomically(nullptr, 0); }), 0,
                kernel("atomically"));
    const std::vector<float> want = d_table.get();
    print_times(title("_sort"), s.entries, once, median_ms(s.repeats, clear, [&] { sorting(space, bytes); }),
                (double)bytes, kernel("sorting"));
    bool holds = check("sorted rows", distance(d_table.get(), want), 1e-5), equal = true;
    print_times(title("_no_sort"), s.entries, once, median_ms(s.repeats, clear, [&] { standing(space, less); }),
                (double)less, kernel("standing"));
    const std::vector<float> first = d_table.get();
    holds = check("rows as they stand", distance(first, want), 1e-5) && holds;
    print_times(title("_exact"), s.entries, once, median_ms(s.repeats, clear, [&] { exactly(space, most); }),
                (double)most, kernel("exactly"));
    const std::vector<float> exact = d_table.get();
    holds = check("exact sums", distance(exact, want), 1e-5) && holds;
    for (int run = 0; run < 3; run++) {
        clear();
        standing(space, less);
        equal = d_table.get() == first && equal;
        clear();
        exactly(space, most);
        equal = d_table.get() == exact && equal;
    }
    std::printf("%s bits on every run\n", equal ? "the same" : "OTHER");
    return holds && equal;
}

static bool measure_all(const bench &s) {
    const int n = s.entries;
    const dim3 grid((unsigned)((n + 255) / 256)), block(256);
    device_array<float> out(4 * (size_t)n), d_out(4 * (size_t)n), seed(numbers(8).array(4 * (size_t)n, -1, 1));
    device_array<float> table(numbers(9).array(4 * (size_t)s.segments, -1, 1)), d_table(4 * (size_t)s.segments),
        weight(numbers(7).array((size_t)n, -1, 1));
    device_array<int> ids(draw(n, s.segments, s.uneven));
    float *out_at = out, *table_at = table, *d_out_at = d_out, *d_table_at = d_table;
    bool good = true;
    {
        typedef float cell;
        good = measure<cell>(
            s, "", [&] { atomically<<<grid, block>>>(out_at, table_at, weight, ids, n); }, GRADIENT(atomically),
            GRADIENT(sorting), GRADIENT(standing), GRADIENT(exactly, (size_t)s.segments), d_out, seed, d_table);
    }
    {
        typedef float4 cell;
        good =
            measure<cell>(
                s, "_4",
                [&] { atomically_4<<<grid, block>>>((cell *)out_at, (const cell *)table_at, weight, ids, n); },
                GRADIENT(atomically_4), GRADIENT(sorting_4), GRADIENT(standing_4),
                GRADIENT(exactly_4, (size_t)s.segments), d_out, seed, d_table) &&
            good;
    }
    return good;
}

int main(int argc, char **argv) {
    bench s = {(int)option(argc, argv, "--entries", on_cpu_device ? 6000 : 1 << 23),
               (int)option(argc, argv, "--segments", on_cpu_device ? 200 : 1 << 18),
               (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 20), false};
    const bool even = measure_all(s);
    s.uneven = true;
    const bool uneven = measure_all(s);
    return even && uneven ? 0 : 1;
}
