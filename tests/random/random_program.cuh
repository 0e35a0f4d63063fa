/*
 * random_program.cuh - checks gradients of random programs, functions of the host that launch kernels.
 *
 * With L = the sum over all outputs of seed * value on exit, the adjoint on exit is dL/d(value on entry), of an
 * input beside what it was on entry. Differences of L along each element and along one direction say so; values
 * on exit are the primal's, inputs are as they were. Once without a pool, twice from one (the same bits, and
 * nothing is allocated again); with threads in another order; with streams that run late; and with each call
 * failing in turn (random_runtime.cuh), after which nothing is lost and the pool serves another run. What the
 * outputs change by along a direction, by the forward derivative, is what the gradient says of that direction;
 * what the adjoints change by, by the Hessian times a vector, is what differences of the gradient say, the same
 * from either side.
 *
 * On a GPU streams run as they do there, atomics add in any order (so that bits are not compared), and launches
 * do not fail.
 */
#ifndef GW_TESTS_RANDOM_PROGRAM_CUH
#define GW_TESTS_RANDOM_PROGRAM_CUH

#include "../support/expect.cuh"
#include "random_runtime.cuh"

#include <gradwright/program.h>

#include <algorithm>

namespace check {

enum { CELLS = 6, PARAMETERS_MOST = 12, NUMBERS_MOST = 4 };
enum role { INPUT, OUTPUT, BOTH_WAYS, NOT_ASKED, INDEX };
enum where { DEVICE, MANAGED, PINNED, HOST };

struct parameter {
    role what;
    where lies;
    int cells;
    bool kept; /* as it was, behind a gradient */
};

struct call {
    double *at[PARAMETERS_MOST], *d[PARAMETERS_MOST], number[NUMBERS_MOST], d_number[NUMBERS_MOST];
    double *t[PARAMETERS_MOST], *t_d[PARAMETERS_MOST], t_number[NUMBERS_MOST], t_d_number[NUMBERS_MOST];
    int n, steps, mode;
    cudaStream_t first, second;
    const int *index(int k) const { return (const int *)at[k]; }
};

struct random_program {
    const char *name;
    uint64_t seed;
    int steps, mode, numbers;
    unsigned int asked; /* a bit for each number */
    bool keeps_order;   /* of the primal's own sums */
    std::vector<parameter> list;
    void (*primal)(call &);
    gw_status (*gradient)(gw_pool *, call &);
    gw_status (*forward)(gw_pool *, call &); /* null: it is not asked for */
    gw_status (*twice)(gw_pool *, call &);
};

typedef std::vector<std::vector<double>> values;

class room {
  public:
    room(const random_program &program) : p(program) {
        generator random{p.seed};
        c = call();
        c.n = CELLS, c.steps = p.steps, c.mode = p.mode;
        cudaStreamCreate(&c.first);
        cudaStreamCreate(&c.second);
        for (size_t k = 0; k < p.list.size(); k++) {
            for (double **made : {c.at, c.d, c.t, c.t_d})
                made[k] = allocate(p.list[k]);
            for (values *v : {&entry, &seeds, &along})
                v->push_back({});
            for (int i = 0; i < p.list[k].cells; i++) {
                entry[k].push_back(random.uniform(-1, 1));
                seeds[k].push_back(random.uniform(-1, 1));
                along[k].push_back(random.uniform(-1, 1));
            }
        }
        for (values *v : {&entry, &seeds, &along})
            v->push_back({});
        for (int k = 0; k < p.numbers; k++) {
            entry.back().push_back(random.uniform(0.3, 0.9));
            seeds.back().push_back(random.uniform(-1, 1));
            along.back().push_back(random.uniform(-1, 1));
        }
    }
    room(const room &) = delete;
    ~room() {
        for (size_t k = 0; k < p.list.size(); k++)
            for (double **made : {c.at, c.d, c.t, c.t_d})
                release(p.list[k], made[k]);
        cudaStreamDestroy(c.first);
        cudaStreamDestroy(c.second);
    }

