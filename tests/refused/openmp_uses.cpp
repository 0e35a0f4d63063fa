// Uses of variables by which several threads compute something else than one.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gradwright/gradwright.h>
#include <utility>

// ---- copies that change: by a function, in brackets, by another name ----
static void bump(double &of, double by) { of += by; }
GW_GRADIENT("wrt x")
double by_function(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        bump(t, x[i]);
        s += t * x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double in_brackets(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        (t) += x[i];
        s += t * x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double of_an_array(const double *x, int n) {
    double s = 0, t[2] = {x[0], x[1]};
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        (t)[1] *= x[i];
        s += t[0] * t[1];
    }
    return s;
}

GW_GRADIENT("wrt x")
double swapped(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        double u = x[i];
        std::swap(t, u);
        s += u * x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double referred_inside(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        double &r = t;
        r += x[i];
        s += r * x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double in_a_clause(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        if (double &r = t; x[i] > 0) {
            r += x[i];
            s += r * x[i];
        }
    return s;
}

GW_GRADIENT("wrt x")
double chosen(const double *x, int n) {
    double s = 0, t = x[0], u = x[1];
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        (i > 1 ? t : u) += x[i];
        s += t * x[i];
    }
    return s * u;
}

// ---- names that were there before ----
GW_GRADIENT("wrt x")
double referred(const double *x, int n) {
    double s = 0, t = x[0];
    auto &&r = t;
#ifndef OBEYED
#pragma omp parallel for firstprivate(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        r += x[i];
        s += t * x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double referred_in_brackets(const double *x, int n) {
    double s = 0, t = x[0], u = x[1], &r = (t);
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
        const double t = x[i] * u;
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i] * u;
#endif
        s += t * r;
    }
    return s;
}

struct holder {
    double *of;
};
GW_GRADIENT("wrt x")
double held(const double *x, int n) {
    double s = 0, t = x[0];
    holder h{&t};
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
        const double t = x[i] * 2;
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i] * 2;
#endif
        s += t * *h.of;
    }
    return s;
}

GW_GRADIENT("wrt x")
double captured(const double *x, int n) {
    double s = 0, t = x[0];
    const auto get = [&t] { return t; };
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
        const double t = x[i] * 2;
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i] * 2;
#endif
        s += t * get();
    }
    return s;
}

GW_GRADIENT("wrt x")
double assigned(const double *x, int n) {
    double s = 0, t = 0, &r = (t = x[0]);
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
        const double t = x[i] * 2;
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i] * 2;
#endif
        s += t * r;
    }
    return s;
}

static double through(double &t, const double *x, int n) {
    double s = 0;
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
        const double t = x[i] * 2;
#else
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = x[i] * 2;
#endif
        s += t;
    }
    return s;
}
GW_GRADIENT("wrt x")
double by_reference(const double *x, int n) {
    double t = x[0];
    const double s = through(t, x, n);
    return s * t;
}

