/*
 * check.cuh - a kernel's derivatives against central differences, one line for each kernel.
 *
 *     typedef double real;
 *     BOTH("y wrt x, k") __global__ void scale(real *y, const real *x, real k, int n) {...}
 *     #include "file.grad.cuh"
 *     CHECK_KERNEL(scale, 2, 32, out(50), in(50), active(0.7), 50)
 *
 * The roles stand in the order of the kernel's parameters; their types come from its signature.
 *   out(n)      pointer, named before "wrt"                   in(n, low, high)    pointer, named after it
 *   inout(n)    pointer, named on both sides                  active(v)           by value, named after it
 *   fresh(in(n)), fresh(active(v))    the same, where the request says "fresh"
 *   fixed(n, low, high), list({...})  pointer that is not in the request          anything else: by value
 *   given(values), in_given(values)   the same and in(), with these elements of any type
 *
 * A line is a row of data (runtime/check/row.h): roles, and the functions of the kernel with the types of their
 * parameters. What checks it is compiled once, in libgwcheck, which test programs are linked with; what is
 * expected stands there. With GW_TEST_SPLIT the halves of the gradient are checked too, with GW_TEST_SECOND the
 * second derivative, with GW_TEST_DIRECTIONS several directions at once.
 *
 * CHECK_FLOAT(kernel, reference, tolerance, grid, block, roles...) checks a float kernel against the
 * differences of `reference`, the same kernel over double. CHECK_CASE(name, ...) is the same with a name of its
 * own, for several cases of one kernel.
 *
 * Rows are the host's: what parses a source for the CPU device's kernels, or for their gradients, does not see
 * them, nor does who says CHECK_NO_ROWS, and is not linked with what evaluates them.
 */
#ifndef GW_TESTS_CHECK_CUH
#define GW_TESTS_CHECK_CUH

#include "both.cuh"
#include "expect.cuh"
#include "../../runtime/check/row.h"

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

#if (defined(GW_CPU_DEVICE) && defined(__CUDA_ARCH__)) || defined(GW_READING) || defined(CHECK_NO_ROWS)
#define CHECK_ROW(...)
#else
#define CHECK_ROW(id, title, ...)                                                                              \
    static check::registration CHECK_JOIN(id##_, __LINE__)(title, [](check::trial &t) {                        \
        using namespace check;                                                                                 \
        __VA_ARGS__;                                                                                           \
    });
#endif
#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b)  CHECK_JOIN2(a, b)

