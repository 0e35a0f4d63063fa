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
 *   fixed(n, low, high), list({...})  pointer that is not in the request          anything else: by value
 *   given(values), in_given(values)   the same and in(), with these elements of any type
 *
 * What is expected is one rule for all of them, the meaning of a reverse sweep: with the adjoints `s` on
 * entry and L = sum over all named parameters of s * (value on exit), the adjoint on exit is dL/d(value on
 * entry). So an overwritten output's adjoint is 0, an untouched cell's is kept, an input's is added to.
 * L is differentiated in double by the five-point formula: error h^4, about 1e-11 relative here.
 * Beside that: the primal's bytes are as they were, a second launch on refilled seeds gives the same again,
 * and the workspace is exactly as large as asked for and starts as garbage.
 *
 * The forward derivative is checked likewise: with a random direction v of all named parameters, the values on
 * exit are those of the primal, and the tangents on exit are the difference quotient of the values on exit
 * along v. Both ways together must keep <s, tangents on exit> = <adjoints on exit, v>, to rounding.
 *
 * With GW_TEST_SECOND the second derivative too: what f_hvp leaves of the gradient is the gradient, and its
 * tangent the difference quotient of gradients along the directions of values and seeds. With
 * GW_TEST_DIRECTIONS several directions at once: each of them, a multiple of v, gives that multiple of what the
 * one direction gives.
 *
 * CHECK_FLOAT(kernel, reference, tolerance, grid, block, roles...) checks a float kernel against the
 * differences of `reference`, the same kernel over double. CHECK_CASE(name, ...) is the same with a name of its
 * own, for several cases of one kernel.
 */
#ifndef GW_TESTS_CHECK_CUH
#define GW_TESTS_CHECK_CUH

#include "expect.cuh"

#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <utility>

#define JOINED(request) GW_GRADIENT(request) GW_DERIVATIVE(request)
#ifdef GW_TEST_SECOND
#define BOTH(request) JOINED(request) GW_HVP(request)
#define JOINED_COARSE(request, n) BOTH(request) GW_COARSEN(n)
#elif defined(GW_TEST_DIRECTIONS)
#define BOTH(request) JOINED(request) GW_DERIVATIVES(4, request)
#define JOINED_COARSE(request, n) BOTH(request) GW_COARSEN(n)
#elif defined(GW_TEST_SPLIT)
#define BOTH(request) JOINED(request) GW_SPLIT_GRADIENT(request)
#define JOINED_COARSE(request, n) BOTH(request) // its halves need a tape, which coarsened ones do not read
#else
#define BOTH(request) JOINED(request)
#define JOINED_COARSE(request, n) JOINED(request) GW_COARSEN(n)
#endif

namespace check {

/* Where the real numbers of a type lie. Structs say it by CHECK_CELLS(type, first(member), ...). */
struct cell {
    size_t offset, size;
};
template <class T> struct cells_of {
    static const std::vector<cell> &all() {
        static const std::vector<cell> here =
            std::is_floating_point<T>::value ? std::vector<cell>{{0, sizeof(T)}} : std::vector<cell>{};
        return here;
    }
};
#define CHECK_CELL(type, member)                                                                             \
    check::cell { offsetof(type, member), sizeof(((type *)0)->member) }
#define CHECK_CELLS(type, ...)                                                                               \
    template <> struct check::cells_of<type> {                                                               \
        static const std::vector<check::cell> &all() {                                                       \
            static const std::vector<check::cell> here = {__VA_ARGS__};                                      \
            return here;                                                                                     \
        }                                                                                                    \
    };

inline double get_real(const unsigned char *at, size_t size) {
    if (size == sizeof(float)) {
        float value;
        std::memcpy(&value, at, size);
        return value;
    }
    double value;
    std::memcpy(&value, at, size);
    return value;
}
inline void set_real(unsigned char *at, size_t size, double value) {
    float narrow = (float)value;
    if (size == sizeof(float)) std::memcpy(at, &narrow, size);
    else std::memcpy(at, &value, size);
}

/* One argument of the kernel: its bytes on entry, its seeds, and its memory on the device. */
struct argument {
    std::vector<unsigned char> entry;
    size_t element = 1;
    const std::vector<cell> *cells = nullptr;
    std::vector<double> seed; /* empty: not in the request */
    std::vector<double> direction;
    bool input_only = false;
    device_bytes primal{0}, adjoint{0}, tangent{0}, adjoint_tangent{0}; /* the last two: second derivatives */
    device_bytes blocks{0}; /* tangents in several directions */
    size_t whole = 1; /* what stands once for each direction: a number, a struct */

