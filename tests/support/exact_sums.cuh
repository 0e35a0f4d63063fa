/*
 * exact_sums.cuh - runs the kernels of tests/contract/exact_sums.py: gradients whose sums are exact, in many
 * orders of threads and blocks and in several shapes, against the bits that rational arithmetic gives.
 */
#ifndef GW_TESTS_EXACT_SUMS_CUH
#define GW_TESTS_EXACT_SUMS_CUH

#include "check.cuh"

#include <gradwright/emitted/exact_table.cuh>

#include <cinttypes>
#include <cstring>
#include <type_traits>

namespace exact_sums {

template <class I, size_t N> std::vector<I> list(const I (&of)[N]) { return {of, of + N}; }

typedef std::vector<uint64_t> bits;
struct table {
    bits w, d_y, before;
    std::vector<int> first, list;
    bits cut, told, counted;
    bits held, shared; // held: before, of what is summed up in shared memory
};

template <class T> using word = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <class C, class T> std::vector<C> cells_of(const bits &from, size_t count) {
    std::vector<C> to(count);
    for (size_t i = 0; i < count * sizeof(C) / sizeof(T); i++) {
        const word<T> one = (word<T>)from[i];
        std::memcpy((char *)to.data() + i * sizeof one, &one, sizeof one);
    }
    return to;
}
template <class T, class C> bits bits_of(const std::vector<C> &from) {
    bits to(from.size() * sizeof(C) / sizeof(T));
    for (size_t i = 0; i < to.size(); i++) {
        word<T> one;
        std::memcpy(&one, (const char *)from.data() + i * sizeof one, sizeof one);
        to[i] = one;
    }
    return to;
}

inline void expect_bits(check::trial &trial, const bits &got, const bits &want) {
    for (size_t i = 0; i < want.size() && got != want; i++) {
        if (got[i] == want[i]) continue;
        char text[128];
        std::snprintf(text, sizeof text, "number %zu: %" PRIx64 ", not %" PRIx64, i, got[i], want[i]);
        trial.fail(__FILE__, __LINE__, text);
        return;
    }
}

enum { ORDERS = 101 };
static const dim3 shapes[][2] = {{dim3(3), dim3(128)}, {dim3(7), dim3(33)}, {dim3(1), dim3(1)}};

template <class T> std::vector<T *> places_in(T *array, size_t count) {
    std::vector<T *> places(count);
    for (size_t i = 0; i < count; i++)
        places[i] = array + i;
    return places;
}

/* C: what the adjoint's cells are, T: the numbers in them. run(grid, block, y, cells, w, d_y, d_cells, space,
 * bytes) launches the gradient, size(grid, block, y, cells, w) says what it takes. */
template <class C, class T, class R, class S>
void check_bits(check::trial &trial, const table &t, const bits &before, size_t cells, const bits &want, R run,
                S size) {
    const size_t rows = t.d_y.size();
    check::array<T> y{std::vector<T>(rows)}, w(cells_of<T, T>(t.w, t.w.size()));
    check::array<C> x(cells_of<C, T>(before, cells));
    for (const dim3 *shape : {shapes[0], shapes[1], shapes[2]}) {
        check::device_bytes space(size(shape[0], shape[1], y, x, w));
        for (int order = 0; order < ORDERS; order++) {
            check::array<T> d_y(cells_of<T, T>(t.d_y, rows));
            check::array<C> d_x(cells_of<C, T>(before, cells));
            check::permute(order);
            space.fill(37 * order);
            EXPECT_STATUS(run(shape[0], shape[1], y, x, w, d_y, d_x, space.data(), space.size()), GW_OK);
            EXPECT(check::device_ok());
            expect_bits(trial, bits_of<T>(d_x.get()), want);
        }
    }
    check::permute(0);
}

} // namespace exact_sums

