// standard: c++20
// The other forms of a derivative: two halves with the caller's tape, and forward mode. What they say is what
// the joined gradient says.
#include "frame.h"

#include <ranges>

GW_GRADIENT("y wrt x, w")
GW_SPLIT_GRADIENT("y wrt x, w")
GW_DERIVATIVE("y wrt x, w")
void smoothed(double *y, const double *x, double w, int n) {
    std::vector<double> u(x, x + n), v(n);
    for (int step = 0; step < 3; step++) {
        std::for_each(std::execution::par, u.begin(), u.end(), [=](double &a) { a = std::sin(a) * w; });
        std::for_each_n(std::execution::par, std::views::iota(0, n).begin(), n, [&](int i) {
            double t = 1;
            for (int k = 0; k < 4; k++) t = std::sin(t + u[(i + k) % n]);
            v[i] = t * u[i];
        });
        std::copy(std::execution::par, v.begin(), v.end(), u.begin());
    }
    std::sort(std::execution::par, u.begin(), u.end());
    std::copy(std::execution::par, u.begin(), u.end(), y);
}

#include "forms.grad.hpp"

int main() {
    enum { N = 500 };
    std::vector<double> x(N), y(N), seed(N), d_x(N), e_x(N), t_x(N), t_y(N);
    for (int i = 0; i < N; i++)
        x[i] = 0.5 + 1e-4 * i + (i * 29 % 43) / 43.0, seed[i] = 1 + i % 3, t_x[i] = 0.5 - 0.25 * (i % 5);
    double d_w = 0, e_w = 0;
    const double w = 0.9, t_w = 0.7;
    std::vector<double> d_y = seed;
    if (smoothed_grad(y.data(), x.data(), w, N, d_y.data(), d_x.data(), &d_w) != GW_OK) return 1;
    gw_host_tape tape = GW_HOST_TAPE;
    if (smoothed_fwd(y.data(), x.data(), w, N, &tape) != GW_OK) return 1;
    std::vector<double> e_y = seed;
    if (smoothed_bwd(y.data(), x.data(), w, N, e_y.data(), e_x.data(), &e_w, &tape) != GW_OK) return 1;
    gw_host_tape_free(&tape);
    smoothed_jvp(y.data(), x.data(), w, N, t_y.data(), t_x.data(), t_w);
    double backward = d_w * t_w, forward = 0;
    for (int i = 0; i < N; i++) {
        frame_expect("halves", "par", N, i, e_x[i], d_x[i], 1e-12);
        backward += d_x[i] * t_x[i], forward += seed[i] * t_y[i];
    }
    frame_expect("halves", "w", N, 0, e_w, d_w, 1e-12);
    frame_expect("forward", "par", N, 0, forward, backward, 1e-10);
    return frame_report();
}