    size_t count() const { return seed.size(); }
    const cell &cell_at(size_t i) const { return (*cells)[i % cells->size()]; }
    unsigned char *place(std::vector<unsigned char> &bytes, size_t i) const {
        return bytes.data() + i / cells->size() * element + cell_at(i).offset;
    }
    double value(size_t i) { return get_real(place(entry, i), cell_at(i).size); }
    void set_value(size_t i, double v) { set_real(place(entry, i), cell_at(i).size, v); }
    std::vector<double> read(const device_bytes &from) {
        std::vector<unsigned char> bytes(entry.size());
        from.get(bytes.data());
        std::vector<double> values(count());
        for (size_t i = 0; i < count(); i++) values[i] = get_real(place(bytes, i), cell_at(i).size);
        return values;
    }
    std::vector<unsigned char> with(const std::vector<double> &values) const {
        std::vector<unsigned char> bytes(entry.size());
        for (size_t i = 0; i < count(); i++) set_real(place(bytes, i), cell_at(i).size, values[i]);
        return bytes;
    }
    void write_seeds() { adjoint.put(with(seed).data()); }
};

/* ---- roles ---- */
struct role {
    size_t n;
    double low, high;
    std::vector<double> values; /* list(): what the array holds */
    bool output;
};
struct active_role : role {};
struct passive_role : role {};
template <class T> struct active_value {
    T value;
};
inline active_role in(size_t n, double low = 0.5, double high = 1.5) { return {{n, low, high, {}, false}}; }
inline active_role out(size_t n) { return {{n, -1, 1, {}, true}}; }
inline active_role inout(size_t n, double low = 0.5, double high = 1.5) { return {{n, low, high, {}, true}}; }
inline passive_role fixed(size_t n, double low = 0.5, double high = 1.5) { return {{n, low, high, {}, false}}; }
inline passive_role list(std::vector<double> values) { return {{values.size(), 0, 0, values, false}}; }
template <class T> active_value<T> active(T value) { return {value}; }

/* The order of threads from here on, of 0 the usual one; a GPU's is another one each time. */
inline void permute(int seed) {
#ifdef GW_CPU_DEVICE
    setenv("GW_CPU_SEED", std::to_string(seed).c_str(), 1);
#else
    (void)seed;
#endif
}

/* Elements as they are given, integers and all. */
template <class T> struct passive_elements {
    std::vector<T> values;
};
template <class T> struct active_elements : passive_elements<T> {};
template <class T> passive_elements<T> given(std::vector<T> values) { return {values}; }
template <class T> active_elements<T> in_given(std::vector<T> values) { return {{values}}; }

template <class R> struct is_active : std::is_base_of<active_role, R> {};
template <class T> struct is_active<active_value<T>> : std::true_type {};
template <class T> struct is_active<active_elements<T>> : std::true_type {};

/* Several directions, powers of 2 times the one. */
inline constexpr double directions[] = {1, -2, 0.5, 4};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

inline void add_seeds(argument &a, size_t elements, generator &random) {
    a.seed.resize(elements * a.cells->size());
    for (double &s : a.seed) s = random.uniform(0.25, 1.75) * (random.next() & 1 ? 1 : -1);
    generator other{random.state}; /* the primal's numbers are as they would be without a direction */
    for (size_t i = 0; i < a.seed.size(); i++) a.direction.push_back(other.uniform(-1.5, 1.5));
    a.adjoint = device_bytes(a.entry.size());
#ifdef GW_TEST_SECOND
    a.tangent = device_bytes(a.entry.size()), a.adjoint_tangent = device_bytes(a.entry.size());
#endif
}

/* P: the kernel's parameter type. Real members get random numbers, all others 0 (structs) or an integer. */
template <class P> argument make(const role &r, bool named, generator &random) {
    typedef typename std::remove_cv<typename std::remove_pointer<P>::type>::type T;
    static_assert(std::is_pointer<P>::value, "this role belongs to a pointer parameter");
    argument a;
    a.element = sizeof(T);
    a.whole = sizeof(typename std::remove_all_extents<T>::type);
    a.entry.assign(r.n * sizeof(T), 0);
    a.cells = &cells_of<T>::all();
    for (size_t i = 0; i < r.n * a.cells->size(); i++)
        a.set_value(i, r.values.empty() ? random.uniform(r.low, r.high) : r.values[i]);
    if constexpr (std::is_integral<T>::value)
        for (size_t i = 0; i < r.n; i++) {
            T value = (T)(r.values.empty() ? std::floor(random.uniform(r.low, r.high)) : r.values[i]);
            std::memcpy(&a.entry[i * sizeof(T)], &value, sizeof(T));
        }
    if (named) add_seeds(a, r.n, random);
    a.input_only = named && !r.output;
    a.primal = device_bytes(a.entry.size());
    return a;
}
template <class P> argument make_argument(const active_role &r, generator &g) { return make<P>(r, true, g); }
template <class P> argument make_argument(const passive_role &r, generator &g) { return make<P>(r, false, g); }
template <class P, class T> argument make_argument(const passive_elements<T> &e, generator &) {
    static_assert(std::is_same<const T *, const typename std::remove_pointer<P>::type *>::value,
                  "elements of another type");
    argument a;
    a.element = a.whole = sizeof(T);
    a.cells = &cells_of<T>::all();
    a.entry.resize(e.values.size() * sizeof(T));
    std::memcpy(a.entry.data(), e.values.data(), a.entry.size());
    a.primal = device_bytes(a.entry.size());
    return a;
}
template <class P, class T> argument make_argument(const active_elements<T> &e, generator &random) {
    argument a = make_argument<P>(static_cast<const passive_elements<T> &>(e), random);
    add_seeds(a, e.values.size(), random);
    a.input_only = true;
    return a;
}
template <class P, class T> argument make_argument(const active_value<T> &v, generator &random) {
    argument a;
    P value = (P)v.value;
    a.element = a.whole = sizeof(P);
    a.entry.resize(sizeof(P));
    std::memcpy(a.entry.data(), &value, sizeof(P));
    a.cells = &cells_of<P>::all();
    add_seeds(a, 1, random);
    a.input_only = true;
    return a;
}
template <class P, class T> argument make_argument(const T &v, generator &) {
    argument a;
    P value = (P)v;
    a.entry.resize(sizeof(P));
    std::memcpy(a.entry.data(), &value, sizeof(P));
    return a;
}

template <class P> P pass(argument &a) {
    if constexpr (std::is_pointer<P>::value) return static_cast<P>(a.primal.data());
    else {
        P value;
        std::memcpy(&value, a.entry.data(), sizeof(P));
        return value;
    }
}
template <class P> auto pass_adjoint(argument &a) {
    typedef typename std::remove_cv<typename std::remove_pointer<P>::type>::type T;
    return static_cast<T *>(a.adjoint.data());
}
template <class P> auto pass_tangent(argument &a) {
    if constexpr (std::is_pointer<P>::value) return pass_adjoint<P>(a);
    else {
        P value;
        std::memcpy(&value, a.with(a.direction).data(), sizeof(P));
        return value;
    }
}

/* Of a second derivative: the tangent of the argument, and that of its adjoint. */
template <class P> auto pass_along(argument &a) {
    typedef typename std::remove_cv<typename std::remove_pointer<P>::type>::type T;
    if constexpr (std::is_pointer<P>::value) return static_cast<T *>(a.tangent.data());
    else return pass_tangent<P>(a);
}
template <class P> auto pass_adjoint_tangent(argument &a) {
    typedef typename std::remove_cv<typename std::remove_pointer<P>::type>::type T;
    return static_cast<T *>(a.adjoint_tangent.data());
}

/* Blocks of tangents, whatever the parameter's type is. */
struct any_blocks {
    void *at;
    template <class T> operator T *() const { return static_cast<T *>(at); }
};

/* ---- what a case is, without its types ---- */
struct launch {
    dim3 grid, block;
    size_t shared = 0; /* dynamic shared memory of the primal */
    bool measured = false; /* its tape is, so that one too small is found on the device */
};
typedef std::vector<argument> arguments;

inline void upload(arguments &all) {
    for (argument &a : all) a.primal.put(a.entry.data());
}

/* What is checked, behind its types: the checks are compiled once for a program and not once for a kernel. */
struct primal_calls {
    virtual void run(launch where, arguments &all) const = 0;
};
struct derivative_calls {
    virtual size_t workspace(launch where, arguments &all) const = 0;
    virtual gw_status gradient(launch where, arguments &all, device_bytes &space) const = 0;
    virtual gw_status tangent(launch where, arguments &all) const = 0;
};
struct second_calls {
    virtual size_t workspace(launch where, arguments &all) const = 0;
    virtual gw_status gradient(launch where, arguments &all, device_bytes &space) const = 0;
    virtual size_t second_workspace(launch where, arguments &all) const = 0;
    virtual gw_status second(launch where, arguments &all, device_bytes &space) const = 0;
};
struct direction_calls {
    virtual gw_status tangent(launch where, arguments &all) const = 0;
    virtual gw_status tangents(launch where, arguments &all) const = 0;
};
struct half_calls {
    virtual size_t workspace(launch where, arguments &all) const = 0;
    virtual gw_status joined(launch where, arguments &all, device_bytes &space) const = 0;
    virtual size_t tape(launch where, arguments &all) const = 0;
    virtual gw_status forward(launch where, arguments &all, device_bytes &tape) const = 0;
    virtual gw_status backward(launch where, arguments &all, device_bytes &tape) const = 0;
};

/* The calls of a kernel's functions. P: its parameters' types; R: their roles. */
template <class... P> struct parameter_types {
    template <class... R> struct roles {
        static_assert(sizeof...(P) == sizeof...(R), "one role for each parameter of the kernel");
        /* The parameters that are in the request. */
        struct list {
            size_t count = 0, at[sizeof...(P)] = {};
        };
        static constexpr list find() {
            list all;
            size_t k = 0;
            ((is_active<R>::value ? (void)(all.at[all.count++] = k++) : (void)k++), ...);
            return all;
        }
        static constexpr list named = find();
        template <size_t K> using named_type = std::tuple_element_t<named.at[K], std::tuple<P...>>;
        typedef std::index_sequence_for<P...> every;
        typedef std::make_index_sequence<named.count> each_named;

        static arguments make(const R &...role) {
            generator random{42};
            arguments all;
            all.reserve(sizeof...(R));
            (all.push_back(make_argument<P>(role, random)), ...);
            return all;
        }
        template <class F, size_t... I>
        static size_t bytes(F call, launch where, arguments &all, std::index_sequence<I...>) {
            return call(where.grid, where.block, pass<P>(all[I])...);
        }
        template <class F, size_t... I, size_t... K>
        static gw_status gradient(F call, launch where, arguments &all, device_bytes &space,
                                  std::index_sequence<I...>, std::index_sequence<K...>) {
            return call(where.grid, where.block, where.shared, (cudaStream_t)0, pass<P>(all[I])...,
                        pass_adjoint<named_type<K>>(all[named.at[K]])..., space.data(), space.size());
        }
        template <class F, size_t... I>
        static gw_status forward_half(F call, launch where, arguments &all, device_bytes &tape,
                                      std::index_sequence<I...>) {
            return call(where.grid, where.block, where.shared, (cudaStream_t)0, pass<P>(all[I])..., tape.data(),
                        tape.size());
        }
        template <class F, size_t... I, size_t... K>
        static size_t second_bytes(F call, launch where, arguments &all, std::index_sequence<I...>,
                                   std::index_sequence<K...>) {
            return call(where.grid, where.block, pass<P>(all[I])...,
                        pass_along<named_type<K>>(all[named.at[K]])...);
        }
        template <class F, size_t... I, size_t... K>
        static gw_status second(F call, launch where, arguments &all, device_bytes &space,
                                std::index_sequence<I...>, std::index_sequence<K...>) {
            return call(where.grid, where.block, where.shared, (cudaStream_t)0, pass<P>(all[I])...,
                        pass_along<named_type<K>>(all[named.at[K]])...,
                        pass_adjoint<named_type<K>>(all[named.at[K]])...,
                        pass_adjoint_tangent<named_type<K>>(all[named.at[K]])..., space.data(), space.size());
        }
        template <class F, size_t... I, size_t... K>
        static gw_status tangents(F call, launch where, arguments &all, std::index_sequence<I...>,
                                  std::index_sequence<K...>) {
            return call(where.grid, where.block, where.shared, (cudaStream_t)0, pass<P>(all[I])...,
                        any_blocks{all[named.at[K]].blocks.data()}...);
        }
        template <class F, size_t... I, size_t... K>
        static gw_status tangent(F call, launch where, arguments &all, std::index_sequence<I...>,
                                 std::index_sequence<K...>) {
            return call(where.grid, where.block, where.shared, (cudaStream_t)0, pass<P>(all[I])...,
                        pass_tangent<named_type<K>>(all[named.at[K]])...);
        }
    };
};

template <class... P> struct primal_of final : primal_calls {
    void (*kernel)(P...);
    explicit primal_of(void (*k)(P...)) : kernel(k) {}
    template <size_t... I> void run(launch where, arguments &all, std::index_sequence<I...>) const {
        kernel<<<where.grid, where.block, where.shared>>>(pass<P>(all[I])...);
    }
    void run(launch where, arguments &all) const override { run(where, all, std::index_sequence_for<P...>()); }
};

template <class C, class G, class F, class W> struct derivatives_of final : derivative_calls {
    G gradient_call;
    F tangent_call;
    W workspace_bytes;
    derivatives_of(G g, F f, W w) : gradient_call(g), tangent_call(f), workspace_bytes(w) {}
    size_t workspace(launch where, arguments &all) const override {
        return C::bytes(workspace_bytes, where, all, typename C::every());
    }
    gw_status gradient(launch where, arguments &all, device_bytes &space) const override {
        return C::gradient(gradient_call, where, all, space, typename C::every(), typename C::each_named());
    }
    gw_status tangent(launch where, arguments &all) const override {
        return C::tangent(tangent_call, where, all, typename C::every(), typename C::each_named());
    }
};

template <class C, class G, class W, class H, class V> struct seconds_of final : second_calls {
    G gradient_call;
    W workspace_bytes;
    H second_call;
    V second_bytes;
    seconds_of(G g, W w, H h, V v) : gradient_call(g), workspace_bytes(w), second_call(h), second_bytes(v) {}
    size_t workspace(launch where, arguments &all) const override {
        return C::bytes(workspace_bytes, where, all, typename C::every());
    }
    gw_status gradient(launch where, arguments &all, device_bytes &space) const override {
        return C::gradient(gradient_call, where, all, space, typename C::every(), typename C::each_named());
    }
    size_t second_workspace(launch where, arguments &all) const override {
        return C::second_bytes(second_bytes, where, all, typename C::every(), typename C::each_named());
    }
    gw_status second(launch where, arguments &all, device_bytes &space) const override {
        return C::second(second_call, where, all, space, typename C::every(), typename C::each_named());
    }
};

template <class C, class F, class D> struct directions_of final : direction_calls {
    F tangent_call;
    D tangents_call;
    directions_of(F f, D d) : tangent_call(f), tangents_call(d) {}
    gw_status tangent(launch where, arguments &all) const override {
        return C::tangent(tangent_call, where, all, typename C::every(), typename C::each_named());
    }
    gw_status tangents(launch where, arguments &all) const override {
        return C::tangents(tangents_call, where, all, typename C::every(), typename C::each_named());
    }
};

template <class C, class G, class W, class F, class B, class S> struct halves_of final : half_calls {
    G joined_call;
    W workspace_bytes;
    F forward_call;
    B backward_call;
    S tape_bytes;
    halves_of(G g, W w, F f, B b, S s)
        : joined_call(g), workspace_bytes(w), forward_call(f), backward_call(b), tape_bytes(s) {}
    size_t workspace(launch where, arguments &all) const override {
        return C::bytes(workspace_bytes, where, all, typename C::every());
    }
    gw_status joined(launch where, arguments &all, device_bytes &space) const override {
        return C::gradient(joined_call, where, all, space, typename C::every(), typename C::each_named());
    }
    size_t tape(launch where, arguments &all) const override {
        return C::bytes(tape_bytes, where, all, typename C::every());
    }
    gw_status forward(launch where, arguments &all, device_bytes &tape) const override {
        return C::forward_half(forward_call, where, all, tape, typename C::every());
    }
    gw_status backward(launch where, arguments &all, device_bytes &tape) const override {
        return C::gradient(backward_call, where, all, tape, typename C::every(), typename C::each_named());
    }
};

/* Values of every named argument as they stand on the device; those passed by value as they were given. */
inline std::vector<double> named_values(arguments &all) {
    std::vector<double> values;
    for (argument &a : all) {
        std::vector<double> here;
        if (a.count() && a.primal.size()) here = a.read(a.primal);
        else
            for (size_t i = 0; i < a.count(); i++) here.push_back(a.value(i));
        values.insert(values.end(), here.begin(), here.end());
    }
    return values;
}

/* The same after one launch of the primal. */
inline std::vector<double> exit_values(const primal_calls &kernel, launch where, arguments &all) {
    upload(all);
    kernel.run(where, all);
    return named_values(all);
}

inline std::vector<double> all_seeds(const arguments &all) {
    std::vector<double> seeds;
    for (const argument &a : all) seeds.insert(seeds.end(), a.seed.begin(), a.seed.end());
    return seeds;
}

/* dL/d(cell): five points, the difference taken cell by cell so that equal values cancel exactly. */
inline double difference(const primal_calls &kernel, launch where, arguments &all, argument &a, size_t i,
                         const std::vector<double> &seeds) {
    double x = a.value(i), size = std::fabs(x) > 0.125 ? std::fabs(x) : 0.125;
    double h = std::ldexp(1, std::ilogb(size) - 12);
    std::vector<double> at[4];
    const double steps[4] = {1, -1, 2, -2};
    for (int k = 0; k < 4; k++) {
        a.set_value(i, x + steps[k] * h);
        at[k] = exit_values(kernel, where, all);
    }
    a.set_value(i, x);
    double sum = 0;
    for (size_t c = 0; c < seeds.size(); c++)
        sum += seeds[c] * (8 * (at[0][c] - at[1][c]) - (at[2][c] - at[3][c]));
    return sum / (12 * h);
}

/* d(values on exit) along the direction, five points. */
inline std::vector<double> forward_difference(const primal_calls &kernel, launch where, arguments &all) {
    const double h = std::ldexp(1, -13), steps[4] = {1, -1, 2, -2};
    std::vector<double> at[4], entry;
    for (argument &a : all)
        for (size_t i = 0; i < a.count(); i++) entry.push_back(a.value(i));
    for (int k = 0; k < 4; k++) {
        size_t n = 0;
        for (argument &a : all)
            for (size_t i = 0; i < a.count(); i++) a.set_value(i, entry[n++] + steps[k] * h * a.direction[i]);
        at[k] = exit_values(kernel, where, all);
    }
    size_t n = 0;
    for (argument &a : all)
        for (size_t i = 0; i < a.count(); i++) a.set_value(i, entry[n++]);
    for (size_t c = 0; c < at[0].size(); c++)
        at[0][c] = (8 * (at[0][c] - at[1][c]) - (at[2][c] - at[3][c])) / (12 * h);
    return at[0];
}

inline void compare_exit(trial &t, const char *what, const std::vector<double> &got,
                         const std::vector<double> &want, double tolerance) {
    double scale = 0;
    for (double w : want) scale += std::fabs(w) / (double)want.size();
    for (size_t i = 0; i < want.size(); i++)
        if (!near(got[i], want[i], tolerance, scale))
            t.fail(__FILE__, __LINE__,
                   std::string(what) + ' ' + text((double)i) + " of the named parameters is " + text(got[i]) +
                       ", not " + text(want[i]));
}

/* <s, tangents on exit> = <adjoints on exit, v> */
inline void check_dot_product(trial &t, const arguments &all, const std::vector<double> &tangents,
                              const std::vector<std::vector<double>> &adjoints, double tolerance) {
    double forward = 0, reverse = 0, size = 0;
    size_t n = 0;
    for (size_t k = 0; k < all.size(); k++)
        for (size_t i = 0; i < all[k].count(); i++, n++) {
            forward += all[k].seed[i] * tangents[n];
            reverse += adjoints[k][i] * all[k].direction[i];
            size += std::fabs(all[k].seed[i] * tangents[n]) + std::fabs(adjoints[k][i] * all[k].direction[i]);
        }
    if (!(std::fabs(forward - reverse) <= tolerance * size))
        t.fail(__FILE__, __LINE__, "forward mode says " + text(forward) + ", reverse mode " + text(reverse));
    t.report("dot", forward);
}

inline void compare(trial &t, size_t which, const std::vector<double> &got, const std::vector<double> &want,
                    double tolerance, double &worst, double noise = 0) {
    double scale = noise / tolerance;
    for (double w : want) scale += std::fabs(w) / (double)want.size();
    for (size_t i = 0; i < want.size(); i++) {
        if (!near(got[i], want[i], tolerance, scale))
            t.fail(__FILE__, __LINE__,
                   "adjoint of parameter " + text((double)which) + ", cell " + text((double)i) + " is " +
                       text(got[i]) + ", not " + text(want[i]));
        double size = std::fmax(std::fabs(want[i]), scale);
        if (size > 0) worst = std::fmax(worst, std::fabs(got[i] - want[i]) / size);
    }
}

/* An input whose adjoint stays what it was would pass with a gradient that does nothing. */
inline void check_moved(trial &t, size_t which, const argument &a, const std::vector<double> &want) {
    double moved = 0;
    for (size_t i = 0; i < want.size(); i++) moved = std::fmax(moved, std::fabs(want[i] - a.seed[i]));
    if (a.input_only && moved < 1e-6)
        t.fail(__FILE__, __LINE__, "no gradient in parameter " + text((double)which));
}

inline void check_primal_bytes(trial &t, arguments &all) {
    for (size_t k = 0; k < all.size(); k++) {
        std::vector<unsigned char> now(all[k].primal.size());
        all[k].primal.get(now.data());
        if (!now.empty() && now != all[k].entry)
            t.fail(__FILE__, __LINE__, "the gradient changed the primal's parameter " + text((double)k));
    }
}

inline bool launched(trial &t, gw_status status) {
    if (status != GW_OK)
        t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + gw_last_error());
    else if (!device_ok()) t.fail(__FILE__, __LINE__, std::string("CUDA: ") + cuda_failure());
    else return true;
    return false;
}

