// GW_NONDIFFERENTIABLE on variables, parameters and members: what is read from them carries no derivative.
#include "language.h"

#include <array>
#include <vector>

static GW_NONDIFFERENTIABLE double fixed_scale = 1.5, moving = 0.75;
struct settings {
    double gain;
    GW_NONDIFFERENTIABLE double offset;
    GW_NONDIFFERENTIABLE float limits[2];
};

// A parameter: constant here, although the caller's value depends on x.
static double weighted(double x, GW_NONDIFFERENTIABLE double weight) { return x * weight + weight * weight; }
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double parameter(double x) { return weighted(x, x * x); }
// Said in an earlier declaration, in a template, in a lambda.
template <class T> static T powers(T x, GW_NONDIFFERENTIABLE T w) { return x * w; }
static double declared(GW_NONDIFFERENTIABLE double w);
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double elsewhere(double x) {
    return powers(x, x) + declared(x) + [](GW_NONDIFFERENTIABLE double v) { return v * v; }(x) + x;
}
static double declared(double w) { return w * w; }

// A local variable that is set in a loop.
GW_GRADIENT("wrt x, y") GW_DERIVATIVE("wrt x, y") double local(double x, double y, int n) {
    GW_NONDIFFERENTIABLE double step = x;
    double sum = y;
    for (int i = 0; i < n; i++) {
        sum = sum * step + x * y;
        step += sum * 0.25;
        if (i == 1) step = x * y;
    }
    return sum * step;
}

// Arrays, structs, what a pointer or reference leads to, and copies of the pointer.
static double first(const double *p, int i) { return p[i]; }
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x") void memory(double *y, const double *x, GW_NONDIFFERENTIABLE const double *w, int n) {
    GW_NONDIFFERENTIABLE double kept[4];
    GW_NONDIFFERENTIABLE settings s = {x[0], x[1], {1, 2}};
    GW_NONDIFFERENTIABLE const double &head = x[0];
    const double *copy = w;
    for (int i = 0; i < 4; i++) kept[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        y[i] = kept[i % 4] * x[i] + copy[i] * first(w + i, 0) * x[(i + 1) % n] + head * x[i] * s.gain;
}

// The same memory by a marked pointer and by another one; one of two pointers.
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x") void two_ways(double *y, const double *x, int n) {
    GW_NONDIFFERENTIABLE const double *frozen = x;
    for (int i = 0; i < n; i++) {
        const double *either = i & 1 ? frozen : x;
        y[i] = frozen[i] * x[i] + either[i] * either[i];
    }
}

// Members.
GW_GRADIENT("wrt s, x") GW_DERIVATIVE("wrt s, x") double member(const settings &s, double x) {
    settings copy = s;
    copy.limits[1] = (float)x;
    copy.gain *= x;
    return s.gain * s.offset * x + s.limits[0] * copy.gain + copy.limits[1] * x + copy.offset;
}

// A variable at file scope, a captured one, a container.
GW_GRADIENT("wrt x")
GW_DERIVATIVE("wrt x") double others(double x, GW_NONDIFFERENTIABLE const std::vector<double> &w) {
    GW_NONDIFFERENTIABLE double frozen = x * x;
    GW_NONDIFFERENTIABLE std::array<double, 2> pair = {x, 2 * x};
    auto scaled = [=](double v) { return v * frozen + pair[1] * v; };
    moving = x * 3;
    return scaled(x) * fixed_scale + w[0] * x + moving * x;
}

// Rounding that is meant warns of nothing.
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double rounded(double x) {
    GW_NONDIFFERENTIABLE double whole = x;
    return x * std::floor(whole);
}

#include "detached.grad.hpp"

static void near(const char *what, double got, double wanted) {
    if (std::fabs(got - wanted) <= 1e-12 * (1 + std::fabs(wanted))) return;
    std::printf("%s is %.15g, not %.15g\n", what, got, wanted);
    language_failures++;
}