// ---- what comes round, what is set where it may not run ----
GW_GRADIENT("wrt x")
double another_of_the_name(const double *x, int n) {
    double s = 0, t = 0;
    for (int k = 0; k < 2; k++) {
        {
            double t = x[k];
            s += t * t;
        }
        s += t * x[k];
#ifdef OBEYED
        for (int i = 0; i < n; i++) {
            const double t = x[i];
#else
#pragma omp parallel for private(t) reduction(+ : s)
        for (int i = 0; i < n; i++) {
            t = x[i];
#endif
            s += t;
        }
    }
    return s;
}

GW_GRADIENT("wrt x")
double other_side(const double *x, int n) {
    double s = 0, t = x[0];
    if (n > 3) {
#ifdef OBEYED
        for (int i = 0; i < n; i++) {
            const double t = 2 * x[i];
#else
#pragma omp parallel for private(t) reduction(+ : s)
        for (int i = 0; i < n; i++) {
            t = 2 * x[i];
#endif
            s += t * t;
        }
    } else {
        t = x[2];
    }
    return s * t;
}

GW_GRADIENT("wrt x")
double other_case(const double *x, int n) {
    double s = 0, t = x[0];
    switch (n) {
    default:
#ifdef OBEYED
        for (int i = 0; i < n; i++) {
            const double t = 2 * x[i];
#else
#pragma omp parallel for private(t) reduction(+ : s)
        for (int i = 0; i < n; i++) {
            t = 2 * x[i];
#endif
            s += t * t;
        }
        break;
    case 1:
        s += 1;
        t = x[2];
    }
    return s * t;
}

GW_GRADIENT("wrt x")
double by_each_turn(const double *x, int n) {
    double s = 0;
    for (double t = 1; s < 100; s += t) {
        s += x[0] * x[0] + 50;
#ifdef OBEYED
        for (int i = 0; i < n; i++) {
            const double t = 2 * x[i];
#else
#pragma omp parallel for private(t) reduction(+ : s)
        for (int i = 0; i < n; i++) {
            t = 2 * x[i];
#endif
            s += t * t;
        }
    }
    return s;
}

// ---- without a value, and with the last one ----
GW_GRADIENT("wrt x")
double carried_over(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        s += t * x[i];
        t = x[i];
    }
    return s;
}

GW_GRADIENT("wrt x")
double not_by_the_last(const double *x, int n) {
    double s = 0, t = x[0];
#ifdef OBEYED
    for (int i = 0; i < n; i++) {
#else
#pragma omp parallel for lastprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        if (i < 3)
#endif
        t = x[i];
        s += x[i] * x[i];
    }
    return s * t;
}

GW_GRADIENT("wrt x")
double last_on_condition(const double *x, int n) {
    double s = 0, t = x[0];
#ifndef OBEYED
#pragma omp parallel for lastprivate(conditional : t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        if (i < 3) t = x[i];
        s += x[i] * x[i];
    }
    return s * t;
}

// ---- parts of a result ----
GW_GRADIENT("y wrt x")
void running(double *y, const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        s += x[i] * x[i];
        y[i] = s;
    }
}

GW_GRADIENT("y wrt x")
void running_in_one(double *y, const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        y[i] = s += x[i] * x[i];
}

GW_GRADIENT("wrt x")
double multiplied(const double *x, int n) {
    double s = 1;
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        s *= x[i];
    return s;
}

GW_GRADIENT("wrt x")
double subtracted_from(const double *x, int n) {
    double s = 1;
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        s = x[i] * x[i] - s;
    return s;
}

GW_GRADIENT("wrt x")
double set_anew(const double *x, int n) {
    double s = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        s = x[i] * x[i];
    return s;
}

GW_GRADIENT("wrt x")
double counts_maxima(const double *x, int n) {
    double m = x[0], s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : m) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        if (x[i] > m) {
            m = x[i];
            s += x[i];
        }
    return s + m;
}

// The least where threads combine by the greatest, and what is neither.
GW_GRADIENT("wrt x")
double least_by_call(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        m = std::fmin(m, x[i]);
    return m;
}

GW_GRADIENT("wrt x")
double least_by_choice(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        m = x[i] > m ? m : x[i];
    return m;
}

GW_GRADIENT("wrt x")
double least_by_branch(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        if (x[i] < m) m = x[i];
    return m;
}

GW_GRADIENT("wrt x")
double least_by_last(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        m = x[i];
    return m;
}

GW_GRADIENT("wrt x")
double least_by_scale(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        m = std::fmax(x[i], 0.5 * m);
    return m;
}

GW_GRADIENT("wrt x")
double least_by_another(const double *x, int n) {
    double m = x[0];
#ifndef OBEYED
#pragma omp parallel for reduction(max : m)
#endif
    for (int i = 0; i < n; i++)
        if (x[i] > m) m = 3 - x[i];
    return m;
}

GW_GRADIENT("y wrt x")
void elements(double *y, const double *x, int n) {
    double s[2] = {0, 0};
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s [0:2])
#endif
    for (int i = 0; i < n; i++) {
        s[i % 2] += x[i] * x[i];
        y[i] = s[0];
    }
}