/* `adjoints`: what the reverse derivative left, by argument. */
inline void check_forward(trial &t, const primal_calls &kernel, const primal_calls &reference,
                          const derivative_calls &derived, double tolerance, launch where, arguments &all,
                          arguments &model, const std::vector<std::vector<double>> &adjoints) {
    std::vector<double> values = exit_values(kernel, where, all), tangents;
    upload(all);
    for (argument &a : all)
        if (a.count()) a.adjoint.put(a.with(a.direction).data());
    if (!launched(t, derived.tangent(where, all))) return;
    for (argument &a : all) {
        std::vector<double> here = a.count() ? a.read(a.adjoint) : std::vector<double>();
        tangents.insert(tangents.end(), here.begin(), here.end());
    }
    bool is_single = tolerance > 1e-7;
    compare_exit(t, "value", named_values(all), values, is_single ? 1e-5 : 1e-13);
    check_dot_product(t, all, tangents, adjoints, is_single ? tolerance : 1e-11);
    if (t.quick) return;
    compare_exit(t, "tangent", tangents, forward_difference(reference, where, model), tolerance);
}

/* What difference quotients of sums may be off by where two launches add in different orders, as atomics do
 * unless the order of the threads is the natural one of the CPU device. */
inline double noise_of_order(arguments &all) {
#ifdef GW_CPU_DEVICE
    if (!std::getenv("GW_CPU_SEED")) return 0;
#endif
    const std::vector<double> seeds = all_seeds(all), values = named_values(all);
    double size = 0;
    for (size_t c = 0; c < seeds.size(); c++) size += std::fabs(seeds[c] * values[c]);
    return 1e-10 * size;
}

