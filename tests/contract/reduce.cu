// Sums of rows by key (emitted/reduce.h): against sums on the host, for every shape of keys; equal bytes on
// every run.
#include "../support/expect.cuh"

#include <algorithm>
#include <map>

typedef double real;

GW_GRADIENT("y wrt x")
__global__ void gathered(real *y, const real *x, const int *at, int n) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = x[at[i]] * x[at[i]];
}

#include "reduce.grad.cuh"

#include <gradwright/emitted/reduce.cuh>

// ---- one reduction, beside the same on the host ----
struct shape {
    const char *keys; // how they are made
    size_t rows;
    unsigned columns;
    int contiguous;
};

template <class K> static std::vector<K> make_keys(const shape &s, bool &has_unused) {
    check::generator random{s.rows + 7};
    std::vector<K> keys(s.rows);
    const std::string how = s.keys;
    for (size_t i = 0; i < s.rows; i++) {
        const size_t r = (size_t)(random.next() >> 20);
        K key = (K)(r % 50);
        if (how == "one") key = 3;
        if (how == "own") key = (K)((s.rows - i) % 300);
        if (how == "negative") key = (K)(r % 21) - 10;
        if (how == "few of many") key = (K)(r % 4 ? 17 : r % 97); // three of four rows are one cell's
        if (how == "runs") key = (K)(i / 40 % 300);
        if (how == "tiles") key = (K)(i / 32);
        if (how == "few in runs" || how == "runs and gaps" || how == "few left") key = (K)(i / 37) - 100;
        if (how == "own and gaps") key = (K)(i / 2) * 2 / 32;
        const bool gap = how == "runs and gaps" || how == "own and gaps" ? i / 90 % 3 == 1 || r % 5 == 0
                         : how == "few left"                             ? r % 400 != 0
                                                                         : how == "few in runs" && r % 4 != 0;
        keys[i] = key;
        if ((how == "holes" && r % 3 == 0) || how == "none" || gap)
            std::memset(&keys[i], GW_REDUCE_UNUSED, sizeof(K)), has_unused = true;
    }
    return keys;
}

enum { CELLS = 600, MIDDLE = 300 };

template <class K, class V>
static std::vector<V> reduce(check::trial &trial, const shape &s, const std::vector<K> &keys,
                             const std::vector<V> &values) {
    // column c's cell of key k is at (MIDDLE + k) * columns + c
    check::array<V> cells(std::vector<V>(CELLS * s.columns, V(0.25)));
    const gw_reduction r = {s.rows, sizeof(K), sizeof(V), s.columns, s.contiguous};
    const size_t bytes = gw_reduce_bytes(&r);
    check::device_bytes memory(bytes);
    memory.fill(0xa5);
    std::vector<gw_reduce_column> columns;
    for (unsigned c = 0; c < s.columns; c++)
        columns.push_back({cells.data() + MIDDLE * s.columns + c, (ptrdiff_t)(s.columns * sizeof(V))});
    if (s.rows) {
        check::cuda_ok(cudaMemcpy(memory.data(), keys.data(), s.rows * sizeof(K), cudaMemcpyHostToDevice));
        check::cuda_ok(cudaMemcpy((char *)memory.data() + gw_reduce_values_at(&r), values.data(),
                                  values.size() * sizeof(V), cudaMemcpyHostToDevice));
    }
    EXPECT_STATUS(gw_reduce_by_key(&r, columns.data(), memory.data(), bytes, nullptr), GW_OK);
    EXPECT_DEVICE_OK();
    return cells.get();
}

template <class K, class V> static void try_shape(check::trial &trial, const shape &s) {
    bool has_unused = false;
    const std::vector<K> keys = make_keys<K>(s, has_unused);
    std::vector<V> values(s.rows * s.columns);
    check::generator random{11};
    for (V &v : values) v = (V)random.uniform(-1, 1);
    std::vector<double> want(CELLS * s.columns, 0.25), size(CELLS * s.columns, 1);
    K unused;
    std::memset(&unused, GW_REDUCE_UNUSED, sizeof unused);
    for (unsigned c = 0; c < s.columns; c++)
        for (size_t i = 0; i < s.rows; i++) {
            const double v = (double)values[i * s.columns + c];
            if (keys[i] == unused) continue;
            const size_t at = (size_t)(MIDDLE + (int)keys[i]) * s.columns + c;
            want[at] += v, size[at] += std::fabs(v);
        }
    const std::vector<V> got = reduce<K, V>(trial, s, keys, values);
    bool near = true;
    for (size_t i = 0; i < got.size(); i++)
        near = near && std::fabs((double)got[i] - want[i]) <= (sizeof(V) == 4 ? 2e-6 : 1e-14) * size[i];
    EXPECT(near);
    for (int again = 0; again < 2; again++) EXPECT((reduce<K, V>(trial, s, keys, values)) == got);
}

