/* Small arrays that become values: short loops over them are written out, branches and longer loops carry their
 * cells, and what a branch computes for its reverse leaves it as a result. */
#include <math.h>
#include <stdlib.h>

#include <gradwright/gradwright.h>

#define N 6
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)

static void cross(const double *a, const double *b, double *product) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* Divisions by one value, a sine beside its cosine, all inside a branch. */
BOTH("y wrt x")
void turned(double *y, double *x, int n) {
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], result[3];
    if (square > 0.1) {
        double angle = sqrt(square), cosine = cos(angle), sine = sin(angle), axis[3], normal[3];
        for (int i = 0; i < 3; i++) axis[i] = x[i] / angle;
        cross(axis, x + 3, normal);
        for (int i = 0; i < 3; i++) result[i] = x[3 + i] * cosine + normal[i] * sine;
        if (angle > 0.5) {
            double inner[2];
            for (int i = 0; i < 2; i++) inner[i] = exp(result[i]) / angle;
            result[2] = inner[0] * sinh(inner[1]) + cosh(inner[1]);
        }
    } else {
        cross(x, x + 3, result);
        for (int i = 0; i < 3; i++) result[i] += x[i];
    }
    for (int i = 0; i < 3; i++) y[i] = result[i] * y[n - 1];
}

/* Cells that a long loop, a loop with an exit and branches in them carry. */
BOTH("y wrt x")
void carried(double *y, double *x, int n) {
    double state[2][2] = {{1, 0}, {0, 1}}, *row = state[1];
    int flips[2] = {0, 1};
    for (int t = 0; t < n; t++) {
        state[0][0] = state[0][0] * x[t] + state[1][0];
        if (t % 2) {
            row[0] = sin(state[0][1]) + x[t];
            flips[0]++;
        } else {
            state[0][1] = row[1] / state[0][0];
        }
    }
    while (flips[1] < 4) {
        row[1] = row[1] * cos(row[0]) + x[flips[1]];
        if (row[1] > 1.2) break;
        flips[1] += flips[0] - 1;
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) y[2 * i + k] = state[i][k] * x[flips[0]];
}

/* Loops of no iterations, downward, by steps, and one that is too long to be written out. */
BOTH("y wrt x")
void counted(double *y, double *x, int n) {
    double part[4] = {0}, all[20];
    for (int i = 3; i >= 0; i--) part[i] = x[i] * x[(i + 1) % n];
    for (int i = 4; i < 4; i++) part[i] = 7;
    for (unsigned i = 0; i < 4; i += 3) part[i] *= part[i] + 1;
    for (signed char i = 1; i <= 2; i++) part[i] = part[i - 1] / (part[i + 1] + 2);
    for (int i = 0; i < 20; i++) all[i] = part[i % 4] * x[i % n];
    for (int i = 1; i < 20; i++) all[i] += all[i - 1] * 0.3;
    const double by = x[4] + 1.5;
    y[0] = all[19] / by + all[7] / by + sqrt(by) / sqrt(by + x[5]);
}

struct pose {
    double angle, at[2];
};

static struct pose moved(struct pose p, double by) {
    p.at[0] += by * cos(p.angle);
    p.at[1] += by * sin(p.angle);
    return p;
}

BOTH("y wrt x")
void members(double *y, double *x, int n) {
    struct pose p = {x[0], {x[1], x[2]}}, q = p;
    for (int i = 0; i < n; i++) {
        struct pose next = moved(p, x[i]);
        if (next.at[0] > q.at[1]) next.angle += 0.1 * next.at[0];
        q = p;
        p = next;
    }
    y[0] = p.at[0] * q.at[1];
    y[1] = p.angle * q.angle;
}

/* Records of several types, few enough for the stack were it not for their width. */
BOTH("y wrt x")
void widths(double *y, double *x, int n) {
    long double wide = x[0];
    double narrow = x[1];
    for (int i = 0; i < 3; i++) {
        if (narrow > 0.2 * i) wide = wide * wide + narrow;
        narrow = sin(narrow) * (double)wide;
    }
    y[n - 1] = (double)(wide * narrow);
}

/* Loops that never run, and a condition that is taken for a number. */
BOTH("y wrt x")
void never(double *y, double *x, int n) {
    double sum = x[0];
    for (int i = 1; i < 1; i++) {
        sum /= 2 + sin(x[i]);
        sum *= tanh(sum / x[i]);
    }
    for (unsigned i = 0; i > 4000000000u; i--) sum *= sum + x[i];
    for (int i = 3; i >= 4; i++) {
        if (sum > 2) break;
        sum *= sum;
    }
    const int more = 1 < n;
    y[n - 1] = sum * sum * x[abs(~more) % 3];
}

#include "small.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(turned, 0);
    CHECK(carried, 0);
    CHECK(counted, 0);
    CHECK(members, 0);
    CHECK(widths, 0);
    CHECK(never, 0);
    return difference_report();
}