/* all: the arguments of the kernel; model: of the reference, which is differentiated numerically (over
 * double). */
inline void check_derivatives(trial &t, const primal_calls &kernel, const primal_calls &reference,
                              const derivative_calls &derived, double tolerance, launch where, arguments &all,
                              arguments &model) {
    upload(all); /* a tape may be measured */
    device_bytes space(derived.workspace(where, all));
    upload(all);
    std::vector<std::vector<double>> got[2];
    for (int round = 0; round < 2; round++) {
        for (argument &a : all)
            if (a.count()) a.write_seeds();
        space.fill(0xA5);
        if (!launched(t, derived.gradient(where, all, space))) return;
        for (argument &a : all) got[round].push_back(a.count() ? a.read(a.adjoint) : std::vector<double>());
    }
    check_primal_bytes(t, all);
    check_forward(t, kernel, reference, derived, tolerance, where, all, model, got[0]);
    t.report("tolerance", tolerance);
    std::vector<double> seeds = all_seeds(model);
    exit_values(reference, where, model);
    const double noise = noise_of_order(model);
    double worst = 0;
    for (size_t k = 0; k < all.size(); k++) {
        double sum = 0, again = 0;
        for (double v : got[0][k]) sum += v;
        compare(t, k, got[1][k], got[0][k], tolerance, again);
        if (!all[k].count()) continue;
        t.report("sum", sum);
        check_moved(t, k, all[k], got[0][k]);
        if (t.quick) continue;
        std::vector<double> want;
        for (size_t i = 0; i < model[k].count(); i++)
            want.push_back(difference(reference, where, model, model[k], i, seeds));
        compare(t, k, got[0][k], want, tolerance, worst, noise);
    }
    if (!t.quick) t.numbers += " (error " + text((double)(float)worst) + ")";
}

