/* GW_ERROR: bounds against the errors that there are, which the same functions in long double (of floats: in
 * double) tell; what each row has of it; models; and that variables which may be floats may be. */
#include <gradwright/gradwright.h>
#include <gradwright/rounding.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define N 1000

GW_ERROR("wrt x")
double sum(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
static long double sum_exact(const double *x, int n) {
    long double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

GW_ERROR("wrt x")
float sum_of_floats(const float *x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

/* Simpson's rule for the integral of sin x exp x over [0, b]. */
GW_ERROR("wrt b")
double simpson(double b, int n) {
    double h = b / (2 * n), s = sin(0.0) + sin(b) * exp(b);
    for (int i = 1; i < 2 * n; i++) {
        double x = i * h, f = sin(x) * exp(x);
        s += (i % 2 ? 4 : 2) * f;
    }
    return s * h / 3;
}
static long double simpson_exact(long double b, int n) {
    long double h = b / (2 * n), s = sinl(0) + sinl(b) * expl(b);
    for (int i = 1; i < 2 * n; i++) {
        long double x = i * h, f = sinl(x) * expl(x);
        s += (i % 2 ? 4 : 2) * f;
    }
    return s * h / 3;
}

/* The length of x + sum of sin(2^k x) / 2^k over [0, pi], as D. H. Bailey's, which tests precision tuners. */
GW_ERROR("s wrt pi")
void arclength(double *s, double pi, int n) {
    double h = pi / n, before = 0, length = 0;
    for (int i = 1; i <= n; i++) {
        double x = i * h, now = x, d = 1;
        for (int k = 1; k <= 5; k++) {
            d = 2 * d;
            now = now + sin(d * x) / d;
        }
        length += sqrt(h * h + (now - before) * (now - before));
        before = now;
    }
    s[0] = length;
}
static long double arclength_exact(long double pi, int n) {
    long double h = pi / n, before = 0, length = 0;
    for (int i = 1; i <= n; i++) {
        long double x = i * h, now = x, d = 1;
        for (int k = 1; k <= 5; k++) {
            d = 2 * d;
            now = now + sinl(d * x) / d;
        }
        length += sqrtl(h * h + (now - before) * (now - before));
        before = now;
    }
    return length;
}

/* (x - 1)^7, multiplied out: near 1 nothing of the value is right. */
GW_ERROR("wrt c")
double horner(const double *c, double x) {
    double p = c[7];
    for (int i = 6; i >= 0; i--) p = p * x + c[i];
    return p;
}

/* In place, through memory of its own, and by a branch; the seeds tell of which sum of outputs it is. */
GW_ERROR("y wrt a via t")
void in_place(double *y, double *t, double a, int n) {
    double local[4];
    for (int k = 0; k < 4; k++) local[k] = sqrt(a + k);
    for (int i = 0; i < n; i++) {
        t[i] = y[i] * local[i % 4];
        if (t[i] > 2) t[i] = t[i] / a;
        y[i] = t[i] * t[i] - a;
    }
}
static void in_place_exact(long double *y, long double a, int n) {
    for (int i = 0; i < n; i++) {
        long double t = y[i] * sqrtl(a + i % 4);
        if (t > 2) t = t / a;
        y[i] = t * t - a;
    }
}

static double seen;
static double fourfold(double adjoint, double value, const gw_error_row *row) {
    if (row->unit == 0) return 0;
    seen += 1;
    return 4 * row->unit * fabs(adjoint * value);
}
GW_ERROR("simple = wrt x") GW_ERROR("modelled = wrt x by fourfold")
double cube(double x) {
    double square = x * x;
    return square * x;
}

/* A large sum and small corrections: those may be floats. */
GW_ERROR("wrt x")
double corrected(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double small = 1e-9 * sin(x[i]);
        s = s + x[i] + small;
    }
    return s;
}
static long double corrected_exact(const double *x, int n) {
    long double s = 0;
    for (int i = 0; i < n; i++) s = s + x[i] + 1e-9 * sinl(x[i]);
    return s;
}
static double corrected_advised(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        float small = (float)(1e-9 * sin(x[i]));
        s = s + x[i] + (double)small;
    }
    return s;
}

#include "rounding.grad.h"

#include "difference.h"

/* The bound holds, and is no more than `factor` times the error that there is. */
static void compare(const char *name, double bound, long double error, double factor) {
    const double e = (double)fabsl(error);
    EXPECT(bound >= e);
    EXPECT(bound <= factor * e);
    if (bound < e || bound > factor * e) printf("%s: bound %g, error %g\n", name, bound, e);
}

static void check_sums(void) {
    double x[N], bound = 0, wide = 0;
    float y[N];
    for (int i = 0; i < N; i++) x[i] = 0.1, y[i] = 0.1f;
    EXPECT(sum_error(x, N, &bound) == GW_OK);
    /* an input's own rounding, which the reference does not see, is a unit of the whole */
    compare("sum", bound, sum_exact(x, N) - sum(x, N), 100);
    EXPECT(sum_of_floats_error(y, N, &wide) == GW_OK);
    for (int i = 0; i < N; i++) x[i] = y[i];
    compare("sum_of_floats", wide, sum_exact(x, N) - sum_of_floats(y, N), 100);
    EXPECT(wide > bound * 0x1p28);
    bound = 1; /* it is added to */
    EXPECT(sum_error(x, 0, &bound) == GW_OK && bound == 1);
}

static void check_integrals(void) {
    double bound = 0, s, d_s = 1;
    const double pi = acos(-1.0);
    EXPECT(simpson_error(pi, N, &bound) == GW_OK);
    compare("simpson", bound, simpson_exact(pi, N) - simpson(pi, N), 1000);
    arclength(&s, pi, N);
    bound = 0;
    EXPECT(arclength_error(&s, pi, N, &d_s, &bound) == GW_OK);
    compare("arclength", bound, arclength_exact(pi, N) - s, 1000);
    EXPECT(d_s == 0); /* consumed, as by a gradient */
}

static void check_horner(void) {
    const double c[8] = {-1, 7, -21, 35, -35, 21, -7, 1}, near[4] = {0.9, 1.0009, 1.01, 1.1};
    for (int i = 0; i < 4; i++) {
        double bound = 0;
        EXPECT(horner_error(c, near[i], &bound) == GW_OK);
        compare("horner", bound, powl(near[i] - 1.0L, 7) - horner(c, near[i]), 1000);
    }
}

static void check_memory(void) {
    enum { CELLS = 7 };
    double y[CELLS], t[CELLS] = {0}, d_y[CELLS], d_t[CELLS] = {0}, before[CELLS], bound = 0, a = 1.3;
    long double exact[CELLS], error = 0;
    for (int i = 0; i < CELLS; i++) before[i] = y[i] = 0.7 + 0.31 * i, exact[i] = y[i], d_y[i] = i % 2 ? -1 : 1;
    EXPECT(in_place_error(y, t, a, CELLS, d_y, d_t, &bound) == GW_OK);
    EXPECT(memcmp(y, before, sizeof y) == 0);
    in_place(y, t, a, CELLS);
    in_place_exact(exact, a, CELLS);
    for (int i = 0; i < CELLS; i++) error += (i % 2 ? -1 : 1) * (exact[i] - y[i]);
    compare("in_place", bound, error, 1000);
}

/* 1.1^3: an input, two products and two copies to variables. */
static void check_rows(void) {
    double terms[8] = {0}, bound = 0, modelled_bound = 0, from_rows = 0;
    const gw_error_table table = simple_table();
    EXPECT(table.count <= 8);
    EXPECT(simple(1.1, &bound) == GW_OK);
    simple_terms(1.1, terms);
    for (size_t i = 0; i < table.count; i++) {
        const gw_error_row *row = &table.rows[i];
        from_rows += terms[i] * row->weight;
        EXPECT(strcmp(row->type, "double") == 0 && strcmp(row->file, "rounding.c") == 0);
        if (strcmp(row->name, "square") != 0) continue;
        EXPECT(row->unit == 0x1p-53 && fabs(terms[i] - 1.1 * 1.1 * 1.1) < 1e-14);
    }
    EXPECT(bound == from_rows);
    EXPECT(fabs(bound / (5 * 1.331 * 0x1p-53) - 1) < 1e-12); /* x counts by its adjoint, 3 x^2 */
    EXPECT(modelled(1.1, &modelled_bound) == GW_OK);
    EXPECT(fabs(modelled_bound / (4 * bound) - 1) < 1e-12 && seen > 0);
}

static void check_advice(void) {
    double x[N], terms[32] = {0}, tolerance = 1e-6;
    unsigned char as_float[32];
    const gw_error_table table = corrected_error_table();
    int small = 0, other = 0;
    for (int i = 0; i < N; i++) x[i] = 1 + 0.37 * i;
    EXPECT(table.count <= 32);
    EXPECT(corrected_error_terms(x, N, terms) == GW_OK);
    const double expected = gw_error_advise(table, terms, tolerance, as_float);
    for (size_t i = 0; i < table.count; i++)
        if (as_float[i]) *(strcmp(table.rows[i].name, "small") ? &other : &small) += 1;
    EXPECT(small > 0 && other == 0);
    EXPECT(expected <= tolerance);
    const long double error = corrected_exact(x, N) - corrected_advised(x, N);
    compare("advised", expected, error, 1e6); /* what was advised, done */
    gw_error_advise(table, terms, 0, as_float);
    for (size_t i = 0; i < table.count; i++) EXPECT(!as_float[i]);
}

int main(void) {
    check_sums();
    check_integrals();
    check_horner();
    check_memory();
    check_rows();
    check_advice();
    return difference_report();
}
