// standard: c++20
// What iterations do at the same time, with enough of them for every core: what they add to one cell must not
// be lost, and nothing else may be shared. Run under ThreadSanitizer, too.
#include "frame.h"

#include <ranges>

enum { MANY = 4000, CELLS = 7 };

/* Several indices lead to one cell of x. */
GW_GRADIENT("y wrt x, w") void gathered(double *y, const double *x, const int *from, double w, int n) {
    const auto all = std::views::iota(0, n);
    std::for_each(std::execution::par, all.begin(), all.end(),
                  [&](int i) { y[i] = w * x[from[i]] * x[from[i]]; });
}

/* No two iterations store to one cell: the algorithm's policy says so. */
GW_GRADIENT("y wrt x") void scattered(double *y, const double *x, const int *to, int n) {
    const auto all = std::views::iota(0, n);
    std::for_each(std::execution::par, all.begin(), all.end(), [=](int i) { y[to[i]] += x[i] * x[i]; });
}

/* A window: neighbours meet. */
GW_GRADIENT("y wrt x, w") void blurred(double *y, const double *x, const double *w, int n) {
    std::for_each_n(std::execution::par, std::views::iota(0, n - 2).begin(), n - 2, [=](int i) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += w[k] * x[i + k];
        y[i] = sum * sum;
    });
}

/* Rows of a matrix: each iteration has its own, and all have the vector. */
GW_GRADIENT("y wrt a, x") void multiplied(double *y, const double *a, const double *x, int rows, int columns) {
    std::for_each_n(std::execution::par, std::views::iota(0, rows).begin(), rows, [=](int i) {
        double sum = 0;
        for (int k = 0; k < columns; k++)
            sum += a[i * columns + k] * x[k];
        y[i] = sum;
    });
}

/* In several steps, each read by the next. */
GW_GRADIENT("wrt x, w") double chained(const std::vector<double> &x, double w) {
    std::vector<double> u(x.size()), v(x.size());
    std::transform(std::execution::par, x.begin(), x.end(), u.begin(),
                   [=](double a) { return std::sin(w * a); });
    std::transform(std::execution::par_unseq, u.begin(), u.end(), x.begin(), v.begin(),
                   [](double a, double b) { return a * b + a * a; });
    std::sort(std::execution::par, v.begin(), v.end());
    std::adjacent_difference(std::execution::par, v.begin(), v.end(), u.begin());
    const double sum = std::transform_reduce(std::execution::par, u.begin(), u.end(), v.begin(), 0.0);
    return sum * sum;
}

/* What an iteration keeps for its own way back, and of which it is not known how much there is. */
GW_GRADIENT("y wrt x, w") void stepped(double *y, const double *x, const double *w, int n, int steps) {
    std::for_each_n(std::execution::par, std::views::iota(0, n).begin(), n, [=](int i) {
        double t = 1, sum = 0;
        for (int k = 0; k < steps; k++) {
            sum += t * w[k];
            t = std::sin(t + x[i * steps + k]);
            if (t < 0.1) break;
        }
        y[i] = t * sum;
    });
}

/* What it keeps for a later loop: so many bytes each. */
GW_GRADIENT("y wrt x") void in_place(double *y, const double *x, int n) {
    std::vector<double> u(x, x + n);
    for (int step = 0; step < 3; step++)
        std::for_each(std::execution::par, u.begin(), u.end(), [](double &v) { v = std::sin(v) * v; });
    std::copy(std::execution::par, u.begin(), u.end(), y);
}

/* An array of an iteration's own, of known length. */
GW_GRADIENT("y wrt x") void turned(double *y, const double *x, int n) {
    std::for_each_n(std::execution::par, std::views::iota(0, n).begin(), n, [=](int i) {
        double t[3] = {x[i], 1, 2};
        for (int k = 0; k < 40; k++)
            t[k % 3] = std::sin(t[(k + 1) % 3] * t[k % 3]);
        y[i] = t[0] * t[1];
    });
}

#include "meeting.grad.hpp"

static int failures;

static void expect(const char *what, double is, double wanted) {
    if (std::fabs(is - wanted) <= 1e-9 * (1 + std::fabs(wanted))) return;
    std::printf("%s is %.15g, not %.15g\n", what, is, wanted);
    failures++;
}

/* Compares the derivative of the sum of y along each of some cells of x. */
template <class F, class G>
static void compare(const char *what, F f, G gradient, std::vector<double> x, int n) {
    std::vector<double> y(n), d_y(n, 1.0), d_x(x.size());
    if (gradient(y.data(), x.data(), d_y.data(), d_x.data()) != GW_OK) failures++;
    const auto value = [&] {
        f(y.data(), x.data());
        return std::accumulate(y.begin(), y.end(), 0.0);
    };
    for (size_t i = 0; i < x.size(); i += 1 + x.size() / 37) {
        const double keep = x[i], h = 0x1p-20;
        x[i] = keep + h;
        const double above = value();
        x[i] = keep - h;
        const double slope = (above - value()) / (2 * h);
        x[i] = keep;
        if (std::fabs(d_x[i] - slope) <= 1e-6 * (1 + std::fabs(slope))) continue;
        std::printf("%s: d_x[%zu] is %g, not %g\n", what, i, d_x[i], slope);
        failures++;
    }
}

