/*
 * workload.cuh - what the benchmarks of real kernels share: data of any type, the check of a gradient against
 * the forward derivative, and the timed run. `real` is the including file's.
 *
 * With seeds s of the outputs and a direction v of the inputs, <s, tangents of the outputs> = <adjoints of the
 * inputs, v> to rounding. Arrays of structs are looked at as arrays of their reals; what else is in a struct
 * has a zero adjoint.
 */
#ifndef GW_BENCHMARKS_WORKLOAD_CUH
#define GW_BENCHMARKS_WORKLOAD_CUH

#include "../../examples/support/measure.cuh"

#include <tuple>
#include <type_traits>

inline std::vector<real> random_reals(uint64_t seed, size_t count, double low, double high) {
    numbers random(seed);
    std::vector<real> values(count);
    for (real &v : values) v = random.next(low, high);
    return values;
}

/* An array of the primal with room for its adjoint and its tangent. */
template <class T> struct active_array {
    device_array<T> value, start;
    device_array<real> seed, direction, adjoint;

    /* `seeded`: an output; its adjoint begins as random numbers. `moved`: an input. */
    active_array(const std::vector<T> &values, uint64_t random, bool seeded, bool moved)
        : value(values), start(values), seed(reals(random, seeded)), direction(reals(random + 1000, moved)),
          adjoint(count()) {}
    size_t count() const { return value.size() * sizeof(T) / sizeof(real); }
    void refill() {
        value.set(start);
        adjoint.set(seed);
    }
    T *d() const { return reinterpret_cast<T *>(static_cast<real *>(adjoint)); }
    T *t() const { return reinterpret_cast<T *>(static_cast<real *>(direction)); }

private:
    std::vector<real> reals(uint64_t random, bool any) const {
        return any ? random_reals(random, count(), -1, 1) : std::vector<real>(count());
    }
};

/* A number of the primal that is active. */
template <class T> struct active_number {
    T value;
    active_array<T> cell;
    active_number(T number, uint64_t random)
        : value(number), cell(std::vector<T>{number}, random, false, true) {}
};

/* Adds up both sides; `seeds`, `adjoints` and `directions` of one array, with its tangents after the forward
 * run. */
class dot_product {
public:
    template <class T> void before_forward(const active_array<T> &a) {
        std::vector<real> adjoint = a.adjoint.get(), direction = a.direction.get();
        for (size_t i = 0; i < adjoint.size(); i++)
            if (adjoint[i] != 0) add(reverse, (double)adjoint[i] * direction[i]);
    }
    template <class T> void after_forward(const active_array<T> &a) {
        std::vector<real> seed = a.seed.get(), tangent = a.direction.get();
        for (size_t i = 0; i < seed.size(); i++)
            if (seed[i] != 0) add(forward, (double)seed[i] * tangent[i]);
    }
    bool holds(const char *name, double tolerance) const {
        double error = std::fabs(forward - reverse) / (size > 0 ? size : NAN);
        std::printf("%s: forward mode %.9g, reverse mode %.9g\n", name, forward, reverse);
        return check("forward against reverse mode", error * std::sqrt(terms), tolerance);
    }

private:
    double forward = 0, reverse = 0, size = 0, terms = 0;
    void add(double &sum, double term) {
        sum += term;
        size += std::fabs(term);
        terms++;
    }
};

/* Times and checks one kernel. `primal`, `gradient` and `forward` launch it, `arrays` are its active ones. */
template <class P, class G, class F, class... A>
bool measure_workload(const char *name, const char *kernel, double threads, int repeats, double tolerance,
                      size_t workspace, P primal, G gradient, F forward, A &...arrays) {
    const auto alone = [](auto work) {
        const turn_at_device turn;
        work();
        must(cudaDeviceSynchronize());
    };
    (arrays.refill(), ...);
    alone(gradient);
    dot_product product;
    (arrays.value.set(arrays.start), ...);
    (product.before_forward(arrays), ...);
    alone(forward);
    (product.after_forward(arrays), ...);
    auto refill = [&] { (arrays.refill(), ...); };
    double plain = median_ms(repeats, refill, primal), reversed = median_ms(repeats, refill, gradient);
    print_times(name, threads, plain, reversed, (double)workspace, kernel);
    return product.holds(name, tolerance);
}