static const size_t lengths[] = {1, 31, 32, 33, 64, 65, 700, 1024, 1025, 9000};

#define SHAPES(name, K, V, keys, columns, contiguous)                                                          \
    TEST(name) {                                                                                               \
        for (size_t rows : lengths)                                                                            \
            try_shape<K, V>(trial, {keys, rows, columns, contiguous});                                         \
    }
SHAPES(uniform_keys, int32_t, float, "uniform", 1, false)
SHAPES(one_key, int32_t, float, "one", 1, false)
SHAPES(one_key_of_doubles, int32_t, double, "one", 2, true)
SHAPES(own_keys, int32_t, double, "own", 1, false)
SHAPES(negative_keys, int32_t, float, "negative", 1, false)
SHAPES(wide_keys, int64_t, float, "negative", 3, false)
SHAPES(wide_keys_of_doubles, int64_t, double, "few of many", 1, false)
SHAPES(crowded_keys, int32_t, float, "few of many", 2, false)
SHAPES(runs, int32_t, float, "runs", 1, true)
SHAPES(runs_that_are_sorted, int32_t, float, "runs", 1, false)
SHAPES(whole_tiles, int32_t, double, "tiles", 1, true)
SHAPES(unused_rows, int32_t, float, "holes", 9, false)
SHAPES(unused_wide_rows, int64_t, double, "holes", 1, false)
SHAPES(nothing_but_unused_rows, int32_t, float, "none", 1, false)
SHAPES(most_columns, int32_t, float, "uniform", GW_REDUCE_COLUMNS, false)

// Rows that nobody has used stand between those of one key, also in front of all, behind all, and for whole
// tiles.
SHAPES(unused_rows_in_runs, int32_t, float, "few in runs", 1, true)
SHAPES(gaps_in_runs, int32_t, double, "runs and gaps", 2, true)
SHAPES(gaps_in_wide_runs, int64_t, float, "runs and gaps", 1, true)
SHAPES(few_left_of_runs, int32_t, float, "few left", 1, true)
SHAPES(nothing_but_unused_rows_unsorted, int32_t, float, "none", 1, true)
SHAPES(ascending_runs, int32_t, float, "runs", 1, GW_REDUCE_ASCENDING)
SHAPES(ascending_tiles, int32_t, double, "tiles", 1, GW_REDUCE_ASCENDING)
SHAPES(ascending_one, int32_t, float, "one", 3, GW_REDUCE_ASCENDING)
SHAPES(ascending_gaps, int32_t, float, "runs and gaps", 9, GW_REDUCE_ASCENDING)
SHAPES(ascending_pairs, int32_t, double, "own and gaps", 1, GW_REDUCE_ASCENDING)
SHAPES(ascending_wide_gaps, int64_t, double, "few in runs", 1, GW_REDUCE_ASCENDING)
SHAPES(ascending_few_left, int64_t, float, "few left", 2, GW_REDUCE_ASCENDING)
SHAPES(ascending_nothing, int32_t, float, "none", 1, GW_REDUCE_ASCENDING)

// ---- what is no reduction ----
TEST(no_rows) {
    const gw_reduction r = {0, 4, 4, 1, 0};
    const gw_reduce_column column = {nullptr, 4};
    EXPECT(gw_reduce_bytes(&r) == 0);
    EXPECT_STATUS(gw_reduce_by_key(&r, &column, nullptr, 0, nullptr), GW_OK);
}

TEST(illegal_reductions) {
    const gw_reduction list[] = {{(size_t)1 << 32, 4, 4, 1, 0},
                                 {9, 2, 4, 1, 0},
                                 {9, 4, 2, 1, 0},
                                 {9, 4, 4, 0, 0},
                                 {9, 4, 4, GW_REDUCE_COLUMNS + 1, 0}};
    const gw_reduce_column column = {nullptr, 4};
    for (const gw_reduction &r : list) {
        EXPECT(gw_reduce_bytes(&r) == SIZE_MAX);
        EXPECT_STATUS(gw_reduce_by_key(&r, &column, nullptr, 0, nullptr), GW_ERROR_ARGUMENT);
    }
}

TEST(too_little_memory) {
    const gw_reduction r = {100, 4, 4, 1, 0};
    const gw_reduce_column column = {nullptr, 4};
    const size_t bytes = gw_reduce_bytes(&r);
    check::device_bytes memory(bytes + 16);
    EXPECT_STATUS(gw_reduce_by_key(&r, &column, memory.data(), bytes - 1, nullptr), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(gw_reduce_by_key(&r, &column, nullptr, bytes, nullptr), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(gw_reduce_by_key(&r, &column, (char *)memory.data() + 4, bytes, nullptr), GW_ERROR_WORKSPACE);
}

TEST_MAIN
