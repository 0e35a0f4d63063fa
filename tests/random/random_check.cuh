/*
 * random_check.cuh - checks gradients of random kernels against differences, with what check.cuh offers.
 *
 * The rule of what is expected is check.cuh's. Random kernels have kinks and jumps, and bends sharper than one
 * step of the five-point formula resolves. A cell is right if its adjoint is the difference of any of four step
 * sizes: a wrong adjoint meets none of them by chance. If it is instead one of two one-sided differences that
 * differ from each other, the cell is at a kink and counted as such. A kernel over float is compared with the
 * gradient of the same kernel over double, whose own gradient is checked by differences.
 *
 * Everything here is compiled once, whatever the number of kernels: a case is a row of function pointers.
 */
#ifndef GW_TESTS_RANDOM_CHECK_CUH
#define GW_TESTS_RANDOM_CHECK_CUH

#include "random_arguments.cuh"
#include "random_exact.cuh"

#include <algorithm>

namespace check {

struct random_case {
    const char *name;
    uint64_t seed;
    launch where;
    arguments (*make)(generator &);
    void (*primal)(launch, arguments &);
    size_t (*workspace)(launch, arguments &); /* null: there are halves only */
    gw_status (*gradient)(launch, arguments &, device_bytes &);
    gw_status (*forward)(launch, arguments &);
    gw_status (*several)(launch, arguments &); /* null: forward in one direction only */
    size_t (*tape)(launch, arguments &); /* null: there are no halves */
    gw_status (*first)(launch, arguments &, device_bytes &);
    gw_status (*second)(launch, arguments &, device_bytes &);
    size_t (*other_workspace)(launch, arguments &); /* null: the kernel has one gradient */
    gw_status (*other)(launch, arguments &, device_bytes &);
    unsigned int others_arguments; /* a bit for each parameter that it has an adjoint of */
    const random_case *wide; /* of a float kernel: the same over double */
    double noise; /* what counts as 0 beside 1: sums by atomics round as the threads' order falls */
    /* of a kernel with half precision: the parameter that says how the one over double rounds, and what this
     * one does */
    int rounding, kind;
    bool fixed_order; /* another order of the threads gives the same bits */
    launch broken;    /* breaks what is stated of launches, if anything is */
    bool has_broken;
};

const size_t MOST_ROOM = 1 << 26; /* bytes of workspace or tape: a kernel takes some kilobytes */

struct tally {
    size_t cells, kinks;
};

template <class T> T *adjoint_of(argument &a) { return static_cast<T *>(a.adjoint.data()); }

/* An output that stands for the tape of the halves, so nobody overwrites it in between. */
inline argument kept(argument a) {
    a.input_only = true;
    return a;
}

/* `fresh`: what is added to it counts only. */
inline argument renewed(argument a) {
    a.seed.assign(a.count(), 0);
    a.is_new = true;
    return a;
}

/* ---- launches whose parameters are known when the gradient is emitted ---- */
enum { MOST_TOLD = 8 };

/* call(more...) exists with some numbers that the caller has to tell, positions of a list and cells of arrays,
 * or without; one number is as many as any of them. (Of std::tuple and std::apply, one call took a second to
 * compile.) */
template <class F, class... S> auto with_told(size_t number, F call, S... said) {
    static_assert(sizeof...(S) <= MOST_TOLD, "no such function");
    if constexpr (std::is_invocable<F, S...>::value) return call(said...);
    else return with_told(number, call, said..., number);
}

/* Bytes that a launch needs: what the host says, or, if it does not, what is measured. */
template <class F, class M, class B, class... S>
size_t room_of(size_t number, F call, M measure, B read, S... said) {
    static_assert(sizeof...(S) <= MOST_TOLD, "no such function");
    if constexpr (std::is_invocable<F, S...>::value) return call(said...);
    else if constexpr (std::is_invocable<M, gw_sizes *, S...>::value)
        return measured([&](gw_sizes *s) { return measure(s, said...); }, read);
    else return room_of(number, call, measure, read, said..., number);
}

/* The rows of a second half; what stands for a function that is not there takes anything, and returns 0. */
template <class F, class... S> size_t rows_of(size_t number, F call, S... said) {
    if constexpr (sizeof...(S) == MOST_TOLD) return call(said...);
    else return std::max<size_t>(call(said...), rows_of(number, call, said..., number));
}

/* The workspace of a second half is none of its parameters where it needs none. */
template <class F, class... S>
gw_status second_half(device_bytes &rows, size_t number, device_bytes &tape, F call, S... said) {
    static_assert(sizeof...(S) <= MOST_TOLD, "no such function");
    if constexpr (std::is_invocable<F, S..., void *, size_t>::value)
        return call(said..., tape.data(), tape.size());
    else if constexpr (std::is_invocable<F, S..., void *, size_t, void *, size_t>::value)
        return call(said..., tape.data(), tape.size(), rows.data(), rows.size());
    else return second_half(rows, number, tape, call, said..., number);
}

/* Records, which hold anything. */
class records : public device_bytes {
public:
    explicit records(size_t bytes) : device_bytes(bytes) { fill(0x5A); }
    float *floats() const { return static_cast<float *>(data()); }
};

template <class T> T direction_of(argument &a) {
    T value;
    std::memcpy(&value, a.with(a.direction).data(), sizeof(T));
    return value;
}

typedef std::vector<double> numbers;

inline numbers exit_values(const random_case &c, arguments &all) {
    upload(all);
    c.primal(c.where, all);
    numbers values;
    for (argument &a : all)
        if (a.primal.size()) {
            numbers here = a.count() ? a.read(a.primal) : numbers();
            values.insert(values.end(), here.begin(), here.end());
        } else
            for (size_t i = 0; i < a.count(); i++) values.push_back(a.value(i));
    return values;
}

/* The weighted difference of L for a few multiples of h, cell by cell so that equal values cancel exactly. */
class probe {
public:
    probe(const random_case &tested, arguments &values, argument &which, size_t cell)
        : c(tested), all(values), a(which), i(cell), x(which.value(cell)), seeds(all_seeds(values)) {}
    probe(const probe &) = delete;