static void scalars() {
    for (double x = -1.25; x < 2; x += 0.75) {
        double d = 1, t = 0;
        parameter_grad(x, &d);
        near("parameter", d, 1 + x * x);
        near("parameter's value", parameter_jvp(x, 2, &t), parameter(x));
        near("parameter's tangent", t, 2 * x * x);
        d = 0;
        elsewhere_grad(x, &d);
        near("elsewhere", d, x + 1);
        near("its value", elsewhere_jvp(x, 2, &t), elsewhere(x));
        near("its tangent", t, 2 * (x + 1));
        for (int n = 0; n < 5; n++) {
            const double y = 0.5 + x * x;
            double step = x, sum = y, dx = 0, dy = 1, d_x = 0, d_y = 0;
            for (int i = 0; i < n; i++) {
                dx = dx * step + y, dy = dy * step + x;
                sum = sum * step + x * y;
                step = i == 1 ? x * y : step + sum * 0.25;
            }
            local_grad(x, y, n, &d_x, &d_y);
            near("local, x", d_x, dx * step);
            near("local, y", d_y, dy * step);
            near("local's value", local_jvp(x, y, n, 2, -3, &t), sum * step);
            near("local's tangent", t, (2 * dx - 3 * dy) * step);
        }
        d = t = 0;
        rounded_grad(x, &d);
        near("rounded", d, std::floor(x));
        near("rounded's value", rounded_jvp(x, 3, &t), rounded(x));
        near("rounded's tangent", t, 3 * std::floor(x));
    }
}

static void arrays() {
    const int n = 4;
    const double x[n] = {0.5, -1.25, 2, 0.75}, w[n] = {1, 2, -0.5, 3}, t_x[n] = {1, -1, 0.5, 2},
                 seed[n] = {1, 2, 3, 4};
    double y[n] = {}, d_y[n], d_x[n] = {}, wanted[n] = {}, t_y[n] = {}, along = 0, forward = 0, values[n] = {};
    std::copy(seed, seed + n, d_y);
    memory_grad(y, x, w, n, d_y, d_x);
    for (int i = 0; i < n; i++) {
        wanted[i] += seed[i] * (x[i] * x[i] + x[0] * x[0]);
        wanted[(i + 1) % n] += seed[i] * w[i] * w[i];
    }
    for (int i = 0; i < n; i++) near("memory", d_x[i], wanted[i]), along += d_x[i] * t_x[i];
    memory(values, x, w, n);
    memory_jvp(y, x, w, n, t_y, t_x);
    for (int i = 0; i < n; i++) near("memory's value", y[i], values[i]), forward += seed[i] * t_y[i];
    near("memory's tangent", forward, along);
    std::copy(seed, seed + n, d_y);
    std::fill(d_x, d_x + n, 0.0);
    two_ways_grad(y, x, n, d_y, d_x);
    two_ways_jvp(y, x, n, t_y, t_x);
    two_ways(values, x, n);
    for (int i = 0; i < n; i++) {
        near("two ways", d_x[i], seed[i] * (i & 1 ? x[i] : 3 * x[i]));
        near("their values", y[i], values[i]);
        near("their tangents", t_y[i], t_x[i] * (i & 1 ? x[i] : 3 * x[i]));
    }
}

static void members() {
    const settings s = {1.5, -0.75, {2, 3}}, t_s = {1, 100, {100, 100}};
    settings d_s = {0, 0, {0, 0}};
    const double x = 1.25;
    double d_x = 0, t = 0;
    member_grad(s, x, &d_s, &d_x);
    near("gain", d_s.gain, s.offset * x + 2 * x);
    near("offset", d_s.offset, 0);
    near("limits", d_s.limits[0], 0);
    near("member, x", d_x, s.gain * s.offset + 2 * s.gain + x);
    near("member's value", member_jvp(s, x, &t_s, -2, &t), member(s, x));
    near("member's tangent", t, d_s.gain - 2 * d_x);
    const std::vector<double> w = {4};
    d_x = t = 0;
    others_grad(x, w, &d_x);
    near("others", d_x, (x * x + 2 * x) * fixed_scale + 4 + 3 * x);
    near("others' value", others_jvp(x, w, 2, &t), others(x, w));
    near("others' tangent", t, 2 * d_x);
}

// ---- functions that return nothing, and members ----
static int written;
GW_NONDIFFERENTIABLE static void trace(const char *, double) { written++; }
struct counter {
    int n;
    double weight;
    GW_NONDIFFERENTIABLE void log(const double &value) const { written += value > 0; }
    GW_NONDIFFERENTIABLE double scale(double by) const { return weight * by * n; }
};
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double logged(double x) {
    const counter c{3, x};
    double y = x;
    trace("before", y *= x);
    trace("behind", y);
    c.log(y);
    return y * x * c.scale(x);
}

static void functions() {
    const double x = 1.5;
    double d = 0, t = 0;
    logged_grad(x, &d);
    near("logged", d, 3 * x * x * (3 * x * x));
    near("logged, value", logged_jvp(x, 2, &t), logged(x));
    near("logged, tangent", t, 2 * d);
    near("written", written, 3);
}

int main() {
    functions();
    scalars();
    arrays();
    members();
    return language_failures ? 1 : 0;
}
