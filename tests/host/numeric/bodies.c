/* What numeric.c differentiates without seeing it. */
#include "bodies.h"

#include <math.h>

int numeric_calls;

double energy(double x, int n, double y) {
    numeric_calls++;
    return pow(x, n) * y + sin(y);
}

double blend(const double *x, const double *w, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * w[i] + sin(x[i]) * w[(i + 1) % n];
    return sum;
}

void spread(double *y, const double *x, int i, double s) {
    for (int k = 0; k < i; k++) {
        y[2 * k] = sin(s * x[k]);
        y[2 * k + 1] = x[k] * x[(k + 1) % i] + s;
    }
}

double smooth(double *y, int n, double s) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += y[i] * y[i] * s;
        y[i] = s * y[i] + 0.25 * y[i] * y[i];
    }
    return sum;
}

int lookup(float *out, const float *table, const int *at, int n, float held) {
    for (int i = 0; i < n; i++) out[i] = table[at[i]] * table[at[i]] + held;
    return n;
}

float coarse(float x, float held) { return held * x * x + x; }

double origin(double x) {
    numeric_calls++;
    return sqrt(x);
}