// ---- one thread computes the same: these have their gradients ----
struct pair {
    double a, b;
};
static void both(double of, double *a, double *b) { *a = of * of, *b = of; }
GW_GRADIENT("wrt x")
double same(const double *x, int n) {
    double s = 0, p = 1, t, u, v, m = x[0], scale = x[1], w[2] = {x[0], x[1]}, last = 0;
    double hist[2] = {0, 0};
    pair c = {x[0], x[2]};
    int k = n, ok = 1;
#pragma omp parallel for private(t, u) firstprivate(scale, w, c, k, x) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        both(x[i], &t, &u);
        s += (t * (k > 2 ? scale : t) + u * w[i % 2]) * c.b;
        s = s + c.a * x[i], s = x[i] + s - t;
    }
#pragma omp parallel for reduction(* : p) reduction(max : m) reduction(&& : ok)
    for (int i = 0; i < n; i++) {
        p *= 1 + x[i] * x[i];
        m = std::fmax(m, x[i]);
        ok = ok && x[i] < 100;
    }
#pragma omp parallel for reduction(+ : hist[:2]) reduction(max : m)
    for (int i = 0; i < n; i++) {
        hist[i % 2] += x[i] * x[i];
        if (m < x[i]) {
            m = x[i];
        }
    }
#pragma omp parallel for lastprivate(last, v)
    for (int i = 0; i < n; i++) {
        last = x[i] * x[i];
        v = last;
    }
    k = 0;
    return s * p + m + last * v + hist[0] * hist[1] * (ok + k);
}
GW_GRADIENT("wrt x")
double same_extrema(const double *x, int n) {
    double least = x[0], most = x[0];
#pragma omp parallel for reduction(min : least) reduction(max : most)
    for (int i = 0; i < n; i++) {
        least = least < x[i] ? least : x[i];
        if (i > 1 && least >= x[i]) least = x[i];
        most = std::fmax(std::fmax(x[i], most), 0.25);
        most = most > x[i] ? most : x[i];
    }
    return most - least;
}
static double dot(const double *x, int n, double &s) {
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
GW_GRADIENT("wrt x")
double same_by_reference(const double *x, int n) {
    double s = 0;
    return dot(x, n, s) * s;
}
GW_GRADIENT("wrt x")
double same_sets(const double *x, int n) {
    double s = 0, t, u, all[2];
    int j;
#pragma omp parallel for private(t, u, j, all) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        if (x[i] > 1)
            t = x[i];
        else {
            t = 2 * x[i];
        }
        for (j = 0; j < 2; j++)
            all[j] = t * j;
        if ((u = 3 * x[i]) > 1) s += t * u;
        do {
            u = t * t;
        } while (u < 0);
        s += u + all[1] * j;
    }
    return s;
}

// ---- set in some turns only, and read ----
GW_GRADIENT("wrt x")
double set_in_one_arm(const double *x, int n) {
    double s = 0, t = 1;
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        if (x[i] > 1) {
            t = x[i];
            t = t * x[i];
            t = x[i] * x[i];
        } else if (x[i] < 0.5)
            t = 2 * x[i];
        s += t;
    }
    return s;
}
GW_GRADIENT("wrt x")
double set_in_no_turn(const double *x, int n) {
    double s = 0, t = 1;
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < i; j++)
            t = x[j];
        s += t;
    }
    return s;
}
GW_GRADIENT("wrt x")
double set_in_one_case(const double *x, int n) {
    double s = 0, t = 1;
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        switch (i % 3) {
        case 0:
            s += x[i];
            t = x[i];
        case 1:
            s += t;
        }
    }
    return s;
}
GW_GRADIENT("wrt x")
double set_behind_and(const double *x, int n) {
    double s = 0, t = 1;
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        if (x[i] > 0 && (t = x[i]) > 1) s += 1;
        s += t;
    }
    return s;
}

