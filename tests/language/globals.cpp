// Requests that name variables at file scope: they get adjoint parameters, as parameters of the function do.
#include "language.h"

static double table[3][4];
static double factor = 1.5;
namespace tuning {
struct weights {
    double bias;
    float gain[2];
};
weights net = {0.25, {0.5f, 2}};
}
struct model {
    static double rate;
    GW_GRADIENT("wrt x, rate") GW_DERIVATIVE("wrt x, rate") static double grow(double x, int n) {
        double v = x;
        for (int i = 0; i < n; i++) v += v * v * rate;
        return v;
    }
};
double model::rate = 0.125;

static double row(const double *x, int i) {
    double s = 0;
    for (int k = 0; k < 4; k++) s += table[i][k] * x[k] * factor;
    return s * tuning::net.gain[i % 2];
}
GW_GRADIENT("wrt x, table, factor, net.gain")
GW_DERIVATIVE("wrt x, table, factor, net.gain") double apply(const double *x, int n) {
    double s = tuning::net.bias;
    for (int i = 0; i < n; i++) s += row(x, i) * row(x, i);
    return s * factor;
}
GW_GRADIENT("bias_of = wrt net") double only_weights(const double *x, int n) {
    return apply(x, n) * tuning::net.bias;
}

// What is written on the way is an output and an input: memory of the caller's, and a variable.
static double scratch[4], state;
GW_GRADIENT("y wrt x via scratch")
GW_DERIVATIVE("y wrt x via scratch") void through(double *y, const double *x, int n) {
    for (int i = 0; i < 4; i++) scratch[i] = x[i] * x[(i + n) % 4];
    *y = 0;
    for (int i = 0; i < 4; i++) *y += scratch[(i + 1) % 4] * x[i];
}
GW_GRADIENT("y wrt x via tmp")
GW_DERIVATIVE("y wrt x via tmp") void through_memory(double *y, double *tmp, const double *x, int n) {
    for (int i = 0; i < 4; i++) tmp[i] = x[i] * x[(i + n) % 4];
    *y = 0;
    for (int i = 0; i < 4; i++) *y += tmp[(i + 1) % 4] * x[i];
}
GW_GRADIENT("state wrt state, x") GW_DERIVATIVE("state wrt state, x") void step(double x) {
    state = state * state + x * state;
}

#include "globals.grad.hpp"

static void near(const char *what, double got, double wanted) {
    if (std::fabs(got - wanted) <= 1e-7 * (1 + std::fabs(wanted))) return;
    std::printf("%s is %.15g, not %.15g\n", what, got, wanted);
    language_failures++;
}

template <class F> static double slope(F f, double *cell) {
    const double keep = *cell, h = 0x1p-10, weight[4] = {1, -8, 8, -1}, step[4] = {-2, -1, 1, 2};
    double sum = 0;
    for (int k = 0; k < 4; k++) *cell = keep + step[k] * h, sum += weight[k] * f();
    *cell = keep;
    return sum / (12 * h);
}

static void read_only() {
    for (int n = 1; n < 4; n++) {
        double x[4] = {0.5, 1.25, -0.75, 2}, d_x[4] = {1, 2, 3, 4}, d_table[3][4] = {}, d_factor = 7;
        tuning::weights d_net = {0, {0, 0}};
        for (int i = 0; i < 12; i++) table[i / 4][i % 4] = 0.25 * (i % 5) - 0.375;
        apply_grad(x, n, d_x, d_table, &d_factor, &d_net);
        const auto f = [&] { return apply(x, n); };
        double along = 0;
        const double t_x[4] = {1, -1, 0.5, 2};
        double t_table[3][4];
        tuning::weights t_net = {100, {1.5f, -0.25f}};
        for (int k = 0; k < 4; k++)
            near("d_x", d_x[k] - (k + 1), slope(f, &x[k])), along += t_x[k] * (d_x[k] - (k + 1));
        for (int i = 0; i < 12; i++) {
            near("d_table", d_table[i / 4][i % 4], slope(f, &table[i / 4][i % 4]));
            t_table[i / 4][i % 4] = 1 - 0.25 * i;
            along += t_table[i / 4][i % 4] * d_table[i / 4][i % 4];
        }
        near("d_factor", d_factor - 7, slope(f, &factor));
        near("bias", d_net.bias, 0);
        const double t_factor = -0.5;
        along += t_factor * (d_factor - 7) + t_net.gain[0] * d_net.gain[0] + t_net.gain[1] * d_net.gain[1];
        double tangent = 0;
        near("apply", apply_jvp(x, n, t_x, t_table, &t_factor, &t_net, &tangent), f());
        if (std::fabs(tangent - along) > 1e-5) near("tangent", tangent, along);
        d_net.bias = 3;
        bias_of(x, n, &d_net);
        near("d_net.bias", d_net.bias - 3, slope([&] { return only_weights(x, n); }, &tuning::net.bias));
    }
    double d_x = 0, d_rate = 0, tangent = 0, x = 1.25;
    const double t_rate = -3;
    model_grow_grad(x, 3, &d_x, &d_rate);
    near("d_x", d_x, slope([&] { return model::grow(x, 3); }, &x));
    near("d_rate", d_rate, slope([&] { return model::grow(x, 3); }, &model::rate));
    near("grow", model_grow_jvp(x, 3, 2, &t_rate, &tangent), model::grow(x, 3));
    near("tangent", tangent, 2 * d_x - 3 * d_rate);
}

static void written() {
    for (int n = 0; n < 4; n++) {
        double x[4] = {0.5, 1.25, -0.75, 2}, y = 0, d_y = 2, d_x[4] = {0, 0, 0, 0}, d_scratch[4] = {0, 0, 0, 0},
               tmp[4] = {9, 9, 9, 9};
        const double t_x[4] = {1, -1, 0.5, 2};
        double t_y = 0, t_scratch[4] = {5, 5, 5, 5}, along = 0, again[4] = {0, 0, 0, 0};
        through_grad(&y, x, n, &d_y, d_x, d_scratch);
        const auto f = [&] {
            through(&y, x, n);
            return 2 * y;
        };
        near("d_y", d_y, 0);
        for (int k = 0; k < 4; k++)
            near("d_x", d_x[k], slope(f, &x[k])), along += t_x[k] * d_x[k], near("d_scratch", d_scratch[k], 0);
        through_jvp(&y, x, n, &t_y, t_x, t_scratch);
        near("t_y", 2 * t_y, along);
        d_y = 2;
        through_memory_grad(&y, tmp, x, n, &d_y, d_scratch, again);
        near("tmp", tmp[2], 9);
        for (int k = 0; k < 4; k++) near("again", again[k], d_x[k]), near("d_scratch", d_scratch[k], 0);
        through_memory_jvp(&y, tmp, x, n, &t_y, t_scratch, t_x);
        near("t_y", 2 * t_y, along);
    }
    state = 1.5;
    double d_x = 0, d_state = 10, t_state = 2;
    step_grad(0.5, &d_x, &d_state);
    near("state", state, 1.5);
    near("d_state", d_state, 10 * (2 * 1.5 + 0.5));
    near("d_x", d_x, 15);
    step_jvp(0.5, 3, &t_state);
    near("state", state, 3);
    near("t_state", t_state, 2 * 3.5 + 3 * 1.5);
}

int main() {
    read_only();
    written();
    return language_report();
}