template <class... P, class... D, class... R, class G, class F, class W>
void check_kernel(trial &t, void (*kernel)(P...), void (*reference)(D...), G gradient, F tangent, W workspace,
                  double tolerance, launch where, const R &...roles) {
    typedef typename parameter_types<P...>::template roles<R...> calls;
    arguments all = calls::make(roles...), model = parameter_types<D...>::template roles<R...>::make(roles...);
    check_derivatives(t, primal_of<P...>(kernel), primal_of<D...>(reference),
                      derivatives_of<calls, G, F, W>(gradient, tangent, workspace), tolerance, where, all,
                      model);
}

/* ---- split ---- */
inline std::vector<std::vector<unsigned char>> primal_bytes(arguments &all) {
    std::vector<std::vector<unsigned char>> bytes;
    for (argument &a : all) {
        bytes.emplace_back(a.primal.size());
        a.primal.get(bytes.back().data());
    }
    return bytes;
}

/* Both halves say so of a tape that is one byte too small, and leave everything as it was. */
inline void check_overflow(trial &t, const half_calls &derived, launch where, arguments &all, size_t needed) {
    device_bytes small(needed - 1);
    upload(all);
    for (argument &a : all)
        if (a.count()) a.write_seeds();
    if (derived.forward(where, all, small) != GW_ERROR_OVERFLOW ||
        derived.backward(where, all, small) != GW_ERROR_OVERFLOW)
        t.fail(__FILE__, __LINE__, "a tape that is too small is taken");
    check_primal_bytes(t, all);
    for (argument &a : all)
        if (a.count() && a.read(a.adjoint) != a.seed)
            t.fail(__FILE__, __LINE__, "without a tape, an adjoint was changed");
}

