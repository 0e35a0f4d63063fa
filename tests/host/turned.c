/* Loops around loops whose iterations commute but for what they record: their reverse runs upward
 * (rewriters/tape/turn.c), and such ones that only look like it, whose reverse must not. tests/storage says
 * which are which. */
#include <math.h>

#include <gradwright/gradwright.h>

#define N 6
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)

/* Records in the body and in a branch. */
BOTH("y wrt x")
void triangle(double *y, double *x, int n) {
    double whole = 0;
    for (int p = 0; p < n; p++) {
        double centred[n], turned[n];
        for (int i = 0; i < n; i++) {
            centred[i] = x[i] * x[p];
            turned[i] = exp(x[i]);
        }
        int at = p;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) turned[j] += x[at++ & 3] * centred[i];
        for (int i = 0; i < n; i++) whole += turned[i] * turned[i];
    }
    y[0] = whole * whole;
}

/* Records in both sides of a branch, in a branch of a branch, of several sizes; a loop that may not run at
 * all. */
BOTH("y wrt x")
void both_sides(double *y, double *x, int n) {
    double state = 0.4;
    for (int t = 0; t < n; t++) {
        double sum[n];
        int at = t;
        for (int i = 0; i < n; i++) sum[i] = x[i] + x[t];
        for (int i = t; i < n; i++) {
            double small = sin(3 * x[i]);
            double factor;
            if (at % 3 == 0) {
                factor = exp(x[i]) * small;
                if (x[i] > 0.2) factor *= tanh(factor);
            } else {
                factor = sin(x[i] + at) * exp(0.3 * x[i]);
            }
            for (int j = 0; j < i; j++) sum[j] += factor * x[at++ & 3] * small;
        }
        for (int i = 0; i < n; i++) state = 0.5 * state + 0.1 * sin(sum[i]) * state;
        y[t] = sum[0] * sum[n - 1] * state;
    }
}

/* Not upward: what is added to is also read. */
BOTH("y wrt x")
void read_too(double *y, double *x, int n) {
    for (int t = 0; t < n; t++) {
        double sum[n], s = 0;
        int at = t;
        for (int i = 0; i < n; i++) sum[i] = x[i] * x[t];
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) sum[j] += exp(x[at++ & 3]) * x[i];
            s += sum[i] * sum[i];
        }
        y[t] = s;
    }
}

/* Not upward: cells are scaled. */
BOTH("y wrt x")
void scaled(double *y, double *x, int n) {
    for (int t = 0; t < n; t++) {
        double part[n], s = 0;
        int at = t;
        for (int i = 0; i < n; i++) part[i] = x[i] * x[t];
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) part[j] = part[j] * exp(0.1 * x[at++ & 3]) + x[i];
        for (int i = 0; i < n; i++) s += part[i];
        y[t] = s * s;
    }
}

/* Not upward: one iteration leaves as many records as it runs an inner loop. */
BOTH("y wrt x")
void uneven(double *y, double *x, int n) {
    for (int t = 0; t < n; t++) {
        double part[n], s = 0;
        int at = t;
        for (int i = 0; i < n; i++) part[i] = x[i] * x[t];
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) part[j] += sin(exp(x[at++ & 3]) * x[i]);
        for (int i = 0; i < n; i++) s += part[i] * part[i];
        y[t] = s * s;
    }
}

#include "turned.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(triangle, 0);
    CHECK(both_sides, 0);
    CHECK(read_too, 0);
    CHECK(scaled, 0);
    CHECK(uneven, 0);
    return difference_report();
}