// ---- extrema that are others', or of what is evaluated twice ----
static double max(double a, double b) { return a + 2 * b; }
GW_GRADIENT("wrt x")
double own_max(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i++)
        s = max(s, x[i]);
    return s;
}
GW_GRADIENT("wrt x")
double by_less(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i++)
        s = std::max(s, x[i], [](double a, double b) { return a > b; });
    return s;
}
struct own {
    double max(double a, double b) const { return a + b; }
};
GW_GRADIENT("wrt x")
double by_member(const double *x, int n) {
    double s = 0;
    own o;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i++)
        s = o.max(s, x[i]);
    return s;
}
namespace mine {
static double fmin(double a, double b) { return a * b; }
} // namespace mine
GW_GRADIENT("wrt x")
double in_namespace(const double *x, int n) {
    double s = 1;
#ifndef OBEYED
#pragma omp parallel for reduction(min : s)
#endif
    for (int i = 0; i < n; i++)
        s = mine::fmin(s, x[i]);
    return s;
}
GW_GRADIENT("wrt x")
double twice_stepped(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i += 2) {
        int k = i;
        if (x[k++] > s) s = x[k++];
    }
    return s;
}
static double next(const double *x, int &k) { return x[k++]; }
GW_GRADIENT("wrt x")
double called_twice(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i += 2) {
        int k = i;
        if (next(x, k) > s) s = next(x, k);
    }
    return s;
}
GW_GRADIENT("wrt x")
double called_twice_chosen(const double *x, int n) {
    double s = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s)
#endif
    for (int i = 0; i < n; i += 2) {
        int k = i;
        s = next(x, k) > s ? next(x, k) : s;
    }
    return s;
}
GW_GRADIENT("wrt x")
double tells(const double *x, int n) {
    double s = 0, c = 0;
#ifndef OBEYED
#pragma omp parallel for reduction(max : s) reduction(+ : c)
#endif
    for (int i = 0; i < n; i++) {
        double k = 0;
        if (x[i] > s && (k = 1) > 0) s = x[i];
        c += k * x[i];
    }
    return s + c;
}
// ---- parts of a variable ----
struct parts {
    double a, b;
};
GW_GRADIENT("wrt x")
double part_struct(const double *x, int n) {
    double s = 0;
    parts p = {x[0], x[1]};
#ifndef OBEYED
#pragma omp parallel for private(p) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        p.a = x[i];
        s += p.a * p.b;
    }
    return s;
}
GW_GRADIENT("wrt x")
double part_array(const double *x, int n) {
    double s = 0, t[2] = {x[0], x[1]};
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        t[0] = x[i];
        s += t[0] * t[1];
    }
    return s;
}
GW_GRADIENT("wrt x")
double part_loop(const double *x, int n) {
    double s = 0, t[3] = {x[0], x[1], x[2]};
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++)
            t[k] = x[i];
        s += t[0] * t[2];
    }
    return s;
}
GW_GRADIENT("wrt x")
double part_branch(const double *x, int n) {
    double s = 0;
    parts p = {x[0], x[1]};
#ifndef OBEYED
#pragma omp parallel for private(p) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        if (x[i] > 0) p.a = x[i];
        s += p.a;
    }
    return s;
}
GW_GRADIENT("y wrt x")
void pointer_of_pointer2(double *y, const double *x, int n) {
    double *p = y;
#ifndef OBEYED
#pragma omp parallel for reduction(+ : y [0:2])
#endif
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += p[0];
    }
}
static double through(double &s, const double &r, const double *x, int n) {
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++)
        s += x[i] * r;
    return s;
}
GW_GRADIENT("wrt x")
double through_reference(const double *x, int n) {
    double s = 0;
    return through(s, s, x, n);
}
GW_GRADIENT("wrt x")
double filled_in_part(const double *x, int n) {
    double s = 0, t[3] = {0};
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k += 1) {
            if (x[i] > 0) break;
            t[k] = x[i];
        }
        s += t[1];
    }
    return s;
}
GW_GRADIENT("wrt x")
double filled_every_second(const double *x, int n) {
    double s = 0, t[3] = {0};
#ifndef OBEYED
#pragma omp parallel for private(t) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            t[k] = x[i];
            k++;
        }
        s += t[1];
    }
    return s;
}
GW_GRADIENT("wrt x")
double set_in_another_arm(const double *x, int n) {
    double s = 0;
    parts p = {1, 2};
#ifndef OBEYED
#pragma omp parallel for private(p) reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            p.a = 1;
        else
            p.b = 1;
        s += p.a * x[i];
    }
    return s;
}
GW_GRADIENT("y wrt x")
void element_referred(double *y, const double *x, int n) {
    double &r = y[0];
#ifndef OBEYED
#pragma omp parallel for reduction(+ : y [0:2])
#endif
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += r;
    }
}
GW_GRADIENT("y wrt x")
void element_pointed(double *y, const double *x, int n) {
    double *p = &y[0];
#ifndef OBEYED
#pragma omp parallel for reduction(+ : y [0:2])
#endif
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += *p;
    }
}
GW_GRADIENT("y wrt x")
void cell_pointed(double *y, const double *x, int n) {
    double *p = &*(y + 0);
#ifndef OBEYED
#pragma omp parallel for reduction(+ : y [0:2])
#endif
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += *p;
    }
}
GW_GRADIENT("y wrt x")
void pointer_held(double *y, const double *x, int n) {
    struct {
        double *q;
    } h = {y};
#ifndef OBEYED
#pragma omp parallel for reduction(+ : y [0:2])
#endif
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += h.q[0];
    }
}