/* The first half does what the primal does, to the bit on the CPU device where threads keep their order; the
 * second gives the joined form's adjoints, though the outputs are overwritten in between, and again from the
 * same tape. */
inline void check_halves(trial &t, const primal_calls &kernel, const half_calls &derived, double tolerance,
                         launch where, arguments &all) {
    const bool is_single = tolerance > 1e-7;
    upload(all); /* a tape may be measured */
    device_bytes space(derived.workspace(where, all)), tape(derived.tape(where, all));
    std::vector<double> values = exit_values(kernel, where, all);
    const auto bytes = primal_bytes(all);
    std::vector<std::vector<double>> want;
    upload(all);
    for (argument &a : all)
        if (a.count()) a.write_seeds();
    if (!launched(t, derived.joined(where, all, space))) return;
    for (argument &a : all) want.push_back(a.count() ? a.read(a.adjoint) : std::vector<double>());
    tape.fill(0x5A);
    upload(all);
    if (!launched(t, derived.forward(where, all, tape))) return;
#ifdef GW_CPU_DEVICE
    if (!getenv("GW_CPU_SEED") && primal_bytes(all) != bytes)
        t.fail(__FILE__, __LINE__, "the first half does not do what the primal does");
#endif
    compare_exit(t, "value", named_values(all), values, is_single ? 1e-5 : 1e-13);
    for (argument &a : all)
        if (a.count() && a.primal.size() && !a.input_only) a.primal.fill(0xFF);
    for (int round = 0; round < 2; round++) {
        for (argument &a : all)
            if (a.count()) a.write_seeds();
        if (!launched(t, derived.backward(where, all, tape))) return;
        double worst = 0;
        for (size_t k = 0; k < all.size(); k++)
            if (all[k].count())
                compare(t, k, all[k].read(all[k].adjoint), want[k], is_single ? 1e-4 : 1e-10, worst);
    }
    /* One that is measured is found to be too small on the device, by a trap (contract.measure_trap). */
    if (!where.measured) check_overflow(t, derived, where, all, tape.size());
    t.report("tape", (double)tape.size());
}

/* ---- second derivatives ---- */
/* Adjoints on exit by the gradient, of values and seeds a step along their directions. */
inline std::vector<std::vector<double>> gradient_at(trial &t, const second_calls &derived, launch where,
                                                    arguments &all, double step) {
    std::vector<std::vector<double>> entry, adjoints;
    for (argument &a : all) {
        entry.emplace_back();
        std::vector<double> seed = a.seed;
        for (size_t i = 0; i < a.count(); i++) {
            entry.back().push_back(a.value(i));
            a.set_value(i, a.value(i) + step * a.direction[i]);
            seed[i] += step * a.direction[a.count() - 1 - i];
        }
        if (a.count()) a.adjoint.put(a.with(seed).data());
    }
    upload(all);
    device_bytes space(derived.workspace(where, all));
    if (!launched(t, derived.gradient(where, all, space))) return {};
    for (size_t k = 0; k < all.size(); k++) {
        adjoints.push_back(all[k].count() ? all[k].read(all[k].adjoint) : std::vector<double>());
        for (size_t i = 0; i < all[k].count(); i++) all[k].set_value(i, entry[k][i]);
    }
    return adjoints;
}

inline void check_second(trial &t, const second_calls &derived, double tolerance, launch where,
                         arguments &all) {
    const bool is_single = tolerance > 1e-7;
    const double h = is_single ? 1 : std::ldexp(1, -12), steps[4] = {1, -1, 2, -2};
    std::vector<std::vector<double>> plain = gradient_at(t, derived, where, all, 0), at[4];
    for (int k = 0; k < 4 && !is_single; k++) at[k] = gradient_at(t, derived, where, all, steps[k] * h);
    upload(all);
    for (argument &a : all) {
        if (!a.count()) continue;
        a.write_seeds();
        a.tangent.put(a.with(a.direction).data());
        std::vector<double> turned(a.direction.rbegin(), a.direction.rend());
        a.adjoint_tangent.put(a.with(turned).data());
    }
    device_bytes space(derived.second_workspace(where, all));
    space.fill(0xA5);
    if (!launched(t, derived.second(where, all, space))) return;
    check_primal_bytes(t, all);
    double worst = 0;
    for (size_t k = 0; k < all.size(); k++) {
        if (!all[k].count() || plain.empty()) continue;
        compare(t, k, all[k].read(all[k].adjoint), plain[k], is_single ? 1e-4 : 1e-10, worst);
        if (is_single) continue;
        std::vector<double> want(all[k].count());
        for (size_t i = 0; i < want.size(); i++)
            want[i] = (8 * (at[0][k][i] - at[1][k][i]) - (at[2][k][i] - at[3][k][i])) / (12 * h);
        compare(t, k, all[k].read(all[k].adjoint_tangent), want, 1e-6, worst);
    }
}

