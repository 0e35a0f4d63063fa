/*
 * exact.cuh - runs the cases of tests/contract/exact.py: additions of emitted/exact.cuh, a thread each, in
 * any order and grid, against the bits that rational arithmetic gives.
 */
#ifndef GW_TESTS_EXACT_CUH
#define GW_TESTS_EXACT_CUH

#include "expect.cuh"

#include <gradwright/emitted/exact.cuh>

#include <cinttypes>
#include <type_traits>

namespace exact {

template <class I, size_t N> std::vector<I> list(const I (&of)[N]) { return {of, of + N}; }

typedef std::vector<uint64_t> bits;
template <class T> using word = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T> struct table {
    std::vector<int> cells; // of each addition
    bits values;
    bits also, want, alone; // of each cell
    bits raw_also, raw_want, raw_alone, raw_words;
};

template <class T> std::vector<T> numbers_of(const bits &from) {
    std::vector<T> to(from.size());
    for (size_t i = 0; i < from.size(); i++) {
        const word<T> one = (word<T>)from[i];
        std::memcpy(&to[i], &one, sizeof one);
    }
    return to;
}
template <class T> bits bits_of(const std::vector<T> &from) {
    bits to(from.size());
    for (size_t i = 0; i < from.size(); i++) {
        word<T> one;
        std::memcpy(&one, &from[i], sizeof one);
        to[i] = one;
    }
    return to;
}

// ---- on the device ----
template <class T> __global__ void add(gw_exact<T> *sums, const int *cells, const T *values, int n) {
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int i = (block * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (i < n) gw_exact_add(&sums[cells[i]], values[i]);
}
template <class T> __global__ void round_alone(const gw_exact<T> *sums, T *to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = gw_exact_round(sums[i]);
}

/* Accumulators, cleared; `to` is what the adjoint holds. */
template <class T> struct sums_of {
    check::device_bytes sums;
    check::array<T> to;
    size_t count;

    sums_of(check::trial &trial, const bits &also)
        : sums(gw_exact_bytes<T>(also.size())), to(numbers_of<T>(also)), count(also.size()) {
        sums.fill(0xa5);
        EXPECT_STATUS(gw_exact_clear("test", data(), count, nullptr), GW_OK);
    }
    gw_exact<T> *data() const { return static_cast<gw_exact<T> *>(sums.data()); }
    gw_exact_column<T> column() const { return {to, data(), count}; }
    bits alone() const {
        check::array<T> out(std::vector<T>(count, T(0)));
        round_alone<<<(unsigned)(count / 64 + 1), 64>>>(data(), out.data(), (int)count);
        return bits_of(out.get());
    }
    bits added() const { return bits_of(to.get()); }
};

template <class T>
void add_all(const sums_of<T> &into, const std::vector<int> &cells, const bits &values, dim3 grid, dim3 block) {
    check::array<int> where(cells);
    check::array<T> what(numbers_of<T>(values));
    add<<<grid, block>>>(into.data(), where.data(), what.data(), (int)cells.size());
    check::device_ok();
}

inline dim3 row_of_blocks(size_t threads) { return dim3((unsigned)(threads / 128 + 1)); }

// ---- what is tested ----
inline void expect_bits(check::trial &trial, const char *what, const bits &got, const bits &want) {
    if (got.size() != want.size()) trial.fail(__FILE__, __LINE__, std::string(what) + ": other lengths");
    for (size_t i = 0; i < got.size() && i < want.size(); i++) {
        if (got[i] == want[i]) continue;
        char text[128];
        std::snprintf(text, sizeof text, "%s of cell %zu: %" PRIx64 ", not %" PRIx64, what, i, got[i], want[i]);
        trial.fail(__FILE__, __LINE__, text);
    }
    trial.report(what, (double)got.size());
}

/* Both columns by one call. */
inline void rational(check::trial &trial, const table<float> &f, const table<double> &d) {
    sums_of<float> floats(trial, f.also);
    sums_of<double> doubles(trial, d.also);
    add_all(floats, f.cells, f.values, row_of_blocks(f.cells.size()), dim3(128));
    add_all(doubles, d.cells, d.values, row_of_blocks(d.cells.size()), dim3(128));
    expect_bits(trial, "float_alone", floats.alone(), f.alone);
    expect_bits(trial, "double_alone", doubles.alone(), d.alone);
    EXPECT_STATUS(gw_exact_sum("test", nullptr, floats.column(), doubles.column()), GW_OK);
    expect_bits(trial, "float", floats.added(), f.want);
    expect_bits(trial, "double", doubles.added(), d.want);
}

/* As many additions as there may be: nobody makes these here, but words hold what they would. */
template <class T> void full(check::trial &trial, const table<T> &t) {
    sums_of<T> into(trial, t.raw_also);
    const size_t digits = t.raw_words.size() / into.count;
    std::vector<gw_exact<T>> words(into.count);
    for (size_t i = 0; i < into.count; i++) {
        std::memset(&words[i], 0, sizeof words[i]);
        for (size_t k = 0; k < digits; k++) words[i].gw_word[k] = t.raw_words[i * digits + k];
    }
    into.sums.put(words.data());
    expect_bits(trial, "alone", into.alone(), t.raw_alone);
    EXPECT_STATUS(gw_exact_sum("test", nullptr, into.column()), GW_OK);
    expect_bits(trial, "full", into.added(), t.raw_want);
}

/* The same additions in other orders, by a row of blocks and by a plane of others. */
template <class T> void orders(check::trial &trial, const table<T> &t) {
    std::vector<int> cells = t.cells;
    bits values = t.values;
    check::generator random{3};
    for (int turn = 0; turn < 100; turn++) {
        for (size_t i = cells.size(); i > 1; i--) {
            const size_t j = (size_t)(random.next() % i);
            std::swap(cells[i - 1], cells[j]), std::swap(values[i - 1], values[j]);
        }
        sums_of<T> into(trial, t.also);
        if (turn % 2) add_all(into, cells, values, row_of_blocks(cells.size()), dim3(128));
        else add_all(into, cells, values, dim3((unsigned)(cells.size() / 288 + 1), 3), dim3(48, 2));
        EXPECT_STATUS(gw_exact_sum("test", nullptr, into.column()), GW_OK);
        EXPECT(into.added() == t.want);
    }
}

inline void sizes(check::trial &trial) {
    EXPECT(gw_exact_bytes<float>(3) == 3 * 80 && gw_exact_bytes<double>(3) == 3 * 544);
    EXPECT(gw_exact_bytes<float>(0) == 0 && gw_exact_bytes<float>(SIZE_MAX / 80) == SIZE_MAX / 80 * 80);
    EXPECT(gw_exact_bytes<float>(SIZE_MAX / 80 + 1) == SIZE_MAX);
    /* additions are counted where there may be too many */
    auto counted = [](unsigned long long additions, dim3 grid, dim3 block) {
        return gw_exact_of<float>(3, 2, additions, grid, block).gw_counted;
    };
    EXPECT(!counted(0, dim3(1 << 30), dim3(1024)) && !counted(GW_EXACT_ADDITIONS, dim3(1), dim3(1)));
    EXPECT(counted(GW_EXACT_ADDITIONS + 1ull, dim3(1), dim3(1)) && counted(1ull << 30, dim3(2), dim3(1)));
    EXPECT(!counted((1ull << 30) - 1, dim3(2), dim3(1)) && counted(~0ull, dim3(4), dim3(64)));
    EXPECT(gw_exact_of<float>(3, 2, 1, dim3(1), dim3(1)).gw_length == 6);
    EXPECT(gw_exact_of<float>(SIZE_MAX, 2, 1, dim3(1), dim3(1)).gw_length == SIZE_MAX);
    EXPECT(gw_exact_bytes<double>(SIZE_MAX) == SIZE_MAX);
    EXPECT_STATUS(gw_exact_sum("test", nullptr, gw_exact_column<float>{nullptr, nullptr, 0}), GW_OK);
}

} // namespace exact

#define EXACT_TESTS(floats, doubles)                          \
    TEST(rational) { exact::rational(trial, floats, doubles); } \
    TEST(full_of_floats) { exact::full(trial, floats); }      \
    TEST(full_of_doubles) { exact::full(trial, doubles); }    \
    TEST(orders_of_floats) { exact::orders(trial, floats); }  \
    TEST(orders_of_doubles) { exact::orders(trial, doubles); } \
    TEST(sizes) { exact::sizes(trial); }

#endif
