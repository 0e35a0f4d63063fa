/* What the reverse sweep of a host function records: values of nested loops, branches and exits, arrays that
 * are overwritten (local ones, and those of the caller, which must come back as they were). Every function has
 * the form void f(double *y, double *x, int n) and overwrites what it likes. */
#include <math.h>

#include <gradwright/gradwright.h>

#define N 6
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)

BOTH("y wrt x")
void in_place(double *y, double *x, int n) {
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < n; i++) {
            x[i] = 0.6 * x[i] * x[i - 1] + 0.9 * sin(x[i]);
            if (x[i] > 0.3) {
                x[i] = x[i] * x[i];
                y[i] += x[i];
            }
        }
    for (int i = 0; i < n; i++) y[i] = y[i] + x[i] * x[i];
}

/* A state that every step computes anew from all of it. */
BOTH("y wrt x")
void recurrent(double *y, double *x, int n) {
    double state[N], next[N];
    for (int i = 0; i < n; i++) state[i] = 0.1 * i;
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++) {
            double sum = x[i];
            for (int k = 0; k < n; k++) sum += state[k] * x[(i + k) % n];
            next[i] = tanh(sum);
        }
        for (int i = 0; i < n; i++) state[i] = state[i] * 0.5 + next[i];
    }
    for (int i = 0; i < n; i++) y[i] = state[i] * exp(state[i]);
}

BOTH("y wrt x")
void inner_arrays(double *y, double *x, int n) {
    for (int t = 0; t < 3; t++) {
        double powers[N] = {0}, sum = 0;
        powers[0] = x[t];
        for (int i = 1; i < n; i++) powers[i] = powers[i - 1] * x[t] + x[i];
        for (int i = 0; i < n; i++) {
            double pair[2];
            pair[0] = powers[i];
            pair[1] = sin(pair[0]) * powers[n - 1 - i];
            pair[0] *= pair[1];
            sum += pair[0] * pair[1];
        }
        y[t] = sum * sum;
        x[t] = sum * 0.01;
    }
}

BOTH("y wrt x")
void exits(double *y, double *x, int n) {
    double w = 1;
    for (int i = 0; i < n; i++) {
        double v = fabs(x[i]) + 1.5;
        int steps = 0;
        while (v > 1.01) {
            v = sqrt(v) * (1 + 0.001 * x[0]);
            if (++steps == 9) break;
            if (steps % 3 == 1) continue;
            w = w * 0.9 + v * x[i];
        }
        do {
            x[i] = x[i] * w * 0.2 + 0.1;
            w = cos(w) + x[i];
        } while (w > 0.8 && steps-- > 0);
        if (w < -3) return;
        y[i] = w * v;
    }
}

/* Local cells and the caller's are exchanged as their values say. */
BOTH("y wrt x")
void sorted(double *y, double *x, int n) {
    int place[N];
    for (int i = 0; i < n; i++) place[i] = i;
    for (int pass = 0; pass < n; pass++)
        for (int i = 0; i + 1 < n; i++)
            if (x[i] > x[i + 1]) {
                const double keep = x[i];
                const int from = place[i];
                x[i] = x[i + 1];
                x[i + 1] = keep;
                place[i] = place[i + 1];
                place[i + 1] = from;
            }
    for (int i = 0; i < n; i++) y[place[i]] += x[i] * x[i] * (i + 1);
    for (int i = 0; i < n; i++) x[i] = y[place[i]] * x[i];
}

BOTH("y wrt x")
void branches(double *y, double *x, int n) {
    double box[3] = {0.5, 0.25, 1};
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.4) {
            double small[2];
            small[0] = x[i] * box[0];
            small[1] = exp(small[0]) * box[1];
            if (i % 2) box[2] = small[0] * small[1];
            else box[0] = small[1] - box[2];
        } else if (x[i] < 0.8) {
            for (int k = 0; k < 3; k++) box[k] = box[k] * x[i] + box[(k + 1) % 3];
        } else {
            switch (i % 3) {
            case 0: box[1] = sin(box[1]); /* fall through */
            case 1: box[2] *= box[1]; break;
            default: box[0] = box[0] > 0.2 ? box[0] * x[i] : x[i];
            }
        }
        y[i] = box[i % 3] * box[0];
    }
}

/* Sums over triangles, a maximum, and arrays that one part of an iteration fills for the next. */
BOTH("y wrt x")
void mixture(double *y, double *x, int n) {
    double centred[N], turned[N], term[3];
    double sum = 0;
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < n; i++) centred[i] = x[i] - 0.1 * k * x[p];
            for (int i = 0; i < n; i++) turned[i] = exp(x[k]) * centred[i];
            int at = 0;
            for (int i = 0; i < n; i++)
                for (int j = i + 1; j < n; j++) turned[j] = turned[j] + x[at++ % n] * centred[i];
            double norm = 0;
            for (int i = 0; i < n; i++) norm += turned[i] * turned[i];
            term[k] = x[k] - 0.5 * norm;
        }
        double most = term[0];
        for (int k = 1; k < 3; k++)
            if (most < term[k]) most = term[k];
        double total = 0;
        for (int k = 0; k < 3; k++) total += exp(term[k] - most);
        sum += log(total) + most;
    }
    y[0] = sum;
}

BOTH("y wrt x")
void headers(double *y, double *x, int n) {
    double f = 0.5;
    for (unsigned i = 1; i < (unsigned)n; i++) f = f * x[i] + f;
    for (long long i = n - 1; i >= 0; i -= 2) x[i] = x[i] * f * (double)i;
    for (unsigned char i = 0; i <= 2; i++) y[i] = x[i] * y[i + 1];
    for (short i = 0; i != 4; i++) y[1] = y[1] * 0.5 + x[i] * y[1];
    for (unsigned long i = 0; i < 5; i += 3) x[i + 1] = sin(x[i]) * f;
    for (int i = 3; i > 0; i--)
        for (int k = i; k < n; k++) x[i] = x[i] * x[k] * 0.5;
}

struct cell {
    double a, b[2];
};

BOTH("y wrt x")
void fields(double *y, double *x, int n) {
    struct cell cells[2];
    double table[2][3] = {{0}};
    for (int t = 0; t < n; t++) {
        cells[t % 2].a = x[t];
        cells[t % 2].b[t % 2] = x[t] * x[t];
        cells[t % 2].b[1 - t % 2] = sin(x[t]);
        table[t % 2][t % 3] = cells[t % 2].b[1] * cells[t % 2].a + table[1 - t % 2][t % 3];
        x[t] = table[0][0] * table[1][2] + cells[t % 2].b[0];
    }
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) y[r] += table[r][c] * table[r][c] * y[c];
}

/* A value that is read before and after it is overwritten, at one place and in one iteration. */
BOTH("y wrt x")
void straight(double *y, double *x, int n) {
    x[0] = x[0] * x[0];
    x[1] = x[n - 1] * x[0];
    x[n - 1] = sin(x[0] * x[1]);
    x[0] = x[n - 1] * x[0] * x[1];
    y[0] = x[0] * x[1] * x[n - 1];
}

#include "record.grad.h"

#include "overwriting.h"

int main(void) {
    CHECK(in_place, 1);
    CHECK(recurrent, 0);
    CHECK(inner_arrays, 1);
    CHECK(exits, 1);
    CHECK(sorted, 1);
    CHECK(branches, 0);
    CHECK(mixture, 0);
    CHECK(headers, 1);
    CHECK(fields, 1);
    CHECK(straight, 1);
    return difference_report();
}