template <class... P, class... R, class G, class W, class H, class V>
void check_seconds(trial &t, void (*)(P...), G gradient, W workspace, H second, V bytes, double tolerance,
                   launch where, const R &...roles) {
    typedef typename parameter_types<P...>::template roles<R...> calls;
    arguments all = calls::make(roles...);
    check_second(t, seconds_of<calls, G, W, H, V>(gradient, workspace, second, bytes), tolerance, where, all);
}

/* ---- several directions ---- */
inline bool all_finite(const std::vector<double> &values) {
    for (double v : values)
        if (!std::isfinite(v)) return false;
    return true;
}

inline void write_blocks(argument &a) {
    std::vector<unsigned char> blocks(DIRECTIONS * a.entry.size());
    a.blocks = device_bytes(blocks.size());
    for (size_t lane = 0; lane < DIRECTIONS; lane++) {
        std::vector<double> along = a.direction;
        for (double &v : along) v *= directions[lane];
        const std::vector<unsigned char> one = a.with(along);
        for (size_t at = 0; at < one.size(); at += a.whole)
            std::memcpy(&blocks[at * DIRECTIONS + lane * a.whole], &one[at], a.whole);
    }
    a.blocks.put(blocks.data());
}

inline std::vector<double> read_lane(argument &a, size_t lane) {
    std::vector<unsigned char> blocks(a.blocks.size()), one(a.entry.size());
    a.blocks.get(blocks.data());
    for (size_t at = 0; at < one.size(); at += a.whole)
        std::memcpy(&one[at], &blocks[at * DIRECTIONS + lane * a.whole], a.whole);
    std::vector<double> values;
    for (size_t i = 0; i < a.count(); i++)
        values.push_back(get_real(a.place(one, i), a.cell_at(i).size) / directions[lane]);
    return values;
}

/* What the tangents on exit sum up to. */
inline double check_directions(trial &t, const primal_calls &kernel, const direction_calls &derived,
                             double tolerance, launch where, arguments &all) {
    const bool is_single = tolerance > 1e-7;
    const std::vector<double> values = exit_values(kernel, where, all);
    std::vector<double> tangents, lanes[DIRECTIONS];
    upload(all);
    for (argument &a : all)
        if (a.count()) a.adjoint.put(a.with(a.direction).data()), write_blocks(a);
    if (!launched(t, derived.tangent(where, all))) return 0;
    upload(all);
    if (!launched(t, derived.tangents(where, all))) return 0;
    for (argument &a : all) {
        if (!a.count()) continue;
        const std::vector<double> one = a.read(a.adjoint);
        tangents.insert(tangents.end(), one.begin(), one.end());
        for (size_t lane = 0; lane < DIRECTIONS; lane++) {
            const std::vector<double> here = read_lane(a, lane);
            lanes[lane].insert(lanes[lane].end(), here.begin(), here.end());
        }
    }
    compare_exit(t, "value", named_values(all), values, is_single ? 1e-5 : 1e-13);
    for (size_t lane = 0; lane < DIRECTIONS && all_finite(tangents); lane++)
        compare_exit(t, "tangent", lanes[lane], tangents, is_single ? 1e-4 : 1e-11);
    double sum = 0;
    for (double v : tangents) sum += std::fabs(v);
    return sum;
}

template <class... P, class... R, class F, class D>
void check_several(trial &t, void (*kernel)(P...), F tangent, D tangents, double tolerance, launch where,
                   const R &...roles) {
    typedef typename parameter_types<P...>::template roles<R...> calls;
    arguments all = calls::make(roles...);
    const directions_of<calls, F, D> derived(tangent, tangents);
    if (!(check_directions(t, primal_of<P...>(kernel), derived, tolerance, where, all) > 1e-6))
        t.fail(__FILE__, __LINE__, "no tangent in any direction");
}

/* Bytes that a launch needs whose tape is measured. */
template <class M, class B> size_t measured(M measure, B bytes) {
    device_bytes sizes(sizeof(gw_sizes));
    if (measure((gw_sizes *)sizes.data()) != GW_OK) return 0;
    return bytes((const gw_sizes *)sizes.data(), (cudaStream_t)0);
}

template <class... P, class... R, class G, class W, class F, class B, class S>
void check_split(trial &t, void (*kernel)(P...), G joined, W workspace, F forward, B backward, S size,
                 double tolerance, launch where, const R &...roles) {
    typedef typename parameter_types<P...>::template roles<R...> calls;
    arguments all = calls::make(roles...);
    check_halves(t, primal_of<P...>(kernel),
                 halves_of<calls, G, W, F, B, S>(joined, workspace, forward, backward, size), tolerance, where,
                 all);
}

} // namespace check