    void set(const values &from) { set(from, seeds); }
    void set(const values &from, const values &beside) {
        for (size_t k = 0; k < p.list.size(); k++) {
            const size_t bytes = from[k].size() * sizeof(double);
            std::vector<int> list;
            for (int i = 0; i < p.list[k].cells; i++)
                list.push_back((i * 5 + 2) % p.list[k].cells);
            if (p.list[k].what == INDEX)
                move(c.at[k], list.data(), list.size() * sizeof(int));
            else
                move(c.at[k], from[k].data(), bytes);
            move(c.d[k], beside[k].data(), bytes);
        }
        for (int k = 0; k < p.numbers; k++)
            c.number[k] = from.back()[(size_t)k], c.d_number[k] = beside.back()[(size_t)k];
    }
    /* Tangents along a direction, of what is asked; adjoints do not change. */
    void set_tangents(const values &by) {
        const std::vector<double> none(2 * CELLS);
        for (size_t k = 0; k < p.list.size(); k++) {
            move(c.t[k], by[k].data(), by[k].size() * sizeof(double));
            move(c.t_d[k], none.data(), by[k].size() * sizeof(double));
        }
        for (int k = 0; k < p.numbers; k++)
            c.t_number[k] = by.back()[(size_t)k], c.t_d_number[k] = 0;
    }
    values changes() const { return get(c.t_d, c.t_d_number); }
    values get(double *const *from, const double *numbers) const {
        values got;
        for (size_t k = 0; k < p.list.size(); k++) {
            got.push_back(std::vector<double>((size_t)p.list[k].cells));
            move(got[k].data(), from[k], got[k].size() * sizeof(double));
        }
        got.push_back(std::vector<double>(numbers, numbers + p.numbers));
        return got;
    }
    values state() const { return get(c.at, c.number); }
    values adjoints() const { return get(c.d, c.d_number); }

    values exit_of(const values &from) {
        set(from);
        p.primal(c);
        cudaDeviceSynchronize();
        return state();
    }
    bool is_result(size_t k) const {
        return k < p.list.size() && (p.list[k].what == OUTPUT || p.list[k].what == BOTH_WAYS);
    }
    bool is_asked(size_t k) const {
        return k == p.list.size() || (p.list[k].what != NOT_ASKED && p.list[k].what != INDEX);
    }
    double difference(const values &by, double h) {
        const double weights[] = {8, -8, -1, 1}, steps[] = {h, -h, 2 * h, -2 * h};
        double sum = 0;
        for (int s = 0; s < 4; s++) {
            values moved = entry;
            for (size_t k = 0; k < moved.size(); k++)
                for (size_t i = 0; i < moved[k].size(); i++)
                    moved[k][i] += steps[s] * by[k][i];
            const values end = exit_of(moved);
            for (size_t k = 0; k < end.size(); k++)
                for (size_t i = 0; is_result(k) && i < end[k].size(); i++)
                    sum += weights[s] * seeds[k][i] * end[k][i];
        }
        return sum / (12 * h);
    }

    const random_program &p;
    call c;
    values entry, seeds, along;

