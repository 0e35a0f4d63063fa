// standard: c++20
// Small cases whose adjoints are worked out by hand, ends of ranges, equal keys and NaN.
#include "frame.h"

#include <limits>
#include <ranges>

static int failures;

static void expect(const char *what, const double *is, const std::vector<double> &wanted) {
    for (size_t i = 0; i < wanted.size(); i++) {
        if (is[i] == wanted[i] || (std::isnan(is[i]) && std::isnan(wanted[i]))) continue;
        std::printf("%s: [%zu] is %.17g, not %.17g\n", what, i, is[i], wanted[i]);
        failures++;
    }
}

GW_GRADIENT("y wrt x") void scanned(double *y, const double *x, int n) {
    std::inclusive_scan(std::execution::par, x, x + n, y);
}
GW_GRADIENT("y wrt x") void shifted(double *y, const double *x, int n) {
    std::exclusive_scan(std::execution::par, x, x + n, y, 0.0);
}
GW_GRADIENT("y wrt x") void sorted(double *y, const double *x, int n) {
    std::vector<double> u(x, x + n);
    std::sort(std::execution::par, u.begin(), u.end());
    std::copy(std::execution::par, u.begin(), u.end(), y);
}
GW_GRADIENT("y wrt x") void sorted_down(double *y, const double *x, int n) {
    std::vector<double> u(x, x + n);
    std::stable_sort(std::execution::par, u.begin(), u.end(), [](double a, double b) { return a > b; });
    std::copy(std::execution::par, u.begin(), u.end(), y);
}
GW_GRADIENT("y wrt x") void differences(double *y, const double *x, int n) {
    std::adjacent_difference(std::execution::par, x, x + n, y);
}
GW_GRADIENT("y wrt x") void positive(double *y, const double *x, int n) {
    std::copy_if(std::execution::par, x, x + n, y, [](double v) { return v > 0; });
}
GW_GRADIENT("wrt x") double largest(const double *x, int n) {
    return *std::max_element(std::execution::par, x, x + n);
}
GW_GRADIENT("wrt x") double product(const double *x, int n) {
    return std::reduce(std::execution::par, x, x + n, 1.0, std::multiplies<double>());
}
GW_GRADIENT("y wrt x, w") void scattered(double *y, const double *x, const int *to, double w, int n) {
    const auto all = std::views::iota(0, n);
    std::for_each(std::execution::par, all.begin(), all.end(), [&](int i) { y[to[i]] = w * x[i]; });
}
GW_GRADIENT("y wrt x") void gathered(double *y, const double *x, const int *from, int n) {
    const auto all = std::views::iota(0, n);
    std::for_each(std::execution::par, all.begin(), all.end(), [=](int i) { y[i] = x[from[i]]; });
}
GW_GRADIENT("y wrt x") void nothing(double *y, const double *x, int n) {
    std::transform(std::execution::par, x, x + n, y, [](double v) { return v * v; });
    std::sort(std::execution::par, y, y + n);
}

#include "by_hand.grad.hpp"

static const double nan_ = std::numeric_limits<double>::quiet_NaN();

