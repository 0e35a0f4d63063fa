/* Arrays outside of a loop whose contents its iterations do and do not take over from one another, and values
 * that every iteration computes alike: what moves into a loop, or out of one, must not change a gradient. */
#include <math.h>

#include <gradwright/gradwright.h>

#define N 6

/* Each iteration fills what it reads: independent of the others. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void filled(double *y, double *x, int n) {
    double part[N];
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n; i++) part[i] = sin(x[i] * x[t]);
        for (int i = 0; i + 1 < n; i++)
            for (int k = i + 1; k < n; k++) part[k] += part[i] * x[k];
        y[t] = part[n - 1] * part[t];
    }
}

/* The cells that an iteration fills depend on it: later ones read those of earlier ones. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void grows(double *y, double *x, int n) {
    double part[N];
    for (int t = 0; t < n; t++) {
        part[t] = x[t] * x[0];
        for (int i = 0; i <= t; i++) part[i] = part[i] * 0.9 + x[i];
        y[t] = part[t / 2] * part[t];
    }
}

/* Only some iterations fill it. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void sometimes(double *y, double *x, int n) {
    double part[2] = {0.5, 0.25};
    for (int t = 0; t < n; t++) {
        if (t % 3 == 0) {
            part[0] = x[t];
            part[1] = x[t] * x[t];
        }
        y[t] = exp(part[0]) * part[1] * x[t];
    }
}

/* The loop that fills it has a count that changes. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void shorter(double *y, double *x, int n) {
    double part[N];
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < n - t; i++) part[i] = x[i] + x[t];
        y[t] = part[n - 1] * part[0];
    }
}

/* Read before it is filled again. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void before(double *y, double *x, int n) {
    double last[1];
    last[0] = x[n - 1];
    for (int t = 0; t < n; t++) {
        y[t] = last[0] * x[t];
        last[0] = y[t] + x[t];
    }
}

/* Cells of the caller that exist only where the inner loop runs. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void guarded(double *y, double *x, int n) {
    for (int i = 0; i < 2 * n; i++)
        for (int k = i; k < n; k++) y[k] = y[k] * 0.5 + x[i] * x[k] * exp(x[i]);
}

/* The cell is stored to in the loop: it is not the same in all iterations. */
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
void changing(double *y, double *x, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            y[k] += 0.2 * x[i] * x[k];
            x[k] = x[k] * 0.5 + 0.1 * y[i];
        }
}

#include "lifetimes.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(filled, 0);
    CHECK(grows, 0);
    CHECK(sometimes, 0);
    CHECK(shorter, 0);
    CHECK(before, 0);
    CHECK(guarded, 0);
    CHECK(changing, 1);
    return difference_report();
}