#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN2(a, b)
#ifdef GW_TEST_SPLIT
#define CHECK_SPLIT(name, kernel, tolerance, grid, block, shared, ...)                                         \
    static check::registration CHECK_JOIN(split_##name##_, __LINE__)("split_" #name, [](check::trial &t) {     \
        using namespace check;                                                                                 \
        check_split(                                                                                           \
            t, kernel, [](auto... a) { return kernel##_grad_launch(a...); },                                   \
            [](auto... a) { return kernel##_workspace_bytes(a...); },                                          \
            [](auto... a) { return kernel##_fwd_launch(a...); },                                               \
            [](auto... a) { return kernel##_bwd_launch(a...); },                                               \
            [](auto... a) { return kernel##_tape_bytes(a...); }, tolerance, launch{grid, block, shared},       \
            __VA_ARGS__);                                                                                      \
    });
#else
#define CHECK_SPLIT(...)
#endif
#ifdef GW_TEST_SECOND
#define CHECK_SECOND(name, kernel, tolerance, grid, block, shared, ...)                                        \
    static check::registration CHECK_JOIN(second_##name##_, __LINE__)("second_" #name, [](check::trial &t) {   \
        using namespace check;                                                                                 \
        check_seconds(                                                                                         \
            t, kernel, [](auto... a) { return kernel##_grad_launch(a...); },                                   \
            [](auto... a) { return kernel##_workspace_bytes(a...); },                                          \
            [](auto... a) { return kernel##_hvp_launch(a...); },                                               \
            [](auto... a) { return kernel##_hvp_workspace_bytes(a...); }, tolerance,                           \
            launch{grid, block, shared}, __VA_ARGS__);                                                         \
    });
#else
#define CHECK_SECOND(...)
#endif
#ifdef GW_TEST_DIRECTIONS
#define CHECK_DIRECTIONS(name, kernel, tolerance, grid, block, shared, ...)                                    \
    static check::registration CHECK_JOIN(several_##name##_, __LINE__)("several_" #name, [](check::trial &t) { \
        using namespace check;                                                                                 \
        check_several(                                                                                         \
            t, kernel, [](auto... a) { return kernel##_jvp_launch(a...); },                                    \
            [](auto... a) { return kernel##_jvps_launch(a...); }, tolerance, launch{grid, block, shared},      \
            __VA_ARGS__);                                                                                      \
    });
#else
#define CHECK_DIRECTIONS(...)
#endif
/* `shared`: bytes of dynamic shared memory for the primal. */
#define CHECK_LAUNCH(name, kernel, reference, tolerance, grid, block, shared, ...)                             \
    CHECK_JOINED(name, kernel, reference, tolerance, grid, block, shared, __VA_ARGS__)                         \
    CHECK_SPLIT(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)                                     \
    CHECK_SECOND(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)                                    \
    CHECK_DIRECTIONS(name, kernel, tolerance, grid, block, shared, __VA_ARGS__)
#define CHECK_JOINED(name, kernel, reference, tolerance, grid, block, shared, ...)                           \
    static check::registration CHECK_JOIN(case_##name##_, __LINE__)(#name, [](check::trial &t) {             \
        using namespace check;                                                                               \
        check_kernel(                                                                                        \
            t, kernel, reference, [](auto... a) { return kernel##_grad_launch(a...); },                      \
            [](auto... a) { return kernel##_jvp_launch(a...); },                                             \
            [](auto... a) { return kernel##_workspace_bytes(a...); }, tolerance, launch{grid, block, shared}, \
            __VA_ARGS__);                                                                                    \
    });
/* Of a kernel whose tape is measured: bytes, from the launch that measures and from what reads it. */
#define CHECK_MEASURED_BYTES(measure, bytes, shared)                                                           \
    [](dim3 g, dim3 b, auto... a) {                                                                            \
        return measured([&](gw_sizes *s) { return measure(g, b, shared, (cudaStream_t)0, a..., s); },          \
                        [](auto... from) { return bytes(from...); });                                          \
    }
#define CHECK_MEASURED_JOINED(kernel, reference, grid, block, shared, ...)                                     \
    static check::registration CHECK_JOIN(case_##kernel##_, __LINE__)(#kernel, [](check::trial &t) {           \
        using namespace check;                                                                                 \
        check_kernel(                                                                                          \
            t, kernel, reference, [](auto... a) { return kernel##_grad_launch(a...); },                        \
            [](auto... a) { return kernel##_jvp_launch(a...); },                                               \
            CHECK_MEASURED_BYTES(kernel##_measure_launch, kernel##_workspace_bytes_measured, shared), 1e-8,    \
            launch{grid, block, shared}, __VA_ARGS__);                                                         \
    });
#ifdef GW_TEST_SPLIT
#define CHECK_MEASURED_SPLIT(kernel, grid, block, shared, ...)                                                 \
    static check::registration CHECK_JOIN(split_##kernel##_, __LINE__)("split_" #kernel, [](check::trial &t) { \
        using namespace check;                                                                                 \
        check_split(                                                                                           \
            t, kernel, [](auto... a) { return kernel##_grad_launch(a...); },                                   \
            CHECK_MEASURED_BYTES(kernel##_measure_launch, kernel##_workspace_bytes_measured, shared),          \
            [](auto... a) { return kernel##_fwd_launch(a...); },                                               \
            [](auto... a) { return kernel##_bwd_launch(a...); },                                               \
            CHECK_MEASURED_BYTES(kernel##_fwd_measure_launch, kernel##_tape_bytes_measured, shared), 1e-8,     \
            launch{grid, block, shared, true}, __VA_ARGS__);                                                   \
    });
#else
#define CHECK_MEASURED_SPLIT(...)
#endif
#define CHECK_MEASURED(kernel, reference, grid, block, shared, ...)                                            \
    CHECK_MEASURED_JOINED(kernel, reference, grid, block, shared, __VA_ARGS__)                                 \
    CHECK_MEASURED_SPLIT(kernel, grid, block, shared, __VA_ARGS__)
#define CHECK_CASE(name, kernel, reference, tolerance, grid, block, ...)                                     \
    CHECK_LAUNCH(name, kernel, reference, tolerance, grid, block, 0, __VA_ARGS__)
#define CHECK_FLOAT(kernel, reference, tolerance, grid, block, ...)                                          \
    CHECK_CASE(kernel, kernel, reference, tolerance, grid, block, __VA_ARGS__)
#define CHECK_SHARED(kernel, grid, block, shared, ...)                                                       \
    CHECK_LAUNCH(kernel, kernel, kernel, 1e-8, grid, block, shared, __VA_ARGS__)
#define CHECK_KERNEL(kernel, grid, block, ...) CHECK_FLOAT(kernel, kernel, 1e-8, grid, block, __VA_ARGS__)

#endif
