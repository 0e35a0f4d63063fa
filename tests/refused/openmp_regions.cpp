// Parallel regions of which each thread runs a part that changes something, or reads what is its own.
#include <cmath>
#include <cstdlib>
#include <gradwright/gradwright.h>
#include <omp.h>

GW_GRADIENT("y wrt x")
void added(double *y, const double *x, int n) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
#ifdef OBEYED
#pragma omp single
#endif
        y[0] += x[0];
    }
}

GW_GRADIENT("y wrt x")
void by_hand(double *y, const double *x, int n) {
    double all = 0;
#ifdef OBEYED
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < n; i++) all += x[i] * x[i];
#else
#pragma omp parallel
    {
        double own = 0;
#pragma omp for
        for (int i = 0; i < n; i++) own += x[i] * x[i];
#pragma omp critical
        all += own;
    }
#endif
    y[0] = all;
}

GW_GRADIENT("y wrt x")
void handed_on(double *y, const double *x, int n) {
    double v = 1;
#pragma omp parallel private(v)
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            v = x[i];
            y[i] = v * v;
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
#ifdef OBEYED
            const double v = x[0];
#endif
            y[i] += v;
        }
    }
}

GW_GRADIENT("y wrt x")
void by_one(double *y, const double *x, int n) {
    double w = 0;
#ifdef OBEYED
#pragma omp parallel
#else
#pragma omp parallel private(w)
#endif
    {
#pragma omp single
        w = x[0];
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = w * x[i];
    }
}

GW_GRADIENT("y wrt x")
void which_thread(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
        const int me = omp_get_thread_num();
#else
        const int me = 0;
#endif
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * (1 + me);
    }
}

GW_GRADIENT("y wrt x")
void team_in_team(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
#pragma omp parallel for
#else
#pragma omp for
#endif
        for (int i = 0; i < n; i++) y[i] += x[i] * x[i];
    }
}

GW_GRADIENT("y wrt x")
void left_over(double *y, const double *x, int n) {
#pragma omp parallel
    {
        double v = 2;
        for (int s = 0; s < 2; s++) {
#pragma omp for
            for (int i = 0; i < n; i++) y[i] += v * x[i];
#pragma omp for
            for (int i = 0; i < n; i++) {
#ifdef OBEYED
                double v;
#endif
                v = x[i] * s;
                y[i] += v * v;
            }
        }
    }
}

GW_GRADIENT("y wrt x")
void by_address(double *y, const double *x, int n) {
#pragma omp parallel
    {
        double v = 0, *at = &v;
#pragma omp for
        for (int i = 0; i < n; i++) {
#ifdef OBEYED
            double v = 0, *at = &v;
#endif
            *at += x[i];
            y[i] = v * x[i];
        }
    }
}

GW_GRADIENT("y wrt x")
void kept(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
        static double most = 0;
#pragma omp single
        most = x[1];
#else
        const double most = x[1];
#endif
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = most * x[i];
    }
}

static int calls;
static double *next(double *at) {
    calls++;
    return at + 1;
}
GW_GRADIENT("y wrt x")
void called(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
        double *to = next(y);
#else
        double *to = y + 1;
#endif
#pragma omp for
        for (int i = 0; i < n - 1; i++) to[i] = x[i] * x[i];
    }
}

GW_GRADIENT("y wrt x")
void stepped_by_one(double *y, const double *x, int n) {
#pragma omp parallel
    {
        for (int s = 0; s < 4; s++) {
#pragma omp for
            for (int i = 0; i < n; i++) y[i] += s * x[i] * x[i];
#ifndef OBEYED
#pragma omp single
            s++;
#endif
        }
    }
}

GW_GRADIENT("y wrt x")
void summed(double *y, const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel reduction(+ : s)
#else
#pragma omp parallel
#endif
    {
#ifndef OBEYED
#pragma omp for
#else
#pragma omp for reduction(+ : s)
#endif
        for (int i = 0; i < n; i++) s += x[i] * x[i];
    }
    y[0] = s;
}

GW_GRADIENT("y wrt x")
void read_behind(double *y, const double *x, int n) {
    double v = 3;
#pragma omp parallel private(v)
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            v = x[i];
            y[i] = v * v;
        }
    }
#ifdef OBEYED
    v = 3;
#endif
    y[0] += v;
}

static thread_local int level;
static int own_level() { return level; }
GW_GRADIENT("y wrt x")
void asked(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
        const int me = own_level();
#else
        const int me = 0;
#endif
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * (1 + me);
    }
}

GW_GRADIENT("y wrt x")
void drawn(double *y, const double *x, int n) {
#pragma omp parallel
    {
#ifndef OBEYED
        const int r = rand();
#else
        const double r = std::abs(-1.5);
#endif
#pragma omp for
        for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * r;
    }
}

// ---- set before it is read, or not ----
GW_GRADIENT("y wrt x")
void left_early(double *y, const double *x, int n) {
#pragma omp parallel
    {
        double c = x[0];
#pragma omp for
        for (int i = 0; i < n; i++) {
#ifdef OBEYED
            double c = x[0];
#endif
            do {
                if (i % 3) break;
                c = x[i];
            } while (0);
            y[i] = c * c;
        }
    }
}

static void pick(double &c, double v, int i) {
    if (i % 3) return;
    c = v;
}
GW_GRADIENT("y wrt x")
void by_helper(double *y, const double *x, int n) {
#pragma omp parallel
    {
        double c = x[0];
#pragma omp for
        for (int i = 0; i < n; i++) {
#ifdef OBEYED
            double c = x[0];
#endif
            pick(c, x[i], i);
            y[i] = c * c;
        }
    }
}

GW_GRADIENT("y wrt x")
void in_section(double *y, const double *x) {
#pragma omp parallel
    {
        double c = x[0];
#pragma omp sections
        {
#pragma omp section
            {
#ifdef OBEYED
                double c;
#endif
                c = x[1];
                y[0] = c * c;
            }
#pragma omp section
            y[1] = c * c;
        }
    }
}

GW_GRADIENT("y wrt x")
void last_passed(double *y, const double *x, int n) {
    double c = 1;
#pragma omp parallel for lastprivate(c)
    for (int i = 0; i < n; i++) {
#ifndef OBEYED
        if (i == n - 1) continue;
#endif
        c = x[i];
        y[i] = c * c;
    }
    y[0] += c;
}

GW_GRADIENT("y wrt x")
void in_clause(double *y, const double *x, int n) {
    int k = 2;
#ifdef OBEYED
    k++;
#pragma omp parallel for num_threads(k)
#else
#pragma omp parallel for num_threads(k++)
#endif
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
    y[0] += x[k];
}
