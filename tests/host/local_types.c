/* Types that functions declare for themselves, several of one name; loops that never run. Every function has
 * the form void f(double *y, double *x, int n) and overwrites what it likes. */
#include <gradwright/gradwright.h>

#define N 6
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)

BOTH("y wrt x")
void nested(double *y, double *x, int n) {
    struct cell {
        double v[2];
        struct {
            double a;
        } s;
    } c[3];
    for (int i = 0; i < 3; i++) {
        c[i].s.a = x[i];
        c[i].v[i % 2] = x[i + 1];
        c[i].v[1 - i % 2] = 0.3;
    }
    struct cell d = c[n % 3];
    double s = 1;
    for (int k = 0; k < n; k++) {
        s *= c[k % 3].s.a * d.s.a + c[k % 3].v[0];
        c[k % 3] = d;
        d.s.a += c[(k + 1) % 3].s.a;
        y[k] *= s;
    }
}

BOTH("y wrt x")
void numbers(double *y, double *x, int n) {
    struct cell {
        double b, a;
    } c[2] = {{0}}, *p = c;
    for (int i = 0; i < n; i++) {
        p[i % 2].a = x[i];
        p[1 - i % 2].b = y[i] * x[i];
        y[i] = c[0].a * c[1].b;
    }
}

BOTH("y wrt x")
void two_names(double *y, double *x, int n) {
    union cell {
        double b[2];
        struct {
            double u, v;
        } s;
    } c[3];
    for (int i = 0; i < 3; i++) c[i].s.u = x[i], c[i].b[1] = x[i + 3];
    for (int i = 0; i < n; i++) {
        c[i % 3].s.u *= c[(i + 1) % 3].b[i % 2];
        if (x[i] > 0.4) c[i % 3] = c[(i + 2) % 3];
        y[i] *= c[i % 3].s.v + c[0].s.u;
    }
}

BOTH("y wrt x")
void pointers(double *y, double *x, int n) {
    struct cell {
        double *a, *b;
    } p = {x, y};
    for (int i = 0; i < n; i++) {
        p.a[i] *= p.b[i];
        struct cell r = {p.b, p.a};
        if (p.a[i] > 0.3) p = r;
    }
    struct cell z = {y, x};
    z.a[0] *= z.b[1];
}

BOTH("y wrt x")
void never(double *y, double *x, int n) {
    for (int i = n; i < n; i++) y[i] = x[i];
    double s = x[0];
    int k = 0;
    while (s > 100) {
        s *= x[k++];
        x[0] = 0;
    }
    do {
        s *= x[1];
        x[1] = s;
    } while (0);
    for (unsigned i = 0; i < (unsigned)(n - 6); i++) x[i] *= y[i];
    y[0] = s;
}

#include "local_types.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(nested, 1);
    CHECK(numbers, 1);
    CHECK(two_names, 1);
    CHECK(pointers, 1);
    CHECK(never, 1);
    return difference_report();
}
