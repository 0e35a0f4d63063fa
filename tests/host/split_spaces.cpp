// Split gradients in C++: namespaces, templates, containers, references; a recursive function of numbers is
// called in between.
#include <cmath>
#include <cstring>
#include <vector>

#include <gradwright/gradwright.h>

namespace model {
double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

GW_SPLIT_GRADIENT("out wrt in, scale")
void layer(std::vector<double> &out, const std::vector<double> &in, const double &scale, int rounds) {
    double sum = 0;
    for (int r = 0; r < rounds; r++)
        for (std::size_t i = 0; i < in.size(); i++) sum = std::sin(sum + in[i] * scale) + power(sum, 3) * 0.1;
    for (std::size_t i = 0; i < out.size(); i++) out[i] = sum * in[i];
}

template <class T, int N> GW_SPLIT_GRADIENT("halves = y wrt x")
void product(T *y, const T *x) {
    T p = 1;
    for (int i = 0; i < N; i++) p = p * x[i] + T(0.5);
    *y = p * p;
}
template <class T> GW_SPLIT_GRADIENT("wrt x")
T root(const T &x, int n) {
    T v = 1;
    for (int k = 0; k < n; k++) v = (v + x / v) / 2;
    return v;
}
} // namespace model

static double loss_root(const double *at) { return model::root(at[0], 6); }

static void both(double *y, const double *x) {
    model::product<double, 3>(y, x);
    model::product<double, 100>(y + 1, x);
}

#include "split_spaces.grad.hpp"

#include "difference.h"

static double loss_layer(const double *at) {
    std::vector<double> out(3), in(at, at + 3);
    model::layer(out, in, at[3], 4);
    double sum = 0;
    for (double v : out) sum += 0.5 * v * v;
    return sum;
}

static double loss_product(const double *at) {
    double x[100], y[2];
    for (int i = 0; i < 100; i++) x[i] = at[i % 4];
    both(y, x);
    return 0.5 * (y[0] * y[0] + y[1] * y[1]);
}

int main() {
    const double at[4] = {0.7, 0.4, 0.9, -0.3};
    gw_host_tape tape = GW_HOST_TAPE;
    std::vector<double> out(3), in(at, at + 3), d_in(3);
    double d_scale = 0;
    EXPECT(model::layer_fwd(out, in, at[3], 4, &tape) == GW_OK);
    std::vector<double> d_out = out;
    EXPECT(model::layer_bwd(out, in, at[3], 4, d_out, d_in, &d_scale, &tape) == GW_OK);
    const double d[4] = {d_in[0], d_in[1], d_in[2], d_scale};
    check("layer", loss_layer, at, 4, d);

    double x[100], y[2], d_x[100] = {0}, d_y[2], folded[4] = {0};
    for (int i = 0; i < 100; i++) x[i] = at[i % 4];
    EXPECT((model::halves_fwd<double, 3>(y, x, &tape)) == GW_OK);
    EXPECT((model::halves_fwd<double, 100>(y + 1, x, &tape)) == GW_OK);
    std::memcpy(d_y, y, sizeof d_y);
    EXPECT((model::halves_bwd<double, 3>(y, x, d_y, d_x, &tape)) == GW_ERROR_ARGUMENT);
    EXPECT((model::halves_bwd<double, 100>(y + 1, x, d_y + 1, d_x, &tape)) == GW_OK);
    EXPECT((model::halves_bwd<double, 3>(y, x, d_y, d_x, &tape)) == GW_OK);
    EXPECT(tape.top == tape.base);
    for (int i = 0; i < 100; i++) folded[i % 4] += d_x[i];
    check("product", loss_product, at, 4, folded);

    double r = 0, d_root = 0;
    EXPECT(model::root_fwd<double>(at[0], 6, &r, &tape) == GW_OK);
    EXPECT(model::root_bwd<double>(at[0], 6, 1, &d_root, &tape) == GW_OK);
    EXPECT(std::fabs(r * r - at[0]) < 1e-12 && std::fabs(d_root * 2 * r - 1) < 1e-9);
    check("root", loss_root, at, 1, &d_root);
    gw_host_tape_free(&tape);
    return difference_report();
}