#define EXACT_SUMS(T, of, cells, groups)                                                                       \
    TEST(cut_of_##of) {                                                                                        \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list);                                                                       \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.cut,                                                               \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                return cut_##T##_grad_launch(g, b, 0, 0, y, x, w, list, n, d_y, d_x, space, bytes);            \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w) {                                                            \
                return cut_##T##_workspace_bytes(g, b, y, x, w, list, n);                                      \
            });                                                                                                \
    }                                                                                                          \
    TEST(told_of_##of) {                                                                                       \
        typedef pair_of_##T pair;                                                                              \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list);                                                                       \
        exact_sums::check_bits<pair, T>(                                                                       \
            trial, of, of.before, cells, of.told,                                                              \
            [&](dim3 g, dim3 b, T *y, pair *x, T *w, T *d_y, pair *d_x, void *space, size_t bytes) {           \
                return told_##T##_grad_launch(g, b, 0, 0, y, x, w, list, n, d_y, d_x, cells, space, bytes);    \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, pair *x, T *w) {                                                         \
                return told_##T##_workspace_bytes(g, b, y, x, w, list, n, cells);                              \
            });                                                                                                \
    }                                                                                                          \
    TEST(counted_of_##of) {                                                                                    \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                return counted_##T##_grad_launch(g, b, 0, 0, y, x, w, list, first, n, d_y, d_x, cells, space,  \
                                                 bytes);                                                       \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w) {                                                            \
                return counted_##T##_workspace_bytes(g, b, y, x, w, list, first, n, cells);                    \
            });                                                                                                \
    }                                                                                                          \
    TEST(shared_of_##of) {                                                                                     \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list);                                                                       \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.held, 2 * cells * groups, of.shared,                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                return shared_##T##_grad_launch(g, b, 0, 0, y, x, w, list, n, d_y, d_x, space, bytes);         \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w) {                                                            \
                return shared_##T##_workspace_bytes(g, b, y, x, w, list, n);                                   \
            });                                                                                                \
    }                                                                                                          \
    TEST(halves_of_##of) {                                                                                     \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                check::device_bytes tape(halves_##T##_tape_bytes<0>(g, b, y, x, w, list, first, n));           \
                const gw_status status =                                                                       \
                    halves_##T##_fwd_launch<0>(g, b, 0, 0, y, x, w, list, first, n, tape.data(), tape.size()); \
                return status ? status                                                                         \
                              : halves_##T##_bwd_launch<0>(g, b, 0, 0, y, x, w, list, first, n, d_y, d_x,      \
                                                           cells, tape.data(), tape.size(), space, bytes);     \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w) {                                                            \
                return halves_##T##_bwd_workspace_bytes<0>(g, b, y, x, w, list, first, n, cells);              \
            });                                                                                                \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                check::device_bytes tape(halves_##T##_tape_bytes<1>(g, b, y, x, w, list, first, n));           \
                const gw_status status =                                                                       \
                    halves_##T##_fwd_launch<1>(g, b, 0, 0, y, x, w, list, first, n, tape.data(), tape.size()); \
                return status ? status                                                                         \
                              : halves_##T##_bwd_launch<1>(g, b, 0, 0, y, x, w, list, first, n, d_y, d_x,      \
                                                           tape.data(), tape.size(), space, bytes);            \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *x, T *w) {                                                            \
                return halves_##T##_bwd_workspace_bytes<1>(g, b, y, x, w, list, first, n);                     \
            });                                                                                                \
    }                                                                                                          \
    TEST(pointed_of_##of) {                                                                                    \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                check::array<layer_of_##T> l({{x}}), d_l({{d_x}});                                             \
                return pointed_##T##_grad_launch(g, b, 0, 0, y, l, w, list, first, n, d_y, d_l, cells, space,  \
                                                 bytes);                                                       \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *, T *w) {                                                             \
                return pointed_##T##_workspace_bytes(g, b, y, nullptr, w, list, first, n, cells);              \
            });                                                                                                \
    }                                                                                                          \
    TEST(rows_of_##of) {                                                                                       \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                check::array<T *> rows(exact_sums::places_in(x, cells)),                                       \
                    d_rows(exact_sums::places_in(d_x, cells));                                                 \
                return rows_##T##_grad_launch(g, b, 0, 0, y, rows_of_##T{rows}, w, list, first, n, d_y,        \
                                              rows_of_##T{d_rows}, cells, space, bytes);                       \
            },                                                                                                 \
            [&](dim3 g, dim3 b, T *y, T *, T *w) {                                                             \
                return rows_##T##_workspace_bytes(g, b, y, rows_of_##T{}, w, list, first, n, cells);           \
            });                                                                                                \
    }                                                                                                          \
    TEST(called_of_##of) {                                                                                     \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *y, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                 \
                gw_exact_column<T> sums;                                                                       \
                const gw_status status = gw_exact_begin(&sums, d_x, cells, space, bytes, nullptr);             \
                if (status == GW_OK) call_##T<<<g, b>>>(y, x, w, list, first, n, d_y, d_x, sums);              \
                return status ? status : gw_exact_sum("called", nullptr, sums);                                \
            },                                                                                                 \
            [&](dim3, dim3, T *, T *, T *) { return gw_exact_column_bytes<T>(cells); });                       \
    }                                                                                                          \
    TEST(called_with_pointers_of_##of) {                                                                       \
        const int n = (int)of.d_y.size();                                                                      \
        check::array<int> list(of.list), first(of.first);                                                      \
        exact_sums::check_bits<T, T>(                                                                          \
            trial, of, of.before, cells, of.counted,                                                           \
            [&](dim3 g, dim3 b, T *, T *x, T *w, T *d_y, T *d_x, void *space, size_t bytes) {                  \
                check::array<layer_of_##T> l({{x}}), d_l({{d_x}});                                             \
                gw_exact_table<T> sums;                                                                        \
                const gw_status status = gw_exact_begin(&sums, cells, space, bytes, nullptr);                  \
                if (status == GW_OK) call_pointed_##T<<<g, b>>>(l, w, list, first, n, d_y, d_l, sums);         \
                return status ? status : gw_exact_sum("called", nullptr, sums);                                \
            },                                                                                                 \
            [&](dim3, dim3, T *, T *, T *) { return gw_exact_table_bytes<T>(cells); });                        \
    }

#endif