// ---- what another parameter of an inlined function leads to ----
static void into(double &s, const double *seen, const double *x, int n) {
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
    for (int i = 0; i < n; i++) s += x[i] * (1 + *seen);
}
GW_GRADIENT("wrt x")
double by_argument(const double *x, int n) {
    double s = 1;
    into(s, &s, x, n);
    return s;
}
static void into_cells(double *s, const double *seen, const double *x, int n) {
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s[:2])
#endif
    for (int i = 0; i < n; i++) s[1] += x[i] * seen[1];
}
GW_GRADIENT("wrt x")
double by_cells(const double *x, int n) {
    double s[2] = {1, x[0]};
    into_cells(s, s, x, n);
    return s[1];
}
struct watched {
    double sum;
    const double *seen;
    double of(double &s, const double *x, int n) const {
#ifndef OBEYED
#pragma omp parallel for reduction(+ : s)
#endif
        for (int i = 0; i < n; i++) s += x[i] * *seen;
        return s;
    }
};
GW_GRADIENT("wrt x")
double by_kept_pointer(const double *x, int n) {
    double s = 1;
    watched w = {0, &s};
    return w.of(s, x, n);
}

// ---- the same ----
static void sum_to(double &s, const double *x, const double *w, int n) {
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * w[i % 2];
}
GW_GRADIENT("wrt x")
double same_by_argument(const double *x, int n) {
    double s = 0, w[2] = {x[0], 2};
    sum_to(s, x, w, n);
    return s * w[0];
}
GW_GRADIENT("wrt x")
double same_parts(const double *x, int n) {
    double s = 0, m = 0, o = 0;
    parts p;
    double t[3], w[2];
#pragma omp parallel for private(p, t, w) reduction(+ : s) reduction(max : m) reduction(min : o)
    for (int i = 0; i < n; i++) {
        p.a = x[i];
        p.b = 2 * p.a;
        s += p.a * p.b;
        for (int k = 0; k < 3; ++k) {
            t[k] = x[i] * k;
        }
        s += t[0] + t[2];
        if (x[i] > 0)
            w[0] = x[i];
        else
            w[0] = 2 * x[i];
        s += w[0];
        m = std::max(m, x[i]);
        o = fmin(o, fmin(x[i], 3.0));
        if (std::fabs(x[i]) > m) m = std::fabs(x[i]);
    }
    return s + m + o;
}
GW_GRADIENT("y wrt x")
void same_by_pointer(double *y, const double *x, int n) {
    if (!y) return;
    memset(y, 0, 2 * sizeof *y);
    std::fill(y, y + 2, 0.0);
    y[1] = 0;
    *y = 0;
#pragma omp parallel for reduction(+ : y [0:2])
    for (int i = 0; i < n; i++) {
        y[0] += x[i];
        y[1] += x[i] * x[i];
    }
}