static void compare_tapes() {
    enum { STEPS = 9, ROWS = MANY / STEPS };
    std::vector<double> x(MANY), w(STEPS, 0.7), d_w(STEPS);
    for (int i = 0; i < MANY; i++)
        x[i] = 0.5 + (i * 29 % 43) / 43.0;
    compare(
        "stepped", [&](double *y, const double *x) { stepped(y, x, w.data(), ROWS, STEPS); },
        [&](double *y, const double *x, double *d_y, double *d_x) {
            return stepped_grad(y, x, w.data(), ROWS, STEPS, d_y, d_x, d_w.data());
        },
        x, ROWS);
    compare(
        "in place", [](double *y, const double *x) { in_place(y, x, MANY); },
        [](double *y, const double *x, double *d_y, double *d_x) {
            return in_place_grad(y, x, MANY, d_y, d_x);
        },
        x, MANY);
    compare(
        "turned", [](double *y, const double *x) { turned(y, x, MANY); },
        [](double *y, const double *x, double *d_y, double *d_x) { return turned_grad(y, x, MANY, d_y, d_x); },
        x, MANY);
}

int main() {
    compare_tapes();
    std::vector<double> x(MANY), y(MANY), d_x(MANY), d_y(MANY, 1.0);
    std::vector<int> list(MANY);
    for (int i = 0; i < MANY; i++)
        x[i] = 0.5 + (i * 29 % 43) / 43.0, list[i] = i * 13 % CELLS;
    double d_w = 0, sum = 0;
    const double w = 1.5;
    (void)gathered_grad(y.data(), x.data(), list.data(), w, MANY, d_y.data(), d_x.data(), &d_w);
    for (int c = 0; c < CELLS; c++) {
        const long times = std::count(list.begin(), list.end(), c);
        expect("gathered d_x", d_x[c], 2 * w * x[c] * (double)times);
        sum += x[c] * x[c] * (double)times;
    }
    expect("gathered d_w", d_w, sum);

    for (int i = 0; i < MANY; i++)
        list[i] = (int)(i * 17L % MANY), d_y[i] = 1 + i % 5, d_x[i] = 0;
    (void)scattered_grad(y.data(), x.data(), list.data(), MANY, d_y.data(), d_x.data());
    for (int i = 0; i < MANY; i++)
        expect("scattered d_x", d_x[i], 2 * x[i] * (1 + list[i] % 5));

    double window[3] = {1, 2, 3}, d_window[3] = {0};
    std::fill(d_x.begin(), d_x.end(), 0.0), std::fill(d_y.begin(), d_y.end(), 1.0);
    (void)blurred_grad(y.data(), x.data(), window, MANY, d_y.data(), d_x.data(), d_window);
    std::vector<double> wanted(MANY), of_window(3);
    for (int i = 0; i < MANY - 2; i++) {
        const double seed = 2 * (x[i] + 2 * x[i + 1] + 3 * x[i + 2]);
        for (int k = 0; k < 3; k++)
            wanted[i + k] += seed * window[k], of_window[k] += seed * x[i + k];
    }
    for (int i = 0; i < MANY; i++)
        expect("blurred d_x", d_x[i], wanted[i]);
    for (int k = 0; k < 3; k++)
        expect("blurred d_w", d_window[k], of_window[k]);

    const int columns = 16, rows = MANY / 16;
    std::vector<double> v(columns, 0.5), d_v(columns);
    std::fill(d_x.begin(), d_x.end(), 0.0), std::fill(d_y.begin(), d_y.end(), 1.0);
    (void)multiplied_grad(y.data(), x.data(), v.data(), rows, columns, d_y.data(), d_x.data(), d_v.data());
    for (int i = 0; i < MANY; i++)
        expect("multiplied d_a", d_x[i], 0.5);
    for (int k = 0; k < columns; k++) {
        double down = 0;
        for (int i = 0; i < rows; i++)
            down += x[i * columns + k];
        expect("multiplied d_x", d_v[k], down);
    }

    for (int i = 0; i < MANY; i++)
        d_x[i] = 0, x[i] += 1e-5 * i;
    d_w = 0;
    (void)chained_grad(x, 0.7, d_x, &d_w);
    const double h = 0x1p-20;
    const double slope = (chained(x, 0.7 + h) - chained(x, 0.7 - h)) / (2 * h);
    if (std::fabs(slope - d_w) > 1e-5 * std::fabs(slope))
        std::printf("chained d_w is %g, not %g\n", d_w, slope), failures++;
    std::vector<double> again(MANY);
    double d_again = 0;
    (void)chained_grad(x, 0.7, again, &d_again);
    if (again != d_x || d_again != d_w) std::puts("chained: other bits the second time"), failures++;
    if (!failures) std::puts("nothing is lost");
    return failures != 0;
}