  private:
    /* No call of the program's: it is not counted, and does not fail. */
    static void move(void *to, const void *from, size_t bytes) {
        __real_cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
    }
    static double *allocate(const parameter &what) {
        const size_t bytes = (size_t)what.cells * sizeof(double);
        void *made = nullptr;
        if (what.lies == DEVICE) cudaMalloc(&made, bytes);
        if (what.lies == MANAGED) cudaMallocManaged(&made, bytes);
        if (what.lies == PINNED) cudaMallocHost(&made, bytes);
        if (what.lies == HOST) made = std::calloc(1, bytes);
        return (double *)made;
    }
    static void release(const parameter &what, double *at) {
        if (what.lies == HOST)
            std::free(at);
        else if (what.lies == PINNED)
            cudaFreeHost(at);
        else
            cudaFree(at);
    }
};

#ifdef GW_RANDOM_FIXED_ORDER
enum { fixed_order = 1 };
#else
enum { fixed_order = 0 };
#endif
#ifdef GW_CPU_DEVICE
enum { on_cpu_device = 1 };
#else
enum { on_cpu_device = 0 };
#endif

inline bool same_cell(double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (!on_cpu_device && near(a, b, 1e-9, 1));
}
inline bool same_bits(const values &a, const values &b) {
    for (size_t k = 0; k < a.size(); k++)
        for (size_t i = 0; i < a[k].size(); i++)
            if (!same_cell(a[k][i], b[k][i])) return false;
    return true;
}

inline void compare(trial &t, const room &r, const values &got, const values &want,
                    bool (room::*counts)(size_t) const, const char *what, double tolerance) {
    for (size_t k = 0; k < got.size(); k++)
        for (size_t i = 0; (r.*counts)(k) && i < got[k].size(); i++)
            if (!near(got[k][i], want[k][i], tolerance, 1))
                t.fail(__FILE__, __LINE__,
                       std::string(what) + " of parameter " + text((double)k) + ", cell " + text((double)i) +
                           " is " + text(got[k][i]) + ", not " + text(want[k][i]));
}

/* Exit of the primal and inputs. */
inline void check_memory(trial &t, const room &r, const values &end) {
    const values now = r.state();
    for (size_t k = 0; k < r.p.list.size(); k++) {
        const bool kept = r.p.list[k].kept;
        if (r.p.list[k].what == INDEX) continue;
        for (size_t i = 0; i < now[k].size(); i++)
            if (kept ? now[k][i] != r.entry[k][i] : !near(now[k][i], end[k][i], 1e-12, 1))
                t.fail(__FILE__, __LINE__,
                       std::string(kept ? "input " : "value ") + text((double)k) +
                           " is not the primal's in cell " + text((double)i) + ": " + text(now[k][i]) +
                           ", not " + text(kept ? r.entry[k][i] : end[k][i]));
    }
}

/* A gradient's run; whether it went well. */
inline bool run(trial &t, room &r, gw_pool *pool, const values &end, const char *how) {
    r.set(r.entry);
    const gw_status status = r.p.gradient(pool, r.c);
    const std::string said = status == GW_OK ? "" : gw_last_error();
    if (status == GW_OK && device_ok()) {
        check_memory(t, r, end);
        return true;
    }
    t.fail(__FILE__, __LINE__, std::string(gw_status_text(status)) + ": " + said + how);
    return false;
}

/* Steps become smaller where they may have met a jump or a kink: of two keys that are nearly equal. */
inline double nearest_difference(room &r, const values &by, double got, double h, double tolerance) {
    double want = r.difference(by, h);
    for (int again = 0; again < 3 && !near(got, want, tolerance, 1); again++)
        want = r.difference(by, h /= 16);
    return want;
}

inline void check_differences(trial &t, room &r, const values &got) {
    values all = r.entry;
    for (std::vector<double> &v : all)
        std::fill(v.begin(), v.end(), 0.0);
    const double h = std::ldexp(1, -9);
    double sum = 0;
    for (size_t k = 0; k < got.size(); k++)
        for (size_t i = 0; r.is_asked(k) && i < got[k].size(); i++) {
            if (k == r.p.list.size() && !(r.p.asked >> i & 1)) continue;
            const double d = got[k][i] - (r.is_result(k) ? 0 : r.seeds[k][i]);
            all[k][i] = 1;
            const double want = nearest_difference(r, all, d, h, 1e-7);
            all[k][i] = 0;
            sum += d * r.along[k][i];
            if (!near(d, want, 1e-7, 1))
                t.fail(__FILE__, __LINE__,
                       "adjoint of parameter " + text((double)k) + ", cell " + text((double)i) + " is " +
                           text(d) + ", not " + text(want));
        }
    for (size_t k = 0; k < all.size(); k++)
        for (size_t i = 0; r.is_asked(k) && i < all[k].size(); i++)
            if (k < r.p.list.size() || r.p.asked >> i & 1) all[k][i] = r.along[k][i];
    const double want = nearest_difference(r, all, sum, h / 4, 1e-6);
    if (!near(sum, want, 1e-6, 1))
        t.fail(__FILE__, __LINE__, "derivative along a direction is " + text(sum) + ", not " + text(want));
}

/* A forward derivative's run against what the gradient has given. */
inline void check_along(trial &t, room &r, gw_pool *pool, const values &end, const values &got,
                        const char *how) {
    r.set(r.entry, r.along);
    const gw_status status = r.p.forward(pool, r.c);
    const std::string said = status == GW_OK ? "" : gw_last_error();
    if (status != GW_OK || !device_ok()) {
        t.fail(__FILE__, __LINE__, "forward: " + std::string(gw_status_text(status)) + ": " + said + how);
        return;
    }
    const values now = r.state(), out = r.adjoints();
    double forward = 0, back = 0;
    for (size_t k = 0; k < got.size(); k++)
        for (size_t i = 0; i < got[k].size(); i++) {
            if (r.is_result(k)) forward += r.seeds[k][i] * out[k][i];
            const bool asked = r.is_asked(k) && (k < r.p.list.size() || r.p.asked >> i & 1);
            if (asked) back += (got[k][i] - (r.is_result(k) ? 0 : r.seeds[k][i])) * r.along[k][i];
            const bool counts = k < r.p.list.size() && r.p.list[k].what != INDEX;
            if (counts && !near(now[k][i], end[k][i], 1e-12, 1))
                t.fail(__FILE__, __LINE__, "forward, value " + text((double)k) + " is not the primal's" + how);
        }
    if (!near(forward, back, 1e-9, 1))
        t.fail(__FILE__, __LINE__, "forward " + text(forward) + ", backward " + text(back) + how);
}

/* Without a pool, twice from one, and with streams that run late. */
inline void check_forward(trial &t, room &r, const values &end, const values &got) {
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    check_along(t, r, nullptr, end, got, "");
    for (int again = 0; again < 2 && !t.failures; again++) {
        const unsigned long before = shim::state.allocations;
        check_along(t, r, pool, end, got, " (from a pool)");
        if (again > 0 && shim::state.allocations != before)
            t.fail(__FILE__, __LINE__, "forward allocates again");
    }
    shim::late = on_cpu_device;
    shim::draws = r.p.seed;
    for (int again = 0; again < 2 && !t.failures; again++)
        check_along(t, r, pool, end, got, " (late streams)");
    shim::finish_all();
    shim::late = false;
    gw_pool_free(pool);
}

/* ---- second derivatives ---- */

/* The direction of what is asked, and zeros; turned: another one. */
inline values direction(const room &r, bool turned) {
    values by = r.along;
    for (size_t k = 0; k < by.size(); k++) {
        if (turned) std::reverse(by[k].begin(), by[k].end());
        for (size_t i = 0; i < by[k].size(); i++)
            if (!r.is_asked(k) || (k == r.p.list.size() && !(r.p.asked >> i & 1))) by[k][i] = 0;
    }
    return by;
}

inline values gradient_at(trial &t, room &r, const values &by, double h) {
    values moved = r.entry;
    for (size_t k = 0; k < moved.size(); k++)
        for (size_t i = 0; i < moved[k].size(); i++)
            moved[k][i] += h * by[k][i];
    r.set(moved);
    if (r.p.gradient(nullptr, r.c) != GW_OK) t.fail(__FILE__, __LINE__, gw_last_error());
    return r.adjoints();
}

/* The runtime may learn too late that memory has tangents. */
inline bool must_be_named(gw_status status, const std::string &said) {
    return status == GW_ERROR_ARGUMENT && said.find(": name it in the request") != std::string::npos;
}

inline values run_twice(trial &t, room &r, gw_pool *pool, const values &by, const values &end,
                        const values &got, const char *how, bool &named) {
    r.set(r.entry);
    r.set_tangents(by);
    const gw_status status = r.p.twice(pool, r.c);
    const std::string said = status == GW_OK ? "" : gw_last_error();
    if ((named = must_be_named(status, said))) return {};
    if (status != GW_OK || !device_ok())
        t.fail(__FILE__, __LINE__, "twice: " + std::string(gw_status_text(status)) + ": " + said + how);
    else
        check_memory(t, r, end);
    compare(t, r, r.adjoints(), got, &room::is_asked, "beside second derivatives, the adjoint", 1e-9);
    return r.changes();
}

inline double product(const values &a, const values &b) {
    double sum = 0;
    for (size_t k = 0; k < a.size(); k++)
        for (size_t i = 0; i < a[k].size(); i++)
            sum += a[k][i] * b[k][i];
    return sum;
}

/* Differences of the gradient; a kink may lie between, so that several steps are tried. */
inline void check_changes(trial &t, room &r, const values &by, const values &changes) {
    bool good = false;
    std::string wrong;
    for (double h = std::ldexp(1, -9); h > 1e-6 && !good; h /= 16) {
        values near_by[4];
        const double steps[] = {h, -h, 2 * h, -2 * h};
        for (int s = 0; s < 4; s++)
            near_by[s] = gradient_at(t, r, by, steps[s]);
        good = true;
        for (size_t k = 0; k < changes.size(); k++)
            for (size_t i = 0; r.is_asked(k) && i < changes[k].size(); i++) {
                if (k == r.p.list.size() && !(r.p.asked >> i & 1)) continue;
                const double want = (8 * near_by[0][k][i] - 8 * near_by[1][k][i] - near_by[2][k][i] +
                                     near_by[3][k][i]) /
                                    (12 * h);
                if (near(changes[k][i], want, 1e-6, 1)) continue;
                good = false;
                wrong = "second derivative of parameter " + text((double)k) + ", cell " + text((double)i) +
                        " is " + text(changes[k][i]) + ", not " + text(want);
            }
    }
    if (!good) t.fail(__FILE__, __LINE__, wrong);
}

/* Whether it is refused, as the request must name some memory. */
inline bool check_twice(trial &t, room &r, const values &end, const values &got) {
    bool named = false, again_named = false;
    const values by = direction(r, false), other = direction(r, true),
                 changes = run_twice(t, r, nullptr, by, end, got, "", named);
    if (named) return true;
    if (!t.failures && !t.quick) check_changes(t, r, by, changes);
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    for (int again = 0; again < 3 && !t.failures; again++) {
        const unsigned long before = shim::state.allocations;
        const values turned = run_twice(t, r, pool, other, end, got, " (from a pool)", again_named);
        if (again_named) {
            t.fail(__FILE__, __LINE__, "from a pool the request must name more");
            break;
        }
        const double one = product(changes, other), two = product(turned, by);
        if (!near(one, two, 1e-8, 1))
            t.fail(__FILE__, __LINE__, "v'Hw is " + text(one) + ", w'Hv " + text(two));
        if (again == 1 && shim::state.allocations != before)
            t.fail(__FILE__, __LINE__, "second derivatives allocate again");
        shim::late = on_cpu_device && again;
        shim::draws = r.p.seed;
    }
    shim::finish_all();
    shim::late = false;
    gw_pool_free(pool);
    return false;
}

/* One call fails. */
inline void check_failure(trial &t, room &r, const values &end, const values &want, unsigned long n) {
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    const long alive = shim::state.alive;
    r.set(r.entry);
    shim::state.fail_at = shim::state.calls + n;
    const gw_status status = r.p.gradient(pool, r.c);
    const std::string said = gw_last_error(), where = " (call " + text((double)n) + " fails)";
    shim::state.fail_at = 0;
    shim::state.pending = cudaSuccess;
    if (!device_ok()) t.fail(__FILE__, __LINE__, "the device is lost" + where);
    if (status == GW_OK) {
        check_memory(t, r, end);
        if (!same_bits(r.adjoints(), want)) t.fail(__FILE__, __LINE__, "wrong, and GW_OK" + where);
    } else {
        const values now = r.state();
        for (size_t k = 0; k < r.p.list.size(); k++)
            if (r.p.list[k].kept && r.p.list[k].what != INDEX && now[k] != r.entry[k])
                t.fail(__FILE__, __LINE__, "an input is not put back" + where + said);
        if (said.empty()) t.fail(__FILE__, __LINE__, "an error without a text" + where);
        const values d = r.adjoints();
        if (said.find("not as they were") == std::string::npos && !same_bits(d, r.seeds))
            t.fail(__FILE__, __LINE__, "an adjoint is not as it was, and not named" + where + said);
        if (d.back() != r.seeds.back()) t.fail(__FILE__, __LINE__, "a number's adjoint changed" + where + said);
    }
    if (run(t, r, pool, end, where.c_str()) && !same_bits(r.adjoints(), want))
        t.fail(__FILE__, __LINE__, "the run after a failure is wrong" + where);
    gw_pool_free(pool);
    if (shim::state.alive != alive) t.fail(__FILE__, __LINE__, "memory is lost" + where);
}

inline void check_failures(trial &t, room &r, const values &end, const values &want, unsigned long most) {
    const unsigned long before = shim::state.calls;
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    r.set(r.entry);
    r.p.gradient(pool, r.c);
    const unsigned long count = shim::state.calls - before, by = count / most + 1;
    gw_pool_free(pool);
    for (unsigned long n = 1 + r.p.seed % by; n <= count && !t.failures; n += by)
        check_failure(t, r, end, want, n);
}

inline void order_threads(const char *seed) {
    if (seed)
        setenv("GW_CPU_SEED", seed, 1);
    else
        unsetenv("GW_CPU_SEED");
}

inline void check_from_pool(trial &t, room &r, const values &end, values &got) {
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    for (int again = 0; again < 3 && !t.failures; again++) {
        const unsigned long before = shim::state.allocations;
        if (!run(t, r, pool, end, "")) break;
        if (again > 0 && shim::state.allocations != before)
            t.fail(__FILE__, __LINE__,
                   "a second run allocates " + text((double)(shim::state.allocations - before)) + " times");
        if (!same_bits(r.adjoints(), got)) t.fail(__FILE__, __LINE__, "other bits from a pool");
    }
    gw_pool_free(pool);
}

/* What another device has to have too. */
inline void report(trial &t, const room &r, const values &end, const values &got) {
    double value = 0, adjoint = 0;
    for (size_t k = 0; k < got.size(); k++)
        for (size_t i = 0; i < got[k].size(); i++) {
            if (r.is_result(k)) value += end[k][i] * r.along[k][i];
            if (r.is_asked(k)) adjoint += got[k][i] * r.along[k][i];
        }
    t.report("tolerance", 1e-8);
    t.report("values", value);
    t.report("adjoints", adjoint);
}

inline void check_late(trial &t, room &r, const values &end, const values &want, uint64_t seed) {
    gw_pool *pool = nullptr;
    gw_pool_make(&pool);
    shim::late = true;
    shim::draws = seed;
    values late = r.exit_of(r.entry);
    compare(t, r, late, end, &room::is_result, "a value, on late streams,", 1e-12);
    for (int again = 0; again < 2 && !t.failures; again++)
        if (run(t, r, pool, end, " (late streams)"))
            compare(t, r, r.adjoints(), want, &room::is_asked, "with late streams, the adjoint",
                    fixed_order && r.p.keeps_order ? 0 : 1e-9);
    shim::finish_all();
    shim::late = false;
    gw_pool_free(pool);
}

inline void check_orders(trial &t, room &r, const values &end, const values &got) {
    order_threads("7");
    if (!t.failures && run(t, r, nullptr, end, " (another order of threads)"))
        compare(t, r, r.adjoints(), got, &room::is_asked, "in another order, the adjoint",
                fixed_order && r.p.keeps_order ? 0 : 1e-9);
    order_threads(nullptr);
    for (uint64_t seed = 1; seed <= 3 && !t.failures; seed++)
        check_late(t, r, end, got, r.p.seed + seed);
}

inline const char *run_random(trial &t, const random_program &p, unsigned long faults) {
    const long alive = shim::state.alive;
    bool refused = false;
    {
        room r(p);
        order_threads(nullptr);
        const values end = r.exit_of(r.entry);
        for (size_t k = 0; k < end.size(); k++)
            for (double x : end[k])
                if ((k == p.list.size() || p.list[k].what != INDEX) && !(std::fabs(x) <= 1e3))
                    return "unusable";
        values got;
        if (run(t, r, nullptr, end, "")) {
            got = r.adjoints();
            report(t, r, end, got);
            if (!t.quick) check_differences(t, r, got);
            check_from_pool(t, r, end, got);
            if (!t.failures && r.p.forward) check_forward(t, r, end, got);
            if (!t.failures && r.p.twice) refused = check_twice(t, r, end, got);
            if (!t.failures && faults) check_failures(t, r, end, got, faults);
            if (on_cpu_device) check_orders(t, r, end, got);
        }
    }
    if (shim::state.alive != alive) t.fail(__FILE__, __LINE__, "memory is lost");
    if (t.failures) return "FAIL";
    return refused ? "refused" : "ok";
}

/* Arguments: the number of the first case; or --quick, without differences and with few calls that fail.
 * GW_RANDOM_FAULTS: how many calls fail in each. */
inline int run_random_programs(const random_program *all, int count, int argc, char **argv) {
    const char *faults = std::getenv("GW_RANDOM_FAULTS");
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const unsigned long few = quick ? 2 : 12;
    bool good = true;
    setenv("GW_CPU_IN_STEP", "1", 1);
    for (int k = argc > 1 && !quick ? std::atoi(argv[1]) : 0; k < count; k++) {
        std::printf("begin %d %s\n", k, all[k].name);
        std::fflush(stdout);
        trial t{all[k].name, quick, 0, {}};
        const char *result = run_random(t, all[k], faults ? (unsigned long)std::atoi(faults) : few);
        if (!device_ok()) return 1;
        std::printf("%s %s%s\nend %s %s 1 0\n", result, all[k].name, t.numbers.c_str(), all[k].name, result);
        std::fflush(stdout);
        good = good && !t.failures;
    }
    return good ? 0 : 1;
}

} // namespace check

#endif