namespace check {

/* ---- types ---- */
/* The places of a type's real numbers. Structs say it by CHECK_CELLS(type, first(member), ...). */
struct cell : gw_check_cell {
    constexpr cell(size_t at, size_t bytes, gw_check_number of = GW_CHECK_REAL)
        : gw_check_cell{at, bytes, of, "", 1, 0, 0, 0} {}
};
template <class T> struct cells_of {
    static constexpr size_t count = std::is_floating_point<T>::value;
    static constexpr cell all[] = {{0, sizeof(T)}};
};
#define CHECK_CELL(type, member)                                                                             \
    check::cell { offsetof(type, member), sizeof(((type *)0)->member) }
#define CHECK_CELLS(type, ...)                                                                               \
    template <> struct check::cells_of<type> {                                                               \
        static constexpr check::cell all[] = {__VA_ARGS__};                                                  \
        static constexpr size_t count = sizeof all / sizeof *all;                                            \
    };

template <class T, class = void> struct is_complete : std::false_type {};
template <class T> struct is_complete<T, decltype((void)sizeof(T))> : std::true_type {};
template <class T> constexpr gw_row_type describe();
template <class T> inline constexpr gw_row_type type_of = describe<T>();
template <class T> constexpr gw_row_type describe() {
    gw_row_type type = {};
    if constexpr (std::is_pointer<T>::value) {
        typedef typename std::remove_cv<typename std::remove_pointer<T>::type>::type element;
        type.size = sizeof(T);
        type.element = &type_of<element>;
    } else if constexpr (std::is_object<T>::value && is_complete<T>::value) {
        type.size = sizeof(T);
        type.whole = sizeof(typename std::remove_all_extents<T>::type);
        type.cells = cells_of<T>::all;
        type.cell_count = cells_of<T>::count;
        type.is_number = std::is_arithmetic<T>::value;
        type.number = cell(0, sizeof(T),
                           std::is_floating_point<T>::value  ? GW_CHECK_REAL
                           : std::is_same<T, bool>::value ? GW_CHECK_BOOL
                           : std::is_signed<T>::value     ? GW_CHECK_SIGNED
                                                          : GW_CHECK_UNSIGNED);
    }
    return type;
}

/* ---- functions ---- */
template <class... A> struct types_of {
    static constexpr const gw_row_type *all[] = {&type_of<typename std::remove_cv<A>::type>..., nullptr};
};
template <class I, class R, class... A> struct caller_of;
template <size_t... I, class R, class... A> struct caller_of<std::index_sequence<I...>, R, A...> {
    static void call(void (*function)(), void *const *values, void *result) {
        *static_cast<R *>(result) = reinterpret_cast<R (*)(A...)>(function)(*static_cast<A *>(values[I])...);
    }
};
template <class R, class... A> gw_row_function function_of(R (*of)(A...)) {
    return {reinterpret_cast<void (*)()>(of), caller_of<std::index_sequence_for<A...>, R, A...>::call,
            types_of<A...>::all, sizeof...(A)};
}
template <class... P> gw_row_function kernel_of(void (*of)(P...)) {
    return {reinterpret_cast<void (*)()>(of), nullptr, types_of<P...>::all, sizeof...(P)};
}

/* ---- roles ---- */
struct role : gw_row_role {
    role(gw_row_content what, bool is_named, bool output, size_t n, double from = 0, double to = 0)
        : gw_row_role{what, is_named, output, n, from, to, nullptr, nullptr, {}, 0} {}
    template <class T> role(const T &value) : role(GW_ROW_VALUE, false, false, 1) { hold(value); }
    template <class T> void hold(const T &value) {
        type = &type_of<T>;
        if (sizeof value > sizeof own) values = gw_row_keep(&value, sizeof value);
        else std::memcpy(own, &value, sizeof value);
    }
};
inline role in(size_t n, double low = 0.5, double high = 1.5) {
    return role(GW_ROW_RANDOM, true, false, n, low, high);
}
inline role out(size_t n) { return role(GW_ROW_RANDOM, true, true, n, -1, 1); }
inline role inout(size_t n, double low = 0.5, double high = 1.5) {
    return role(GW_ROW_RANDOM, true, true, n, low, high);
}
inline role fixed(size_t n, double low = 0.5, double high = 1.5) {
    return role(GW_ROW_RANDOM, false, false, n, low, high);
}
/* The request calls the input `fresh`. */
inline role fresh(role input) {
    input.is_fresh = 1;
    return input;
}
inline role list(const std::vector<double> &values) {
    role r(GW_ROW_LIST, false, false, values.size());
    r.values = gw_row_keep(values.data(), values.size() * sizeof(double));
    return r;
}
template <class T> role active(const T &value) {
    role r(value);
    r.named = true;
    return r;
}
/* Elements as they are given, integers and all. */
template <class T> role given(const std::vector<T> &values) {
    role r(GW_ROW_GIVEN, false, false, values.size());
    r.values = gw_row_keep(values.data(), values.size() * sizeof(T));
    r.type = &type_of<T>;
    return r;
}
template <class T> role in_given(const std::vector<T> &values) {
    role r = given(values);
    r.named = true;
    return r;
}

/* The order of threads from here on, of 0 the usual one; a GPU's is another one each time. */
inline void permute(int seed) {
#ifdef GW_CPU_DEVICE
    setenv("GW_CPU_SEED", std::to_string(seed).c_str(), 1);
#else
    (void)seed;
#endif
}

/* ---- rows ---- */
struct launch : gw_row_launch {
    launch(dim3 grid, dim3 block, size_t bytes = 0, bool measured = false)
        : gw_row_launch{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, bytes, {}, 0, measured} {}
    template <class... N> launch telling(N... numbers) const {
        launch other = *this;
        ((other.told[other.told_count++] = numbers), ...);
        return other;
    }
};

struct row_of : gw_row {
    row_of(gw_row_function primal, gw_row_function differentiated, double off, const launch &how) : gw_row{} {
        kernel = primal, reference = differentiated;
        tolerance = off, where = how;
    }
    row_of &joined(gw_row_function reverse, gw_row_function forward_mode, gw_row_function bytes,
                   gw_row_function measures = {}) {
        gradient = reverse, tangent = forward_mode, workspace = bytes, measure = measures;
        return *this;
    }
    row_of &halves(gw_row_function first, gw_row_function last, gw_row_function bytes,
                   gw_row_function measures = {}) {
        forward = first, backward = last, tape = bytes, measure_tape = measures;
        return *this;
    }
    row_of &seconds(gw_row_function derivative, gw_row_function bytes) {
        second = derivative, second_workspace = bytes;
        return *this;
    }
    row_of &several(gw_row_function at_once) {
        tangents = at_once;
        return *this;
    }
};

typedef void row_check(const gw_row *, const gw_row_test *);
inline void run_row(trial &t, row_check *check, gw_row row, std::initializer_list<role> roles) {
    gw_row_test test = {};
    test.to = &t;
    test.fail = [](void *to, const char *why) { static_cast<trial *>(to)->fail(__FILE__, __LINE__, why); };
    test.report = [](void *to, const char *what, double value) {
        static_cast<trial *>(to)->report(what, value);
    };
    test.note = [](void *to, const char *words) { static_cast<trial *>(to)->numbers += words; };
    test.is_quick = t.quick;
#ifdef GW_CPU_DEVICE
    test.orders_threads = true;
#endif
    const std::vector<gw_row_role> all(roles.begin(), roles.end());
    row.roles = all.data(), row.count = all.size();
    check(&row, &test);
}

} // namespace check