int main() {
    const double x[4] = {3, -1, 2, 5}, seed[4] = {1, 10, 100, 1000};
    double y[4], d_y[4], d_x[4];
    const auto start = [&] {
        std::copy(seed, seed + 4, d_y);
        std::fill(d_x, d_x + 4, 0.0);
        std::fill(y, y + 4, 0.0);
    };
    // y_i = x_0 + ... + x_i, so d_x_j = d_y_j + ... + d_y_3; y is overwritten, so d_y is 0
    start(), (void)scanned_grad(y, x, 4, d_y, d_x);
    expect("scanned", d_x, {1111, 1110, 1100, 1000}), expect("scanned seed", d_y, {0, 0, 0, 0});
    // y_i = x_0 + ... + x_(i-1), so d_x_j = d_y_(j+1) + ... + d_y_3
    start(), (void)shifted_grad(y, x, 4, d_y, d_x);
    expect("shifted", d_x, {1110, 1100, 1000, 0});
    // sorted: -1 2 3 5, so x_0 = 3 is third, x_1 first, x_2 second, x_3 fourth
    start(), (void)sorted_grad(y, x, 4, d_y, d_x);
    expect("sorted", d_x, {100, 1, 10, 1000});
    // downwards: 5 3 2 -1
    start(), (void)sorted_down_grad(y, x, 4, d_y, d_x);
    expect("sorted down", d_x, {10, 1000, 100, 1});
    // equal keys stay in their order: 7 7 1 7 becomes 7 (x_0) 7 (x_1) 7 (x_3) 1 (x_2)
    const double equal[4] = {7, 7, 1, 7};
    start(), (void)sorted_down_grad(y, equal, 4, d_y, d_x);
    expect("equal keys", d_x, {1, 10, 1000, 100});
    // y_0 = x_0, y_i = x_i - x_(i-1): d_x_j = d_y_j - d_y_(j+1)
    start(), (void)differences_grad(y, x, 4, d_y, d_x);
    expect("differences", d_x, {1 - 10, 10 - 100, 100 - 1000, 1000});
    // kept: 3 2 5; the fourth place of y is not written, and keeps its adjoint
    start(), (void)positive_grad(y, x, 4, d_y, d_x);
    expect("positive", d_x, {1, 0, 10, 100}), expect("positive seed", d_y, {0, 0, 0, 1000});
    // of several largest the first
    start(), (void)largest_grad(equal, 4, d_x);
    expect("largest", d_x, {1, 0, 0, 0});
    // d_x_j is the product of the others; with one zero it is not 0 at the zero alone, with two nowhere
    start(), (void)product_grad(x, 4, d_x);
    expect("product", d_x, {-1 * 2 * 5, 3 * 2 * 5, 3 * -1 * 5, 3 * -1 * 2});
    const double zero[4] = {3, 0, 2, 5}, zeros[4] = {3, 0, 0, 5};
    start(), (void)product_grad(zero, 4, d_x);
    expect("product with 0", d_x, {0, 30, 0, 0});
    start(), (void)product_grad(zeros, 4, d_x);
    expect("product with two 0", d_x, {0, 0, 0, 0});
    // y_to(i) = w x_i: d_x_i = w d_y_to(i), d_w = the sum of x_i d_y_to(i)
    const int to[4] = {2, 0, 3, 1}, from[4] = {1, 1, 3, 1};
    double d_w = 0;
    start(), (void)scattered_grad(y, x, to, 2, 4, d_y, d_x, &d_w);
    expect("scattered", d_x, {200, 2, 2000, 20}),
        expect("scattered w", &d_w, {3 * 100 - 1 + 2 * 1000 + 5 * 10});
    // each y_i adds to the adjoint of where it was read
    start(), (void)gathered_grad(y, x, from, 4, d_y, d_x);
    expect("gathered", d_x, {0, 1 + 10 + 1000, 0, 100});
    // NaN: what it reaches is NaN, and nothing else
    const double bad[4] = {3, nan_, 2, 5};
    start(), (void)product_grad(bad, 4, d_x);
    expect("product of NaN", d_x, {nan_, 30, nan_, nan_});
    start(), (void)scanned_grad(y, bad, 4, d_y, d_x);
    expect("scan of NaN", d_x, {1111, 1110, 1100, 1000});
    // empty ranges touch nothing, a range of one is its element
    start(), (void)scanned_grad(nullptr, nullptr, 0, nullptr, nullptr),
        (void)sorted_grad(nullptr, x, 0, nullptr, nullptr);
    (void)nothing_grad(y, x, 0, d_y, d_x), (void)positive_grad(y, x, 0, d_y, d_x),
        (void)differences_grad(y, x, 0, d_y, d_x);
    expect("nothing", d_x, {0, 0, 0, 0}), expect("nothing seed", d_y, {1, 10, 100, 1000});
    start(), (void)sorted_grad(y, x, 1, d_y, d_x), (void)differences_grad(y, x + 1, 1, d_y + 1, d_x + 1);
    expect("one", d_x, {1, 10, 0, 0});
    if (!failures) std::puts("all adjoints are as derived");
    return failures || frame_failures;
}
