/*
 * random_arguments.cuh - arguments of random kernels: what they hold on entry, their seeds and directions, and
 * comparisons of what runs leave of them.
 */
#ifndef GW_TESTS_RANDOM_ARGUMENTS_CUH
#define GW_TESTS_RANDOM_ARGUMENTS_CUH

#include "both.cuh"
#include "expect.cuh"

#include <cstdlib>
#include <type_traits>
#include <utility>

namespace check {

/* The places of a type's real numbers. Structs say it by CHECK_CELLS(type, first(member), ...). */
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
    bool is_new = false; /* its adjoint is stored: no number is in it before */
    device_bytes primal{0}, adjoint{0};
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
    void write_seeds() { adjoint.put(with(is_new ? std::vector<double>(count(), NAN) : seed).data()); }
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

/* Elements as they are given, integers and all. */
template <class T> struct passive_elements {
    std::vector<T> values;
};
template <class T> struct active_elements : passive_elements<T> {};
template <class T> passive_elements<T> given(std::vector<T> values) { return {values}; }
template <class T> active_elements<T> in_given(std::vector<T> values) { return {{values}}; }

/* Several directions, powers of 2 times the one. */
inline constexpr double directions[] = {1, -2, 0.5, 4};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

inline void add_seeds(argument &a, size_t elements, generator &random) {
    a.seed.resize(elements * a.cells->size());
    for (double &s : a.seed) s = random.uniform(0.25, 1.75) * (random.next() & 1 ? 1 : -1);
    generator other{random.state}; /* the primal's numbers are as they would be without a direction */
    for (size_t i = 0; i < a.seed.size(); i++) a.direction.push_back(other.uniform(-1.5, 1.5));
    a.adjoint = device_bytes(a.entry.size());
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
struct direction_calls {
    virtual gw_status tangent(launch where, arguments &all) const = 0;
    virtual gw_status tangents(launch where, arguments &all) const = 0;
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
    double scale = noise / tolerance + 1e-8; // whole adjoints that are what rounding leaves of zero
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

/* Bytes that a launch needs whose tape is measured. */
template <class M, class B> size_t measured(M measure, B bytes) {
    device_bytes sizes(sizeof(gw_sizes));
    if (measure((gw_sizes *)sizes.data()) != GW_OK) return 0;
    return bytes((const gw_sizes *)sizes.data(), (cudaStream_t)0);
}

} // namespace check

#endif