#define CHECK_NAMED(kernel, suffix) check::function_of(kernel##suffix)
/* The functions are named like the kernel. */
#define CHECK_ROW_JOINED(kernel, reference, tolerance, ...)                                                    \
    check::row_of(check::kernel_of(kernel), check::kernel_of(reference), tolerance, __VA_ARGS__)               \
        .joined(CHECK_NAMED(kernel, _grad_launch), CHECK_NAMED(kernel, _jvp_launch),                           \
                CHECK_NAMED(kernel, _workspace_bytes))
/* The instance of a template has `arguments`, which stand in round brackets. */
#define CHECK_LIST(...) __VA_ARGS__
#define CHECK_NAMED_INSTANCE(kernel, suffix, arguments) check::function_of(kernel##suffix<CHECK_LIST arguments>)
#define CHECK_ROW_INSTANCE(kernel, arguments, ...)                                                             \
    check::row_of(check::kernel_of(kernel<CHECK_LIST arguments>),                                              \
                  check::kernel_of(kernel<CHECK_LIST arguments>), 1e-8, __VA_ARGS__)                           \
        .joined(CHECK_NAMED_INSTANCE(kernel, _grad_launch, arguments),                                         \
                CHECK_NAMED_INSTANCE(kernel, _jvp_launch, arguments),                                          \
                CHECK_NAMED_INSTANCE(kernel, _workspace_bytes, arguments))
/* The kernel's tape is measured. */
#define CHECK_ROW_MEASURED(kernel, reference, ...)                                                             \
    check::row_of(check::kernel_of(kernel), check::kernel_of(reference), 1e-8, __VA_ARGS__)                    \
        .joined(CHECK_NAMED(kernel, _grad_launch), CHECK_NAMED(kernel, _jvp_launch),                           \
                CHECK_NAMED(kernel, _workspace_bytes_measured), CHECK_NAMED(kernel, _measure_launch))

#ifdef GW_TEST_SPLIT
#define CHECK_SPLIT(name, kernel, tolerance, grid, block, shared, ...)                                         \
    CHECK_ROW(split_##name, "split_" #name,                                                                    \
              check::run_row(t, gw_row_check_halves,                                                           \
                             CHECK_ROW_JOINED(kernel, kernel, tolerance, check::launch(grid, block, shared))   \
                                 .halves(CHECK_NAMED(kernel, _fwd_launch), CHECK_NAMED(kernel, _bwd_launch),   \
                                         CHECK_NAMED(kernel, _tape_bytes)),                                    \
                             {__VA_ARGS__}))
#define CHECK_MEASURED_SPLIT(kernel, grid, block, shared, ...)                                                 \
    CHECK_ROW(split_##kernel, "split_" #kernel,                                                                \
              check::run_row(t, gw_row_check_halves,                                                           \
                             CHECK_ROW_MEASURED(kernel, kernel, check::launch(grid, block, shared, true))      \
                                 .halves(CHECK_NAMED(kernel, _fwd_launch), CHECK_NAMED(kernel, _bwd_launch),   \
                                         CHECK_NAMED(kernel, _tape_bytes_measured),                            \
                                         CHECK_NAMED(kernel, _fwd_measure_launch)),                            \
                             {__VA_ARGS__}))
#define CHECK_INSTANCE_SPLIT(name, kernel, arguments, grid, block, ...)                                        \
    CHECK_ROW(split_##name, "split_" #name,                                                                    \
              check::run_row(t, gw_row_check_halves,                                                           \
                             CHECK_ROW_INSTANCE(kernel, arguments, check::launch(grid, block))                 \
                                 .halves(CHECK_NAMED_INSTANCE(kernel, _fwd_launch, arguments),                 \
                                         CHECK_NAMED_INSTANCE(kernel, _bwd_launch, arguments),                 \
                                         CHECK_NAMED_INSTANCE(kernel, _tape_bytes, arguments)),                \
                             {__VA_ARGS__}))