    double five_point(double h) { return (8 * (at(h, -h)) - at(2 * h, -2 * h)) / (12 * h); }
    double one_sided(double h) { return (4 * at(h, 0) - at(2 * h, 0)) / (2 * h); }

private:
    double at(double up, double down) {
        numbers high = values(up), low = values(down);
        double sum = 0;
        for (size_t k = 0; k < seeds.size(); k++) sum += seeds[k] * (high[k] - low[k]);
        return sum;
    }
    numbers values(double step) {
        a.set_value(i, x + step);
        numbers v = exit_values(c, all);
        a.set_value(i, x);
        return v;
    }
    const random_case &c;
    arguments &all;
    argument &a;
    size_t i;
    double x;
    numbers seeds;
};

enum verdict { right, at_kink, wrong };

inline double step_of(double x, int bits) {
    double size = std::fabs(x) > 0.125 ? std::fabs(x) : 0.125;
    return std::ldexp(1, std::ilogb(size) - bits);
}

inline verdict judge(const random_case &c, arguments &all, argument &a, size_t i, double got, double &want) {
    probe p(c, all, a, i);
    double x = a.value(i);
    want = p.five_point(step_of(x, 12));
    if (near(got, want, 1e-7, c.noise)) return right;
    for (int bits = 16; bits <= 24; bits += 4)
        if (near(got, p.five_point(step_of(x, bits)), bits == 24 ? 1e-5 : 1e-6, c.noise)) return right;
    for (int bits = 13; bits <= 21; bits += 4) {
        double h = step_of(x, bits), above = p.one_sided(h), below = p.one_sided(-h);
        bool meets = near(got, above, 1e-5, 1e-2) || near(got, below, 1e-5, 1e-2);
        if (meets && !near(above, below, 1e-4, 1e-2)) return at_kink;
    }
    return wrong;
}

/* overwrite: the outputs, between the halves. */
inline gw_status run_halves(const random_case &c, arguments &all, device_bytes &tape, bool overwrite) {
    upload(all);
    gw_status status = c.first(c.where, all, tape);
    for (argument &a : all)
        if (overwrite && a.count() && a.primal.size() && !a.input_only) a.primal.fill(0xFF);
    return status == GW_OK && device_ok() ? c.second(c.where, all, tape) : status;
}

/* Runs the gradient twice on refilled seeds; the adjoints on exit, empty if something failed. */
inline std::vector<numbers> run_gradient(trial &t, const random_case &c, arguments &all) {
    std::vector<numbers> got[2];
    upload(all);
    const size_t room = c.workspace ? c.workspace(c.where, all) : c.tape(c.where, all);
    if (room > MOST_ROOM) {
        t.fail(__FILE__, __LINE__, "a launch of few threads asks for " + text((double)room) + " bytes");
        return {};
    }
    device_bytes space(room);
    for (std::vector<numbers> &round : got) {
        for (argument &a : all)
            if (a.count()) a.write_seeds();
        space.fill(0xA5);
        gw_status status = c.gradient ? c.gradient(c.where, all, space) : run_halves(c, all, space, false);
        if (status != GW_OK || !device_ok()) {
            t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + gw_last_error());
            return {};
        }
        exact_log::end();
        for (argument &a : all) round.push_back(a.count() ? a.read(a.adjoint) : numbers());
    }
    if (c.gradient) check_primal_bytes(t, all);
    for (size_t k = 0; k < all.size(); k++)
        for (size_t i = 0; i < all[k].count() && c.fixed_order; i++)
            if (std::memcmp(&got[1][k][i], &got[0][k][i], sizeof(double)) != 0)
                t.fail(__FILE__, __LINE__,
                       "another order gives other bits in parameter " + text((double)k) + ", cell " +
                           text((double)i));
    double worst = 0; /* a seeded order of threads is another one in each launch, and so are sums by atomics */
    for (size_t k = 0; k < all.size(); k++) compare(t, k, got[1][k], got[0][k], c.wide ? 1e-4 : 1e-10, worst);
    return got[0];
}

