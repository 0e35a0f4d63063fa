/* C's complex numbers: parameters, arrays and local variables, the operators and functions of complex.h.
 * Differences of both parts, and the forward derivative's product with a direction. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

#include <gradwright/gradwright.h>

GW_GRADIENT("wrt z, w, s") GW_DERIVATIVE("wrt z, w, s")
double arithmetic(double complex z, double complex w, double s) {
    double complex sum = z * w + 2.0 * I - z / (w + 3), half = 0.5, twice[2] = {z, w * I};
    sum *= z - s;
    sum += s;
    sum -= half * conj(w);
    sum /= 1.5 - I * s;
    twice[1] = -twice[0] * twice[1] + ~z;
    if (creal(sum) > 100 || z == w) sum = twice[0];
    sum = s > 0.5 ? sum * twice[1] : sum + twice[1] * s;
    return creal(sum) * cimag(sum) + __real__ z * __imag__ w;
}

GW_GRADIENT("wrt z, w, s") GW_DERIVATIVE("wrt z, w, s")
double functions(double complex z, double complex w, double s) {
    double complex sum = cexp(z) + clog(w + 4) * csqrt(z + 3 * I) + cpow(w + 5, z) + cpow(w + 5, s);
    sum += csin(z) * ccos(w) - ctan(z * 0.25) + csinh(w) * ccosh(z) + ctanh(w * 0.25);
    return cabs(sum) + carg(w + 6) * cabs(z + s) + creal(conj(sum) * z);
}

static double complex squared(double complex v) { return v * v; }
static void scale(double complex *v, double by) { *v *= by, __imag__ *v += __real__ *v; }

GW_GRADIENT("y wrt x, t") GW_DERIVATIVE("y wrt x, t")
void arrays(double complex *y, const double complex *x, const float complex *t, int n) {
    double complex row[4];
    for (int i = 0; i < n; i++) row[i] = squared(x[i]) * t[i % 2];
    for (int i = 0; i < n; i++) {
        y[i] = row[i] * x[(i + 1) % n] + y[i] * 0.5;
        scale(&y[i], creal(x[0]));
        y[i] += (double complex)t[1] * (float complex)t[0];
    }
}

struct wave {
    double complex amplitude[2];
    double phase;
};
GW_GRADIENT("wrt w") GW_DERIVATIVE("wrt w")
double in_a_struct(struct wave w, int n) {
    double complex sum = 0;
    for (int i = 0; i < n; i++) sum = sum * w.amplitude[i % 2] + cexp(I * w.phase * i);
    w.amplitude[0] *= sum;
    return cabs(w.amplitude[0] + w.amplitude[1]);
}

#include "complex.grad.h"

static int failures;
static void near(const char *what, double got, double wanted, double tolerance) {
    if (fabs(got - wanted) <= tolerance * (1 + fabs(wanted))) return;
    printf("%s is %.15g, not %.15g\n", what, got, wanted);
    failures++;
}

typedef double two_numbers(double complex z, double complex w, double s);
static double at(two_numbers *f, const double v[5]) { return f(v[0] + v[1] * I, v[2] + v[3] * I, v[4]); }

static void check_scalars(two_numbers *f, const char *name, const double v[5], double complex d_z,
                          double complex d_w, double d_s, double value, double tangent) {
    const double d[5] = {creal(d_z) - 1, cimag(d_z) - 2, creal(d_w), cimag(d_w), d_s}, h = 1e-5;
    double along = 0;
    for (int i = 0; i < 5; i++) {
        double up[5], down[5];
        for (int k = 0; k < 5; k++) up[k] = v[k] + (k == i) * h, down[k] = v[k] - (k == i) * h;
        near(name, d[i], (at(f, up) - at(f, down)) / (2 * h), 1e-7);
        along += d[i] * (i - 1.5);
    }
    near(name, value, at(f, v), 1e-13);
    near(name, tangent, along, 1e-11);
}

static void scalars(void) {
    for (int n = 0; n < 4; n++) {
        const double v[5] = {0.5 + 0.25 * n, -0.75 + 0.5 * n, 1.25 - 0.5 * n, 0.375 * n + 0.25, 0.3 + 0.25 * n};
        const double complex z = v[0] + v[1] * I, w = v[2] + v[3] * I, t_z = -1.5 - 0.5 * I,
                             t_w = 0.5 + 1.5 * I;
        double complex d_z = 1 + 2 * I, d_w = 0;
        double d_s = 0, tangent = 0;
        arithmetic_grad(z, w, v[4], &d_z, &d_w, &d_s);
        double value = arithmetic_jvp(z, w, v[4], t_z, t_w, 2.5, &tangent);
        check_scalars(arithmetic, "arithmetic", v, d_z, d_w, d_s, value, tangent);
        d_z = 1 + 2 * I, d_w = d_s = 0;
        functions_grad(z, w, v[4], &d_z, &d_w, &d_s);
        value = functions_jvp(z, w, v[4], t_z, t_w, 2.5, &tangent);
        check_scalars(functions, "functions", v, d_z, d_w, d_s, value, tangent);
    }
}

/* One part of a number. */
static double *part(double complex *x, int i) { return (double *)x + i; }

