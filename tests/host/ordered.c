/* Calls with effects (GW_ORDERED): a queue, of which each number can be taken once. The gradient performs each
 * call once, in the order of the source, also where no value of it is needed; pullbacks come in the opposite
 * order, also those of calls without active numbers. */
#include <gradwright/gradwright.h>
#include <stdlib.h>

#include "difference.h"

static double queue[64], back[64];
static int put_at, take_at, back_at;
static char calls[256];
static int count;

GW_ORDERED int ticket(int kind) { return 10 * kind + count % 10; }

GW_ORDERED int put(const double *x, int n, int number);
int put(const double *x, int n, int number) {
    (void)number;
    for (int i = 0; i < n; i++)
        queue[put_at++] = x[i];
    calls[count++] = 'p';
    return 0;
}
GW_DERIVATIVE_OF("pullback of put") void put_back(const double *x, int n, int number, double *d_x) {
    (void)x, (void)number;
    for (int i = n; i-- > 0;) {
        const double d = back[--back_at];
        if (d_x) d_x[n - 1 - i] += d;
    }
    calls[count++] = 'P';
}
GW_DERIVATIVE_OF("jvp of put") int put_along(const double *x, int n, int number, const double *t_x) {
    for (int i = 0; i < n; i++)
        back[put_at + i] = t_x ? t_x[i] : 0;
    return put(x, n, number);
}

GW_ORDERED void take(double *x, int n);
void take(double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = queue[take_at++];
    calls[count++] = 't';
}
GW_DERIVATIVE_OF("pullback of take") void take_back(double *x, int n, double *d_x) {
    (void)x;
    for (int i = n; i-- > 0;) {
        back[back_at++] = d_x ? d_x[i] : 0;
        if (d_x) d_x[i] = 0;
    }
    calls[count++] = 'T';
}
GW_DERIVATIVE_OF("jvp of take") void take_along(double *x, int n, double *t_x) {
    for (int i = 0; i < n; i++)
        if (t_x) t_x[i] = back[take_at + i];
    take(x, n);
}

/* What is put is taken in the same step; the first put has no active number, the last take no use. */
GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") double steps(const double *x, int n) {
    double s = 0, none[1] = {3};
    put(none, 1, ticket(0));
    take(none, 1);
    for (int t = 0; t < n; t++) {
        double own[2] = {x[t] * x[t], x[0] * x[t]}, got[2];
        if (put(own, 2, ticket(1)) != 0) return 1;
        take(got, 2);
        for (int i = 0; i < 2; i++)
            s += got[i] * got[i] * x[i] * none[0];
    }
    put(none, 1, ticket(2));
    take(none, 1);
    return s;
}

/* A part between two marks runs again, and so do its calls. */
GW_GRADIENT("wrt x")
double again(const double *x, int n) {
    double u[1] = {x[0]};
    GW_CHECKPOINT(2)
    for (int t = 0; t < n; t++) {
        put(u, 1, ticket(t));
        take(u, 1);
        u[0] = u[0] * x[t] + 1;
    }
    return u[0] * u[0];
}

#include "ordered.grad.h"

static void start(void) { put_at = take_at = back_at = count = 0; }

int main(void) {
    double x[3] = {0.5, -1.25, 2}, d[3] = {0}, t[3] = {1, 0.5, -2}, along = 0, wants[2];
    int bad = 0;
    start();
    steps_grad(x, 3, d);
    calls[count] = 0;
    bad |= strcmp(calls, "ptptptptptTPTPTPTPTP") != 0;
    for (int i = 0; i < 3; i++) {
        const double at = x[i], h = 1e-6;
        for (int k = 0; k < 2; k++)
            start(), x[i] = at + (k ? h : -h), wants[k] = steps(x, 3);
        x[i] = at;
        bad |= !(fabs(d[i] - (wants[1] - wants[0]) / (2 * h)) < 1e-6 * (1 + fabs(d[i])));
    }
    start();
    steps_jvp(x, 3, t, &along);
    bad |= !(fabs(along - (d[0] * t[0] + d[1] * t[1] + d[2] * t[2])) < 1e-12);
    start();
    memset(d, 0, sizeof d);
    again_grad(x, 3, d);
    for (int i = 0; i < 3; i++) {
        const double at = x[i], h = 1e-6;
        for (int k = 0; k < 2; k++)
            start(), x[i] = at + (k ? h : -h), wants[k] = again(x, 3);
        x[i] = at;
        bad |= !(fabs(d[i] - (wants[1] - wants[0]) / (2 * h)) < 1e-6 * (1 + fabs(d[i])));
    }
    return bad;
}