/* ---- a kernel in whatever form its gradient was emitted ---- */

/* An array to whose adjoint threads add by indices that the launch's arguments do not bound: where the sums are
 * exact, the launch takes how many cells it has. */
template <class T> struct summed_array { active_array<T> &of; };
template <class T> summed_array<T> summed(active_array<T> &of) { return {of}; }

/* What an argument of the primal is in a launch, and what it adds to the launches of its derivatives. */
struct passive_argument {
    std::tuple<> adjoint() const { return {}; }
    std::tuple<> tangent() const { return {}; }
    std::tuple<> cells() const { return {}; }
    std::tuple<> active() const { return {}; }
};
template <class T> struct argument : passive_argument { /* a number, or a struct of numbers */
    T of;
    argument(const T &number) : of(number) {}
    T value() const { return of; }
};
template <class T> struct argument<device_array<T>> : passive_argument {
    T *of;
    argument(const device_array<T> &array) : of(array) {}
    T *value() const { return of; }
};
template <class T> struct argument<active_array<T>> {
    active_array<T> &of;
    argument(active_array<T> &array) : of(array) {}
    T *value() const { return of.value; }
    std::tuple<T *> adjoint() const { return {of.d()}; }
    std::tuple<T *> tangent() const { return {of.t()}; }
    std::tuple<> cells() const { return {}; }
    std::tuple<active_array<T> &> active() const { return {of}; }
};
template <class T> struct argument<summed_array<T>> : argument<active_array<T>> {
    argument(const summed_array<T> &array) : argument<active_array<T>>(array.of) {}
    std::tuple<size_t> cells() const { return {this->of.value.size()}; }
};
template <class T> struct argument<active_number<T>> {
    active_number<T> &of;
    argument(active_number<T> &number) : of(number) {}
    T value() const { return of.value; }
    std::tuple<T *> adjoint() const { return {of.cell.d()}; }
    std::tuple<T> tangent() const { return {of.cell.direction.get()[0]}; }
    std::tuple<> cells() const { return {}; }
    std::tuple<active_array<T> &> active() const { return {of.cell}; }
};