/* The first half does what the primal does, the second what the joined form does, though the outputs are
 * overwritten. */
inline void check_halves(trial &t, const random_case &c, arguments &all, const std::vector<numbers> &want) {
    upload(all);
    device_bytes tape(c.tape(c.where, all));
    numbers values = exit_values(c, all);
    upload(all);
    tape.fill(0x5A);
    gw_status status = c.first(c.where, all, tape);
    if (status == GW_OK && device_ok())
        compare_exit(t, "value", named_values(all), values, c.wide ? 1e-4 : 1e-12);
    for (argument &a : all)
        if (a.count()) a.write_seeds();
    if (status == GW_OK) status = run_halves(c, all, tape, true);
    if (status != GW_OK || !device_ok())
        return t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + gw_last_error());
    double worst = 0;
    for (size_t k = 0; k < all.size(); k++)
        if (all[k].count()) compare(t, k, all[k].read(all[k].adjoint), want[k], c.wide ? 1e-3 : 1e-9, worst);
}

/* Another gradient of the kernel, made in another way or of fewer inputs. */
inline void check_other(trial &t, const random_case &c, arguments &all, const std::vector<numbers> &want) {
    upload(all);
    device_bytes space(c.other_workspace(c.where, all));
    for (argument &a : all)
        if (a.count()) a.write_seeds();
    space.fill(0xA5);
    gw_status status = c.other(c.where, all, space);
    if (status != GW_OK || !device_ok())
        return t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + gw_last_error());
    check_primal_bytes(t, all);
    double worst = 0;
    for (size_t k = 0; k < all.size(); k++)
        if (c.others_arguments >> k & 1)
            compare(t, k, all[k].read(all[k].adjoint), want[k], c.wide ? 1e-3 : 1e-9, worst);
}

