// Gradients of functions whose bodies are in second.cpp and third.cpp; run_test.sh names these behind this one.
#include "common.hpp"
#include <cstdio>
#include <gradwright/gradwright.h>

#define N 7 // another one than second.cpp's
typedef float number;
enum { LEAST, MOST };
static double helper(double x) { return x * x + N + MOST; } // as in second.cpp and third.cpp, with another body
static const double table[2] = {0.5, 0.25};

GW_GRADIENT("wrt x, y")
double of_struct(double x, double y) {
    point p{x, helper(y)};
    return length(p) * helper(x) * table[1] + length(p, y);
}

GW_GRADIENT("wrt x, k")
double of_vector(const std::vector<double> &x, double k) { return sum(x, k) * 2 + cube(k); }

GW_GRADIENT("y wrt x, k")
void of_arrays(double *y, const double *x, int n, double k) {
    scale(y, x, n, k);
    for (int i = 0; i < n; i++) y[i] *= y[i];
}

GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x")
double of_chain(const double *x, int n) {
    tally t(1.5);
    for (int i = 0; i < n; i++) t.add({x[i], chained(x[i], 3)});
    return t.total();
}

GW_GRADIENT("wrt x")
double of_own(double x, double to) {
    level = to;
    return of_constants(x) * level * x;
}

GW_SPLIT_GRADIENT("wrt x")
double of_template(double x, int n) { return blend(x, far::away(x), n) * rate + gauge * x; }

GW_GRADIENT("wrt x, k")
double of_virtual(double x, double k) {
    const far::bowl own(k);
    return own.at(2 * x);
}

#include "first.grad.hpp"

static int failed;
static void expect(double is, double want, const char *what) {
    if (std::fabs(is - want) <= 1e-6 * std::fmax(1, std::fabs(want))) return;
    std::printf("%s: %.12g in place of %.12g\n", what, is, want);
    failed = 1;
}
template <class F> static double slope(F f, double &x) {
    const double h = 1e-5, was = x;
    x = was + h;
    const double above = f();
    x = was - h;
    const double below = f();
    x = was;
    return (above - below) / (2 * h);
}

double second_slope(double x); // second.cpp asks for a gradient of its own

int main() {
    double x = 1.3, y = 0.7, d_x = 0, d_y = 0, k = 1.1, d_k = 0;
    of_struct_grad(x, y, &d_x, &d_y);
    expect(d_x, slope([&] { return of_struct(x, y); }, x), "of_struct, x");
    expect(d_y, slope([&] { return of_struct(x, y); }, y), "of_struct, y");

    std::vector<double> v{0.5, -1.2, 2.0, 0.3, 0.9}, d_v(5), out(5), d_out{1, 2, 3, 4, 5};
    of_vector_grad(v, k, d_v, &d_k);
    for (int i = 0; i < 5; i++) expect(d_v[i], slope([&] { return of_vector(v, k); }, v[i]), "of_vector, x");
    expect(d_k, slope([&] { return of_vector(v, k); }, k), "of_vector, k");

    auto weighted = [&] {
        of_arrays(out.data(), v.data(), 5, k);
        double s = 0;
        for (int i = 0; i < 5; i++) s += (i + 1) * out[i];
        return s;
    };
    d_v.assign(5, 0), d_k = 0;
    failed |= of_arrays_grad(out.data(), v.data(), 5, k, d_out.data(), d_v.data(), &d_k) != GW_OK;
    for (int i = 0; i < 5; i++) expect(d_v[i], slope(weighted, v[i]), "of_arrays, x");
    expect(d_k, slope(weighted, k), "of_arrays, k");

    d_v.assign(5, 0);
    of_chain_grad(v.data(), 5, d_v.data());
    for (int i = 0; i < 5; i++) {
        std::vector<double> t_v(5);
        double t = 0;
        t_v[i] = 1;
        of_chain_jvp(v.data(), 5, t_v.data(), &t);
        expect(d_v[i], slope([&] { return of_chain(v.data(), 5); }, v[i]), "of_chain, x");
        expect(t, d_v[i], "of_chain, forward");
    }

    gw_host_tape tape = GW_HOST_TAPE;
    d_x = 0;
    double value = 0;
    failed |= of_template_fwd(x, 3, &value, &tape) != GW_OK;
    of_template_bwd(x, 3, 1, &d_x, &tape);
    gw_host_tape_free(&tape);
    expect(d_x, slope([&] { return of_template(x, 3); }, x), "of_template, x");

    d_x = 0;
    of_own_grad(x, 3, &d_x);
    expect(d_x, slope([&] { return of_own(x, 3); }, x), "of_own, x");

    d_x = d_k = 0;
    of_virtual_grad(x, k, &d_x, &d_k);
    expect(d_x, slope([&] { return of_virtual(x, k); }, x), "of_virtual, x");
    expect(d_k, slope([&] { return of_virtual(x, k); }, k), "of_virtual, k");
    expect(second_slope(x), slope([&] { return length({x, x}); }, x), "second.cpp's own");
    return failed;
}
