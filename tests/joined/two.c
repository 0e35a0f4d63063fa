/* Bodies for one.c: with a helper, and a struct cell, of its own. */
#include "pair.h"
#include <math.h>

struct cell {
    float b;
    int n;
};
static double helper(double x, struct cell c) { return x * c.n; }
static int calls; /* a state that nothing depends on stays in its own source */

double two(const double *x, int n) {
    struct cell c = {1, 2};
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(x[i]) * helper(x[i], c);
    return s;
}
double of_pair(const struct pair *p) { return p->n == 2 ? p->u * p->u : p->u; }
double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

#define TERM(k) +sin(k * x) * cos(k * y) + exp(-k * x * x) / (1 + y * y * k) + log(1 + k * x * x + y * y)
#define TERMS(k) TERM(k) TERM(k + 1) TERM(k + 2) TERM(k + 3) TERM(k + 4)
double large(double x, double y) { return 0 TERMS(1) TERMS(6); }

void fill(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * x[i];
}
int count(void) { return ++calls; }