/* A launch that breaks what is stated of it is refused, and touches nothing. */
inline void check_broken(trial &t, const random_case &c, arguments &all) {
    upload(all);
    device_bytes space(c.workspace(c.where, all));
    std::vector<numbers> before;
    for (argument &a : all) {
        if (a.count()) a.write_seeds();
        before.push_back(a.count() ? a.read(a.adjoint) : numbers());
    }
    const gw_status status = c.gradient(c.broken, all, space);
    if (status != GW_ERROR_LAUNCH || !device_ok())
        t.fail(__FILE__, __LINE__, std::string("a launch that breaks a fact: ") + gw_status_text(status));
    for (size_t k = 0; k < all.size(); k++) {
        const numbers now = all[k].count() ? all[k].read(all[k].adjoint) : numbers(); /* may hold no numbers */
        if (!now.empty() && std::memcmp(now.data(), before[k].data(), now.size() * sizeof now[0]) != 0)
            t.fail(__FILE__, __LINE__, "a launch that breaks a fact writes parameter " + text((double)k));
    }
    check_primal_bytes(t, all);
}

/* Several directions at once, each as the one. */
struct forward_calls final : primal_calls, direction_calls {
    const random_case &c;
    explicit forward_calls(const random_case &of) : c(of) {}
    void run(launch where, arguments &all) const override { c.primal(where, all); }
    gw_status tangent(launch where, arguments &all) const override { return c.forward(where, all); }
    gw_status tangents(launch where, arguments &all) const override { return c.several(where, all); }
};

/* Both ways together, kinks or not: <s, tangents on exit> = <adjoints on exit, v>; and the primal's values. */
inline void check_forward(trial &t, const random_case &c, arguments &all, const std::vector<numbers> &adjoints,
                          double values_off = 1e-12, double dot_off = 1e-9) {
    numbers values = exit_values(c, all), tangents;
    upload(all);
    for (argument &a : all)
        if (a.count()) a.adjoint.put(a.with(a.direction).data());
    gw_status status = c.forward(c.where, all);
    if (status != GW_OK || !device_ok())
        return t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + gw_last_error());
    for (argument &a : all) {
        numbers here = a.count() ? a.read(a.adjoint) : numbers();
        tangents.insert(tangents.end(), here.begin(), here.end());
    }
    compare_exit(t, "value", named_values(all), values, values_off);
    bool finite = true;
    for (const numbers &a : adjoints) finite = finite && all_finite(a);
    if (finite) check_dot_product(t, all, tangents, adjoints, dot_off);
}

inline void check_differences(trial &t, const random_case &c, arguments &all, const std::vector<numbers> &got,
                              tally &count) {
    for (size_t k = 0; k < all.size(); k++)
        for (size_t i = 0; i < all[k].count(); i++) {
            double want;
            verdict v = judge(c, all, all[k], i, got[k][i], want);
            count.cells++;
            count.kinks += v == at_kink;
            if (v == wrong)
                t.fail(__FILE__, __LINE__,
                       "adjoint of parameter " + text((double)k) + ", cell " + text((double)i) + " is " +
                           text(got[k][i]) + ", not " + text(want));
        }
}

/* Single and double precision are on one side of every jump. */
inline bool same_way(const random_case &c, arguments &all, arguments &wide) {
    const numbers here = exit_values(c, all), there = exit_values(*c.wide, wide);
    for (size_t i = 0; i < here.size(); i++)
        if (!near(here[i], there[i], 1e-3, 1)) return false;
    return true;
}

/* How far two sets of adjoints are apart, beside their size as `compare` takes it. */
inline double distance(const std::vector<numbers> &got, const std::vector<numbers> &want) {
    double worst = 0;
    for (size_t k = 0; k < want.size(); k++) {
        double scale = 0;
        for (double w : want[k]) scale += std::fabs(w) / (double)want[k].size();
        for (size_t i = 0; i < want[k].size(); i++) {
            double size = std::fmax(std::fabs(want[k][i]), scale);
            if (size > 0) worst = std::fmax(worst, std::fabs(got[k][i] - want[k][i]) / size);
        }
    }
    return worst;
}

/* What single precision may change: so many times what the adjoints over double move by if each input is
 * rounded like a float. */
const double ROUNDINGS = 64;

inline bool is_ill_conditioned(trial &t, const random_case &c, const std::vector<numbers> &want) {
    generator random{c.seed};
    arguments all = c.wide->make(random);
    int sign = 1;
    for (argument &a : all)
        for (size_t i = 0; i < a.count(); i++, sign = -sign)
            a.set_value(i, a.value(i) * (1 + sign * std::ldexp(1, -24)));
    std::vector<numbers> moved = run_gradient(t, *c.wide, all);
    return !moved.empty() && ROUNDINGS * distance(moved, want) > 1e-3;
}

