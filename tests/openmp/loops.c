/* Loops that threads share out: what they write is plain, what they may meet in is atomic, what they sum is a
 * reduction; each against differences. The test's script asks which of them have a pragma in the gradient. */
#include "frame.h"

#include <omp.h>

#ifdef __cplusplus
#define _Thread_local thread_local
#endif

/* Both loops; k is summed. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void owned(double *y, const double *x, double k, int n) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) y[i] = k * sin(x[i] * x[i]);
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void gathered(double *y, const double *x, double k, int n) {
    int i;
#pragma omp parallel for private(i)
    for (i = 0; i < n; i++) y[i] = k * x[at[i]] * x[i];
}

/* An inner loop's values are on a tape of the iteration's own. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void taped(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = k;
        for (int j = 0; j < i + M; j++) s = sin(s * x[i]) + 0.1 * s;
        y[i] = s * x[at[i]];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = k;
        for (int j = 0; j < i % M; j++) s = cos(s * x[i]);
        y[i] += s;
    }
}

/* What branches record is there for each iteration. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void branched(double *y, const double *x, double k, int n) {
    double t[N];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        t[i] = k * x[i];
        if (t[i] > 0.25) {
            t[i] = sin(t[i]) * t[i];
            if (i % 3) t[i] = exp(t[i]);
        } else if (x[i] < 0) {
            t[i] *= t[i];
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = t[n - 1 - i] * t[at[i]];
}

/* A value for each iteration stays on the function's tape between the loops. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void between(double *y, const double *x, double k, int n) {
    double t[N];
#pragma omp parallel for
    for (int i = 0; i < n; i++) t[i] = exp(k * x[i]);
#pragma omp parallel for
    for (int i = 0; i < n; i++) t[i] = t[i] * t[i] + x[i];
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < n; i++) y[i] = sin(t[i]) * t[n - 1 - i];
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void summed(double *y, const double *x, double k, int n) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += k * x[i] * x[i] * x[i];
    y[0] = sum * sum;
}

static double inner(const double *x, int i, double k) { return i % 3 ? k * x[i] * x[i] : sin(x[i]); }

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void called(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) y[i] = inner(x, i - 1, k) * inner(x, i + 1, k);
}

/* A region's loops are loops of its team. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void team(double *y, const double *x, double k, int n) {
    double t[N], u[N], v;
    int i;
#pragma omp parallel private(i, v) num_threads(3)
    {
        const double w = sin(k);
#pragma omp for nowait
        for (i = 0; i < n; i++) t[i] = u[i] = w * x[i];
#pragma omp barrier
        for (int s = 0; s < 4; s++) {
#pragma omp for
            for (i = 1; i < n - 1; i++) u[i] = t[i] + 0.1 * k * (t[i - 1] - 2 * t[i] + t[i + 1]);
#pragma omp for schedule(dynamic)
            for (i = 1; i < n - 1; i++) {
                v = sin(u[i]);
                t[i] = v * w;
            }
        }
#pragma omp single
        y[0] = t[1] * w;
#pragma omp for
        for (i = 1; i < n; i++) y[i] = t[i] * t[n - 1 - i];
    }
}

/* Asked by a function that changes nothing; as many copies as there are threads at most. */
static int is_short(int n) { return n < 100; }

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void by_threads(double *y, const double *x, double k, int n) {
    const int threads = omp_get_max_threads();
    double t[N];
#pragma omp parallel
    {
        if (is_short(n)) {
#pragma omp for
            for (int i = 0; i < n; i++) t[i] = k * x[i] * x[i];
        }
    }
    if (threads > 1) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] = sin(t[i]);
    } else {
        for (int i = 0; i < n; i++) y[i] = sin(t[i]);
    }
}

/* ---- in order: iterations meet by other rules than the pragma's ---- */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void counted(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        y[at[i]] += k * x[i] * x[i];
    }
}

static void add(double *cell, double value) {
#pragma omp critical
    *cell += value;
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void behind_call(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) add(y + at[i], k * x[i] * x[i]);
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void own_array(double *y, const double *x, double k, int n) {
    double t[M];
#pragma omp parallel for private(t)
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < M; j++) t[j] = x[i] * (j + k);
        y[i] = t[0] * t[1] + t[2];
    }
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void array_of_sums(double *y, const double *x, double k, int n) {
    double t[M] = {0};
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < n; i++) t[i % M] += k * x[i] * x[i];
    for (int j = 0; j < M; j++) y[j] = t[j] * t[j];
}

/* Not inlined, so nobody looks for such a pragma in its text here. */
static double powers(double v, int k) { return k ? sin(v) * powers(v, k - 1) + v : v * v; }

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void calls(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = k * powers(x[i], i % 4);
}

static _Thread_local double own[2];

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void threads_own(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        own[0] = k * x[i] * x[i];
        own[1] = own[0] * x[i];
        y[i] = own[0] * own[1];
    }
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void product(double *y, const double *x, double k, int n) {
    double all = k;
#pragma omp parallel for reduction(* : all)
    for (int i = 0; i < n; i++) all *= 1 + 0.1 * x[i];
    y[0] = all;
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void last(double *y, const double *x, double k, int n) {
    double t = 0;
#pragma omp parallel for lastprivate(t)
    for (int i = 0; i < n; i++) {
        t = k * x[i] * x[i];
        y[i] = sin(t);
    }
    y[1] = t;
}

/* What is recorded lies in the order of the iterations, so neither loop may be turned. */
GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void downward(double *y, const double *x, double k, int n) {
    double t[N];
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--) t[i] = exp(k * x[at[i]]) * x[i];
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i--) {
        t[i] = sin(t[i]) * tanh(x[(i + 1) % n]);
        y[i] = t[i] * t[i];
    }
}

GW_GRADIENT("y wrt x, k") GW_DERIVATIVE("y wrt x, k")
void step_of_two(double *y, const double *x, double k, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i += 2) y[i] = k * x[i] * x[i];
}

#include "loops.grad.h"

#define ALL(DO)                                                                                                \
    DO(owned)                                                                                                  \
    DO(gathered)                                                                                               \
    DO(taped)                                                                                                  \
    DO(between)                                                                                                \
    DO(branched)                                                                                               \
    DO(summed)                                                                                                 \
    DO(called)                                                                                                 \
    DO(team)                                                                                                   \
    DO(by_threads)                                                                                             \
    DO(counted)                                                                                                \
    DO(behind_call)                                                                                            \
    DO(own_array)                                                                                              \
    DO(array_of_sums)                                                                                          \
    DO(calls)                                                                                                  \
    DO(threads_own)                                                                                            \
    DO(product)                                                                                                \
    DO(last)                                                                                                   \
    DO(downward)                                                                                               \
    DO(step_of_two)
ALL(GRADIENT)

int main(void) {
    int bad = 0;
    ALL(CHECK)
    return bad;
}