/* The functions that bear a kernel's name. Where the host bounds no tape, the size is measured. */
template <class P, class G, class B, class M, class N, class F> struct kernel_functions {
    const char *name;
    P primal;
    G gradient;
    B bytes;
    M measure;
    N measured;
    F forward;
};
template <class P, class G, class B, class M, class N, class F>
kernel_functions<P, G, B, M, N, F> functions_of(const char *name, P primal, G gradient, B bytes, M measure,
                                                N measured, F forward) {
    return {name, primal, gradient, bytes, measure, measured, forward};
}
#define KERNEL(k)                                                                                              \
    functions_of(                                                                                              \
        #k, [](dim3 grid, dim3 block, auto... a) { k<<<grid, block>>>(a...); },                                \
        [](auto... a) -> decltype(k##_grad_launch(a...)) { return k##_grad_launch(a...); },                    \
        [](auto... a) -> decltype(k##_workspace_bytes(a...)) { return k##_workspace_bytes(a...); },            \
        [](auto... a) -> decltype(k##_measure_launch(a...)) { return k##_measure_launch(a...); },              \
        [](auto... a) { return k##_workspace_bytes_measured(a...); },                                          \
        [](auto... a) -> decltype(k##_jvp_launch(a...)) { return k##_jvp_launch(a...); })

template <class F, class T> struct takes;
template <class F, class... A> struct takes<F, std::tuple<A...>> : std::is_invocable<F, A...> {};

/* `cells` are left out where the function takes none. */
template <class F, class A, class C, class E>
auto call_with(F f, const A &before, const C &cells, const E &end) {
    auto without = std::tuple_cat(before, end);
    auto with = std::tuple_cat(before, cells, end);
    if constexpr (takes<F, decltype(without)>::value)
        return std::apply(f, without);
    else
        return std::apply(f, with); /* an error here: other arrays are summed() than those of this form */
}

/* Bytes of the workspace. */
template <class K, class S, class L, class P, class C>
size_t bytes_of(const K &k, const S &shape, const L &launch, const P &primals, const C &cells) {
    using sizes = std::tuple<gw_sizes *>;
    if constexpr (takes<decltype(k.measure), decltype(std::tuple_cat(launch, primals, sizes()))>::value) {
        device_array<gw_sizes> found(1);
        must(std::apply(k.measure, std::tuple_cat(launch, primals, sizes(found))));
        return k.measured((const gw_sizes *)found, (cudaStream_t) nullptr);
    } else
        return call_with(k.bytes, std::tuple_cat(shape, primals), cells, std::tuple<>());
}

struct timed_run {
    const char *name;
    double threads;
    int repeats;
    double tolerance;
    dim3 grid, block;
};

/* For the memory that is left; a form with rows may take many times what the arrays do. */
inline bool is_too_large(size_t bytes) {
    size_t left = 0, all = 0;
    if (on_cpu_device) return bytes > (size_t)1 << 30;
    must(cudaMemGetInfo(&left, &all));
    return bytes > left;
}

/* Arguments of the primal: active arrays, others, and numbers. */
template <class K, class... A> bool measure_arguments(const timed_run &r, const K &k, const A &...arguments) {
    const auto shape = std::make_tuple(r.grid, r.block);
    const auto launch = std::make_tuple(r.grid, r.block, (size_t)0, (cudaStream_t) nullptr);
    const auto primals = std::make_tuple(arguments.value()...);
    const auto cells = std::tuple_cat(arguments.cells()...);
    const size_t bytes = bytes_of(k, shape, launch, primals, cells);
    if (is_too_large(bytes)) {
        std::printf("too large %s: workspace %.1f bytes/thread kernel %s\n", r.name, (double)bytes / r.threads,
                    k.name);
        return true;
    }
    device_array<char> space(bytes);
    const auto workspace = std::make_tuple((void *)(bytes ? (char *)space : nullptr), bytes);
    const auto reverse = std::tuple_cat(launch, primals, arguments.adjoint()...);
    const auto forward = std::tuple_cat(launch, primals, arguments.tangent()...);
    return std::apply(
        [&](auto &...active) {
            return measure_workload(
                r.name, k.name, r.threads, r.repeats, r.tolerance, bytes,
                [&] { std::apply(k.primal, std::tuple_cat(shape, primals)); },
                [&] { must(call_with(k.gradient, reverse, cells, workspace)); },
                [&] { must(std::apply(k.forward, forward)); }, active...);
        },
        std::tuple_cat(arguments.active()...));
}
template <class K, class... A> bool measure_kernel(const timed_run &r, const K &k, A &&...arguments) {
    return measure_arguments(r, k, argument<std::decay_t<A>>(arguments)...);
}

/* A backward pass written by hand, after the generated gradient, which the dot product has shown right. */
template <class R>
bool time_by_hand(const char *name, int repeats, double tolerance, const active_array<real> &of,
                         const R &run) {
    const std::vector<real> want = of.adjoint.get();
    run();
    must(cudaDeviceSynchronize());
    const std::vector<real> got = of.adjoint.get();
    double error = 0, size = 0;
    for (size_t i = 0; i < want.size(); i++)
        error = std::fmax(error, std::fabs(want[i] - got[i])), size = std::fmax(size, std::fabs(want[i]));
    std::printf("by hand: %s %.4f ms\n", name,
                median_ms(
                    repeats, [] {}, run));
    return check("by hand against generated", error / size, tolerance);
}

#endif