inline void set_rounding(arguments &all, int parameter, int kind) {
    std::memcpy(all[(size_t)parameter].entry.data(), &kind, sizeof(kind));
}

/* A kernel with half precision: both ways against each other, which round alike, and against the same over
 * double that rounds where this one does. Where float and double fall on two sides of a rounding, one number is
 * off by a unit in its last place, and every rounding by at most half a unit from none: so what all roundings
 * together change, several times, says what those few may. Where that is much, there is nothing to compare with
 * over double. */
inline const char *check_low(trial &t, const random_case &c, arguments &here, const std::vector<numbers> &got) {
    const double most = 0.05, times = 8;
    if (c.forward) check_forward(t, c, here, got, 1e-3, 1e-4);
    generator random{c.seed};
    arguments all = c.wide->make(random);
    const std::vector<numbers> smooth = run_gradient(t, *c.wide, all);
    set_rounding(all, c.wide->rounding, c.kind);
    const std::vector<numbers> want = run_gradient(t, *c.wide, all);
    if (smooth.empty() || want.empty()) return "FAIL";
    const double off = distance(got, want), effect = distance(smooth, want);
    if (off <= 1e-3) return "ok";
    if (!(effect <= most)) return "unusable";
    if (off <= times * effect) return "ok";
    double worst = 0;
    for (size_t k = 0; k < want.size(); k++) compare(t, k, got[k], want[k], 1e-3, worst);
    return "FAIL";
}

/* "unusable": the kernel's own values are not finite, or jump where single precision rounds, so there is
 * nothing to compare with. Where rounding alone changes the adjoints of single precision by more than is
 * allowed, those over double are compared with differences instead. */
inline const char *run_random(trial &t, const random_case &c, tally &count) {
    generator random{c.seed}, again{c.seed};
    arguments all = c.make(random);
    if (!all_finite(exit_values(c, all))) return "unusable";
    std::vector<numbers> got = run_gradient(t, c, all);
    if (got.empty()) return "FAIL";
    if (c.gradient && c.tape) check_halves(t, c, all, got);
    if (c.other) check_other(t, c, all, got);
    if (c.several) {
        const forward_calls calls(c);
        check_directions(t, calls, calls, c.wide ? 1e-4 : 1e-8, c.where, all);
    }
    if (c.has_broken && c.gradient) check_broken(t, c, all);
    if (c.wide && c.rounding >= 0) {
        const char *result = check_low(t, c, all, got);
        if (!t.failures) return result;
    } else if (c.wide) {
        arguments wide = c.wide->make(again);
        if (!same_way(c, all, wide)) return "unusable";
        std::vector<numbers> want = run_gradient(t, *c.wide, wide);
        double worst = 0;
        if (!want.empty() && distance(got, want) > 1e-3 && is_ill_conditioned(t, c, want))
            check_differences(t, *c.wide, wide, want, count);
        else
            for (size_t k = 0; k < want.size(); k++) compare(t, k, got[k], want[k], 1e-3, worst);
    } else {
        if (c.forward) check_forward(t, c, all, got);
        check_differences(t, c, all, got, count);
    }
    return t.failures ? "FAIL" : "ok";
}

/* Arguments: the number of the first case. One line before and one after each case, so that a program that
 * is ended by a report or a trap can be begun again behind it. */
inline int run_random_cases(const random_case *const *cases, int count, int argc, char **argv) {
    for (int k = argc > 1 ? std::atoi(argv[1]) : 0; k < count; k++) {
        std::printf("begin %d %s\n", k, cases[k]->name);
        std::fflush(stdout);
        trial t{cases[k]->name, false, 0, {}};
        tally n{0, 0};
        const char *result = run_random(t, *cases[k], n);
        if (!device_ok()) return 1; /* for good: the rest needs a process of its own */
        std::printf("end %s %s %zu %zu\n", cases[k]->name, result, n.cells, n.kinks);
        std::fflush(stdout);
    }
    return 0;
}

} // namespace check

#endif