#else
#define CHECK_SPLIT(...)
#define CHECK_MEASURED_SPLIT(...)
#define CHECK_INSTANCE_SPLIT(...)
#endif
#ifdef GW_TEST_SECOND
#define CHECK_SECOND(name, kernel, tolerance, grid, block, shared, ...)                                        \
    CHECK_ROW(second_##name, "second_" #name,                                                                  \
              check::run_row(t, gw_row_check_second,                                                           \
                             CHECK_ROW_JOINED(kernel, kernel, tolerance, check::launch(grid, block, shared))   \
                                 .seconds(CHECK_NAMED(kernel, _hvp_launch),                                    \
                                          CHECK_NAMED(kernel, _hvp_workspace_bytes)),                          \
                             {__VA_ARGS__}))
#else
#define CHECK_SECOND(...)
#endif
#ifdef GW_TEST_DIRECTIONS
#define CHECK_DIRECTIONS(name, kernel, tolerance, grid, block, shared, ...)                                    \
    CHECK_ROW(several_##name, "several_" #name,                                                                \
              check::run_row(t, gw_row_check_directions,                                                       \
                             CHECK_ROW_JOINED(kernel, kernel, tolerance, check::launch(grid, block, shared))   \
                                 .several(CHECK_NAMED(kernel, _jvps_launch)),                                  \
                             {__VA_ARGS__}))
#else
#define CHECK_DIRECTIONS(...)
#endif
/* `shared`: bytes of dynamic shared memory for the primal. */
#define CHECK_LAUNCH(name, kernel, reference, tolerance, grid, block, shared, ...)                             \
    CHECK_JOINED(name, kernel, reference, tolerance, grid, block, shared, __VA_ARGS__)                         \
    CHECK_SPLIT(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)                                     \
    CHECK_SECOND(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)                                    \
    CHECK_DIRECTIONS(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)
#define CHECK_JOINED(name, kernel, reference, tolerance, grid, block, shared, ...)                             \
    CHECK_ROW(case_##name, #name,                                                                              \
              check::run_row(                                                                                  \
                  t, gw_row_check,                                                                             \
                  CHECK_ROW_JOINED(kernel, reference, tolerance, check::launch(grid, block, shared)),          \
                  {__VA_ARGS__}))
#define CHECK_INSTANCE_JOINED(name, kernel, arguments, grid, block, shared, ...)                               \
    CHECK_ROW(case_##name, #name,                                                                              \
              check::run_row(t, gw_row_check,                                                                  \
                             CHECK_ROW_INSTANCE(kernel, arguments, check::launch(grid, block, shared)),        \
                             {__VA_ARGS__}))
#define CHECK_INSTANCE(name, kernel, arguments, grid, block, ...)                                              \
    CHECK_INSTANCE_JOINED(name, kernel, arguments, grid, block, 0, __VA_ARGS__)                                \
    CHECK_INSTANCE_SPLIT(name, kernel, arguments, grid, block, __VA_ARGS__)
/* The launch is told numbers, (size_t)... in round brackets. */
#define CHECK_TOLD(name, kernel, reference, tolerance, grid, block, numbers, ...)                              \
    CHECK_ROW(case_##name, #name,                                                                              \
              check::run_row(t, gw_row_check,                                                                  \
                             CHECK_ROW_JOINED(kernel, reference, tolerance,                                    \
                                              check::launch(grid, block).telling numbers),                     \
                             {__VA_ARGS__}))
#define CHECK_MEASURED_JOINED(kernel, reference, grid, block, shared, ...)                                     \
    CHECK_ROW(case_##kernel, #kernel,                                                                          \
              check::run_row(t, gw_row_check,                                                                  \
                             CHECK_ROW_MEASURED(kernel, reference, check::launch(grid, block, shared)),        \
                             {__VA_ARGS__}))
#define CHECK_MEASURED(kernel, reference, grid, block, shared, ...)                                            \
    CHECK_MEASURED_JOINED(kernel, reference, grid, block, shared, __VA_ARGS__)                                 \
    CHECK_MEASURED_SPLIT(kernel, grid, block, shared, __VA_ARGS__)
#define CHECK_CASE(name, kernel, reference, tolerance, grid, block, ...)                                       \
    CHECK_LAUNCH(name, kernel, reference, tolerance, grid, block, 0, __VA_ARGS__)
#define CHECK_FLOAT(kernel, reference, tolerance, grid, block, ...)                                            \
    CHECK_CASE(kernel, kernel, reference, tolerance, grid, block, __VA_ARGS__)
#define CHECK_SHARED(kernel, grid, block, shared, ...)                                                         \
    CHECK_LAUNCH(kernel, kernel, kernel, 1e-8, grid, block, shared, __VA_ARGS__)
#define CHECK_KERNEL(kernel, grid, block, ...) CHECK_FLOAT(kernel, kernel, 1e-8, grid, block, __VA_ARGS__)

#endif
