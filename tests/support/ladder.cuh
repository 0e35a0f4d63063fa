/*
 * ladder.cuh - runs the kernels of tests/adjoint/ladder.py: one gradient in many blocks, against differences
 * and forward mode.
 *
 * All kernels have one signature, (y, x, list, n, m), so a type is compiled once for each type of the list's
 * entries. In each block of `ladder::blocks`, with all threads at work and with a last block of which about a
 * third of the threads has nothing to do:
 *   - the adjoint of x, some of whose cells are known by the five-point formula of the same kernel over double,
 * is added to;
 *   - <s, tangents of y> = <what was added to d_x, tangents of x>, over all cells (forward mode shares no rung
 * with the reverse);
 *   - the adjoint of y is zeroed where y is written, and kept elsewhere; the primal's bytes stay;
 *   - a rung with a fixed order gives the same bits in a second launch.
 * The inputs have few digits, so a half holds the same numbers as a double.
 */
#ifndef GW_TESTS_LADDER_CUH
#define GW_TESTS_LADDER_CUH

#include "expect.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <type_traits>

namespace ladder {

struct pair {
    double x, y;
};
struct quad {
    double x, y, z, w;
};
struct size {
    unsigned x, y;
};
extern const std::vector<size> blocks;
typedef std::vector<double> numbers;
enum { ROUNDS = 5, CELLS = 9 };

template <class T> struct scalar_of { typedef T type; };
template <> struct scalar_of<float2> { typedef float type; };
template <> struct scalar_of<float4> { typedef float type; };
template <> struct scalar_of<double2> { typedef double type; };
template <> struct scalar_of<pair> { typedef double type; };
template <> struct scalar_of<quad> { typedef double type; };

/* One number for each component of each element. */
template <class T> std::vector<T> packed(const numbers &from) {
    typedef typename scalar_of<T>::type S;
    std::vector<S> flat;
    for (double v : from) {
        if constexpr (std::is_same<S, double>::value) flat.push_back(v);
        else flat.push_back(S((float)v));
    }
    std::vector<T> to(from.size() * sizeof(S) / sizeof(T));
    std::memcpy(static_cast<void *>(to.data()), flat.data(), to.size() * sizeof(T));
    return to;
}
template <class T> numbers unpacked(const std::vector<T> &from) {
    typedef typename scalar_of<T>::type S;
    std::vector<S> flat(from.size() * sizeof(T) / sizeof(S));
    std::memcpy(static_cast<void *>(flat.data()), from.data(), flat.size() * sizeof(S));
    numbers to;
    for (S v : flat) to.push_back((double)v);
    return to;
}

template <class Y, class X, class A, class L> struct tested {
    typedef Y real;
    typedef X cell;
    typedef A adjoint;
    typedef L entry;
    void (*primal)(Y *, const X *, const L *, int, int);
    gw_status (*gradient)(dim3, dim3, size_t, cudaStream_t, Y *, const X *, const L *, int, int, Y *, A *,
                          void *, size_t);
    gw_status (*forward)(dim3, dim3, size_t, cudaStream_t, Y *, const X *, const L *, int, int, Y *, A *);
    size_t (*workspace)(dim3, dim3, Y *, const X *, const L *, int, int);
    bool fixed_order, sorted; /* sorted: the list is */
};

struct problem {
    dim3 grid, block;
    int n, threads;
    numbers x, y, seed, before, direction; /* before: d_x on entry */
    std::vector<int> list;
};

inline problem make(size s, int parts, bool partial, size_t components) {
    check::generator random{s.x * 1000u + s.y};
    problem p{};
    const int threads = (int)(s.x * s.y);
    p.grid = dim3((unsigned)parts);
    p.block = dim3(s.x, s.y);
    p.threads = parts * threads;
    p.n = partial ? p.threads - threads / 3 - (threads > 1) : p.threads;
    for (size_t i = 0; i < (size_t)(p.threads + CELLS) * components; i++) {
        p.x.push_back((double)(8 + random.next() % 17) / 16);
        p.before.push_back(random.uniform(-1, 1));
        p.direction.push_back(random.uniform(-1.5, 1.5));
    }
    for (int i = 0; i < p.threads; i++) {
        p.y.push_back((double)(random.next() % 64) / 16);
        p.seed.push_back(random.uniform(0.25, 1.75) * (random.next() % 8 ? 1 : -1));
        p.list.push_back(i * 7 % CELLS);
    }
    while (p.list.size() < ROUNDS) p.list.push_back((int)p.list.size());
    return p;
}

/* Sum of seed * y on exit, of the reference. */
template <class D>
double objective(void (*reference)(double *, const D *, const int *, int, int), const problem &p,
                 const numbers &x) {
    check::array<double> y{p.y};
    check::array<D> cells{packed<D>(x)};
    check::array<int> list{p.list};
    reference<<<p.grid, p.block>>>(y, cells, list, p.n, ROUNDS);
    const numbers values = y.get();
    double sum = 0;
    for (size_t i = 0; i < values.size(); i++) sum += p.seed[i] * values[i];
    return sum;
}

template <class D>
double difference(void (*reference)(double *, const D *, const int *, int, int), const problem &p,
                  size_t cell) {
    const double h = 1.0 / 1024;
    double at[4];
    for (int k = 0; k < 4; k++) {
        numbers x = p.x;
        x[cell] += (k < 2 ? 1 : 2) * (k % 2 ? -h : h);
        at[k] = objective(reference, p, x);
    }
    return (8 * (at[0] - at[1]) - (at[2] - at[3])) / (12 * h);
}

/* The differences of all the cells, which types of one reference share. */
template <class D>
const numbers &differences(void (*reference)(double *, const D *, const int *, int, int), const problem &p,
                           const std::vector<size_t> &cells) {
    static std::map<std::tuple<const void *, unsigned, unsigned, int>, numbers> known;
    numbers &here = known[{(const void *)reference, p.block.x, p.block.y, p.n}];
    if (here.empty())
        for (size_t cell : cells) here.push_back(difference(reference, p, cell));
    return here;
}

/* Those that many threads may meet at, and some that one thread or row has. */
inline std::vector<size_t> looked_at(const problem &p, size_t components) {
    std::vector<size_t> cells;
    for (int element : {0, 1, 3, 7, p.n / 2, p.n - 1, p.threads + CELLS - 1})
        for (size_t c = 0; c < components; c++) cells.push_back((size_t)element * components + c);
    return cells;
}

inline std::string where(const problem &p) {
    return "block " + std::to_string(p.block.x) + "x" + std::to_string(p.block.y) + ", n " +
           std::to_string(p.n);
}

inline double largest(const numbers &of) {
    double most = 1;
    for (double v : of) most = std::fmax(most, std::fabs(v));
    return most;
}

template <class K> numbers gradient(check::trial &t, const K &k, const problem &p) {
    typedef typename K::real Y;
    typedef typename K::cell X;
    typedef typename K::adjoint A;
    check::array<Y> y{packed<Y>(p.y)}, d_y{packed<Y>(p.seed)};
    check::array<X> x{packed<X>(p.x)};
    check::array<A> d_x{packed<A>(p.before)};
    const std::vector<typename K::entry> entries(p.list.begin(), p.list.end());
    check::array<typename K::entry> list{entries};
    check::device_bytes space(k.workspace(p.grid, p.block, y, x, list, p.n, ROUNDS));
    space.fill(0xA5);
    const gw_status status =
        k.gradient(p.grid, p.block, 0, 0, y, x, list, p.n, ROUNDS, d_y, d_x, space.data(), space.size());
    if (status != GW_OK)
        t.fail(__FILE__, __LINE__, where(p) + ": " + gw_status_text(status) + ": " + gw_last_error());
    if (!check::device_ok()) t.fail(__FILE__, __LINE__, where(p) + ": " + check::cuda_failure());
    if (unpacked(y.get()) != p.y || unpacked(x.get()) != p.x || list.get() != entries)
        t.fail(__FILE__, __LINE__, where(p) + ": the primal's bytes changed");
    const numbers seeds = unpacked(d_y.get());
    for (int i = 0; i < p.threads; i++)
        if (seeds[(size_t)i] != (i < p.n ? 0 : p.seed[(size_t)i]))
            return t.fail(__FILE__, __LINE__, where(p) + ": d_y"), numbers();
    return unpacked(d_x.get());
}

template <class K> numbers tangents(check::trial &t, const K &k, const problem &p) {
    typedef typename K::real Y;
    typedef typename K::cell X;
    typedef typename K::adjoint A;
    check::array<Y> y{packed<Y>(p.y)}, t_y{packed<Y>(numbers(p.y.size(), 0.0))};
    check::array<X> x{packed<X>(p.x)};
    check::array<A> t_x{packed<A>(p.direction)};
    check::array<typename K::entry> list{std::vector<typename K::entry>(p.list.begin(), p.list.end())};
    const gw_status status = k.forward(p.grid, p.block, 0, 0, y, x, list, p.n, ROUNDS, t_y, t_x);
    if (status != GW_OK)
        t.fail(__FILE__, __LINE__, where(p) + ": " + gw_status_text(status) + ": " + gw_last_error());
    return unpacked(t_y.get());
}

template <class K, class D>
void check_problem(check::trial &t, const K &k, void (*reference)(double *, const D *, const int *, int, int),
                   const problem &p, size_t components, double &sum) {
    const double tolerance = sizeof(typename K::real) == sizeof(double) ? 1e-9 : 1e-4;
    const numbers got = gradient(t, k, p), again = gradient(t, k, p);
    if (got.empty() || again.empty()) return;
    const double scale = largest(got);
    if (k.fixed_order && got != again)
        t.fail(__FILE__, __LINE__, where(p) + ": not the same bits in a second launch");
    for (size_t i = 0; i < got.size(); i++)
        if (!check::near(again[i], got[i], tolerance, scale))
            return t.fail(__FILE__, __LINE__, where(p) + ": another gradient in a second launch");
    const std::vector<size_t> cells = t.quick ? std::vector<size_t>() : looked_at(p, components);
    const numbers quotients = differences(reference, p, cells);
    for (size_t i = 0; i < cells.size(); i++) {
        const double have = got[cells[i]], want = p.before[cells[i]] + quotients[i];
        if (!check::near(have, want, tolerance, scale))
            return t.fail(__FILE__, __LINE__,
                          where(p) + ": d_x " + std::to_string(cells[i]) + " is " + check::text(have) +
                              ", not " + check::text(want));
    }
    const numbers along = tangents(t, k, p);
    double reverse = 0, forward = 0, size = 1;
    for (size_t i = 0; i < got.size(); i++)
        reverse += (got[i] - p.before[i]) * p.direction[i],
            size += std::fabs((got[i] - p.before[i]) * p.direction[i]);
    for (size_t i = 0; i < along.size(); i++)
        forward += along[i] * p.seed[i], size += std::fabs(along[i] * p.seed[i]);
    if (!(std::fabs(reverse - forward) <= tolerance * size))
        t.fail(__FILE__, __LINE__,
               where(p) + ": <s, t_y> is " + check::text(forward) + ", <d_x, t_x> " + check::text(reverse));
    for (double v : got) sum += v;
}

/* With --quick each kernel takes every third block, those of one type's kernels others than those of the next:
 * together they take all. */
inline bool is_left_out(const check::trial &t, size_t block) {
    if (!t.quick) return false;
    size_t sum = 0;
    for (const char *c = t.name; *c; c++) sum += (unsigned char)*c;
    return (sum + block) % 3 != 0;
}

/* only: blocks of any form (0), along x (1), or of that many threads. */
template <class K, class D>
void check_kernel(check::trial &t, const K &k, void (*reference)(double *, const D *, const int *, int, int),
                  unsigned only) {
    const size_t components = sizeof(D) / sizeof(double);
    t.report("tolerance", 1e-4);
    for (size_t i = 0; i < blocks.size(); i++) {
        const size s = blocks[i];
        if ((only <= 1 && is_left_out(t, i)) || (only && s.y > 1) || (only > 1 && s.x != only)) continue;
        double sum = 0;
        for (int partial = 0; partial < 2; partial++) {
            problem p = make(s, s.x * s.y > 256 ? 1 : 3, partial != 0, components);
            if (k.sorted) std::sort(p.list.begin(), p.list.end());
            check_problem(t, k, reference, p, components, sum);
        }
        t.report(("sum_" + std::to_string(s.x) + "x" + std::to_string(s.y)).c_str(), sum);
    }
}

} // namespace ladder

#define LADDER(kernel, reference, real, cell, adjoint, entry, of_doubles, only, fixed, sorted)                 \
    TEST(kernel) {                                                                                             \
        const ladder::tested<real, cell, adjoint, entry> k{                                                    \
            kernel,                                                                                            \
            [](auto... a) -> gw_status { return kernel##_grad_launch(a...); },                                 \
            [](auto... a) -> gw_status { return kernel##_jvp_launch(a...); },                                  \
            [](auto... a) -> size_t { return kernel##_workspace_bytes(a...); },                                \
            fixed,                                                                                             \
            sorted};                                                                                           \
        ladder::check_kernel<ladder::tested<real, cell, adjoint, entry>, of_doubles>(trial, k, reference,      \
                                                                                     only);                    \
    }

#endif
