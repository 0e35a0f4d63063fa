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
bool measure_workload(const char *name, double threads, int repeats, double tolerance, size_t workspace,
                      P primal, G gradient, F forward, A &...arrays) {
    (arrays.refill(), ...);
    gradient();
    dot_product product;
    (arrays.value.set(arrays.start), ...);
    (product.before_forward(arrays), ...);
    forward();
    must(cudaDeviceSynchronize());
    (product.after_forward(arrays), ...);
    auto refill = [&] { (arrays.refill(), ...); };
    double plain = median_ms(repeats, refill, primal), reversed = median_ms(repeats, refill, gradient);
    print_times(name, threads, plain, reversed, (double)workspace);
    return product.holds(name, tolerance);
}

#endif
