// What must stay atomic, what is plain, and what stays in order: the comments say what the text has of each
// function's gradient (text.py).
#include <gradwright/gradwright.h>

#include <algorithm>
#include <cmath>
#include <execution>
#include <numeric>
#include <ranges>
#include <vector>

template <class F> static void over(int n, F f) {
    std::for_each_n(std::execution::par, std::views::iota(0, n).begin(), n, f);
}

// has: gw_atomic_add(&d_x[
// not: d_x[index] +=
GW_GRADIENT("y wrt x") void from_list(double *y, const double *x, const int *list, int n) {
    over(n, [=](int i) { y[i] = x[list[i]] * 2; });
}

// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void halves(double *y, const double *x, int n) {
    over(n, [=](int i) { y[i] = x[i / 2] * 2; });
}

// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void remainders(double *y, const double *x, int n) {
    over(n, [=](int i) { y[i] = x[i % 5] * 2; });
}

// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void neighbours(double *y, const double *x, int n) {
    over(n, [=](int i) { y[i] = x[i] * x[i + 1]; });
}

// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void rounded(double *y, const double *x, const double *at, int n) {
    over(n, [=](int i) { y[i] = x[(int)at[i]] * 2; });
}

// The stride is not known not to be 0.
// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void strided(double *y, const double *x, int stride, int n) {
    over(n, [=](int i) { y[i] = x[i * stride] * 2; });
}

// has: gw_atomic_add(&d_w[
// has: d_x[i_2] +=
GW_GRADIENT("y wrt x, w") void weighted(double *y, const double *x, const double *w, int n) {
    over(n, [=](int i) {
        double s = 0;
        for (int k = 0; k < 4; k++)
            s += w[k] * x[i];
        y[i] = s;
    });
}

// Two members of one array, of which one is another iteration's.
// has: gw_atomic_add(&d_x[
GW_GRADIENT("y wrt x") void mirrored(double *y, const double *x, int n) {
    over(n, [=](int i) { y[i] = x[i] * x[n - 1 - i]; });
}

// has: d_x[i_2] +=
// has: // owned
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void scattered(double *y, const double *x, const int *list, int n) {
    over(n, [=](int i) { y[list[i]] += x[i] * x[i]; });
}

// has: // owned: the source's iterations write these cells
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void stored_by_list(double *y, const double *x, const int *list, int n) {
    over(n, [=](int i) { y[list[i]] = x[i] * x[i]; });
}

// has: // owned
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void rows(double *y, const double *x, int width, int n) {
    over(n, [=](int i) {
        double s = 0;
        for (int k = 0; k < width; k++)
            s += x[i * width + k];
        y[i] = s;
    });
}

// has: // owned
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void triples(double *y, const double *x, int n) {
    over(n, [=](int i) { y[i] = x[3 * i] * x[3 * i + 1] * x[3 * i + 2]; });
}

// has: // owned
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void sorted(double *y, const double *x, int n) {
    std::vector<double> u(x, x + n);
    std::sort(std::execution::par, u.begin(), u.end());
    std::copy(std::execution::par, u.begin(), u.end(), y);
}

// not: gw_atomic_add
GW_GRADIENT("y wrt x") void differences(double *y, const double *x, int n) {
    std::adjacent_difference(std::execution::par, x, x + n, y, [](double a, double b) { return a * b; });
}

// has: gw_for_each_summing
// not: gw_atomic_add
GW_GRADIENT("y wrt x, rate") void captured(double *y, const double *x, double rate, int n) {
    over(n, [=](int i) { y[i] = rate * x[i] * x[i]; });
}

// has: // in order, not as std::execution::par: an iteration needs what the one before has carried on
// not: std::for_each
GW_GRADIENT("y wrt x") void scanned(double *y, const double *x, int n) {
    std::inclusive_scan(std::execution::par, x, x + n, y);
}

// has: // in order, not as std::execution::unseq: iterations add to one cell
// not: gw_atomic_add
GW_GRADIENT("y wrt x") void in_lanes(double *y, const double *x, int n) {
    std::for_each_n(std::execution::unseq, std::views::iota(0, n).begin(), n,
                    [=](int i) { y[i] = x[i / 2] * 2; });
}

// has: std::execution::par,
// has: gw_atomic_add(&d_x[
// not: par_unseq
GW_GRADIENT("y wrt x") void in_threads_alone(double *y, const double *x, int n) {
    std::for_each_n(std::execution::par_unseq, std::views::iota(0, n).begin(), n,
                    [=](int i) { y[i] = x[i / 2] * 2; });
}

// not: std::execution
GW_GRADIENT("y wrt x") void sequential(double *y, const double *x, int n) {
    std::for_each_n(std::execution::seq, std::views::iota(0, n).begin(), n,
                    [=](int i) { y[i] = x[i / 2] * 2; });
}

// has: // in order, not as std::execution::par: an array is allocated
GW_GRADIENT("y wrt x") void with_vectors(double *y, const double *x, int n) {
    over(n, [=](int i) {
        std::vector<double> t(i + 1);
        for (int k = 0; k <= i; k++)
            t[k] = std::sin(x[k]);
        y[i] = t[i / 2] * t[i];
    });
}

// has: // in order, not as std::execution::par: values go to a tape, and come back last first
GW_GRADIENT("y wrt x") void recorded_by_branches(double *y, const double *x, int n) {
    std::vector<double> u(x, x + n);
    for (int step = 0; step < 2; step++)
        std::for_each(std::execution::par, u.begin(), u.end(), [](double &v) {
            for (int k = 0; v > 0.5 && k < 20; k++)
                v = std::sin(v) * v;
        });
    std::copy(std::execution::par, u.begin(), u.end(), y);
}
