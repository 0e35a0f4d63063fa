// Local arrays of new and delete[]; single objects of new.
#include <cmath>

#include <gradwright/gradwright.h>

namespace sums {

template <class T> T *scaled(const T *x, int n, T by) {
    T *y = new T[n];
    for (int i = 0; i < n; ++i) y[i] = by * x[i] * x[i];
    return y;
}

template <class T> T total(const T *x, int n) {
    T *y = new T[2 * n](), *one = new T(x[0]), *nil = new T(), sum = 0;
    for (int i = 0; i < n; ++i) y[2 * i] = x[i] * x[i];
    for (int i = 0; i < 2 * n; ++i) sum += y[i] * *one + *nil;
    delete[] y;
    delete one;
    delete nil;
    return sum;
}

struct point {
    double x, y;
};

GW_GRADIENT("wrt x")
double chain(const double *x, int n) {
    double *a = scaled(x, n, 0.5), *zero = new double[n](), *start = new double(0.25);
    auto *p = new point[n];
    for (int i = 0; i < n; ++i) p[i].x = a[i], p[i].y = std::sin(a[i]);
    for (int r = 0; r < 3; ++r)
        for (int i = 0; i < n; ++i) zero[i] += p[i].x * p[n - 1 - i].y + *start;
    double sum = *start;
    for (int i = 0; i < n; ++i) sum = sum * zero[i] + a[i];
    delete[] p;
    delete start;
    delete[] zero;
    delete[] a;
    return sum;
}

GW_GRADIENT("wrt x")
double whole(const double *x, int n) { return total(x, n); }

} // namespace sums

#include "new.grad.hpp"

#include "difference.h"

static int count;
static double chain_loss(const double *x) { return sums::chain(x, count); }
static double whole_loss(const double *x) { return sums::whole(x, count); }

int main() {
    for (count = 1; count < 12; count += 5) {
        double x[12], d[12] = {0};
        for (int i = 0; i < 12; ++i) x[i] = 0.4 + 0.05 * i;
        EXPECT(sums::chain_grad(x, count, d) == GW_OK);
        check("chain", chain_loss, x, count, d);
        double w[12] = {0};
        EXPECT(sums::whole_grad(x, count, w) == GW_OK);
        check("whole", whole_loss, x, count, w);
    }
    return difference_report();
}