enum { N = 4 };
static double weighted(const double complex *x, const float complex *t, const double complex *before) {
    double complex y[N];
    double sum = 0;
    for (int i = 0; i < N; i++) y[i] = before[i];
    arrays(y, x, t, N);
    for (int i = 0; i < 2 * N; i++) sum += (i + 1) * *part(y, i);
    return sum;
}

static void memory(void) {
    double complex x[N], y[N], d_y[N], d_x[N], t_y[N], t_x[N], before[N];
    float complex t[2] = {1.5f - 0.5f * I, 0.25f + 2 * I}, d_t[2] = {0, 0}, t_t[2] = {0.5f + I, -1 + 0.25f * I};
    const double h = 1e-5;
    double along = 0, forward = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.5 * i - 0.75 + I * (1.25 - 0.5 * i), before[i] = y[i] = 1 + i * I;
        d_x[i] = 0, d_y[i] = 2 * i + 1 + (2 * i + 2) * I, t_x[i] = 1 - i * I, t_y[i] = 0;
    }
    arrays_grad(y, x, t, N, d_y, d_x, d_t);
    for (int i = 0; i < 2 * N; i++) {
        const double keep = *part(x, i);
        *part(x, i) = keep + h;
        const double up = weighted(x, t, before);
        *part(x, i) = keep - h;
        const double down = weighted(x, t, before);
        *part(x, i) = keep;
        near("d_x", *part(d_x, i), (up - down) / (2 * h), 1e-5);
        along += *part(d_x, i) * *part(t_x, i);
    }
    for (int i = 0; i < 4; i++) {
        float *cell = (float *)t + i;
        const float keep = *cell;
        *cell = keep + 0x1p-6f;
        const double up = weighted(x, t, before);
        *cell = keep - 0x1p-6f;
        const double down = weighted(x, t, before);
        *cell = keep;
        near("d_t", ((float *)d_t)[i], (up - down) * 32, 1e-4);
        along += ((float *)d_t)[i] * ((float *)t_t)[i];
    }
    arrays_jvp(y, x, t, N, t_y, t_x, t_t);
    arrays(before, x, t, N);
    for (int i = 0; i < 2 * N; i++)
        near("y", *part(y, i), *part(before, i), 1e-13), forward += (i + 1) * *part(t_y, i);
    near("arrays' tangent", forward, along, 1e-5);
}

static void structs(void) {
    struct wave w = {{0.5 + 0.25 * I, -1 + 0.75 * I}, 0.625}, d = {{0, 0}, 0}, t = {{1 - I, 2 + 0.5 * I}, -1.5};
    const double h = 1e-5;
    double along = 0, tangent = 0;
    in_a_struct_grad(w, 5, &d);
    for (int i = 0; i < 5; i++) {
        double *cell = (double *)&w + i;
        const double keep = *cell;
        *cell = keep + h;
        const double up = in_a_struct(w, 5);
        *cell = keep - h;
        const double down = in_a_struct(w, 5);
        *cell = keep;
        near("d", ((double *)&d)[i], (up - down) / (2 * h), 1e-7);
        along += ((double *)&d)[i] * ((double *)&t)[i];
    }
    near("in_a_struct", in_a_struct_jvp(w, 5, t, &tangent), in_a_struct(w, 5), 1e-13);
    near("its tangent", tangent, along, 1e-11);
}

int main(void) {
    scalars();
    memory();
    structs();
    return failures != 0;
}
