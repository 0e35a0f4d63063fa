/* Second derivatives: the gradient that f_hvp gives is f_grad's, its tangent the difference of gradients. */
#include <gradwright/gradwright.h>
#include <math.h>

#define TWICE(request) GW_GRADIENT(request) GW_HVP(request)
#define N 5

TWICE("wrt x, y")
double scalars(double x, double y) {
    return x * x * y + pow(x, y) + (x > 0.2 ? log(x) : y) + fmax(x * y, y * y);
}

/* What a branch keeps from being computed has no derivative: no logarithm of what is negative. */
TWICE("wrt x, y")
double kept_away(double x, double y) { return pow(x, y) + hypot(0 * x, 0 * y) + x * x * x; }

/* A loop with a known end, and one without, whose states lie on a tape. */
TWICE("wrt x")
double chain(const double *x, int n) {
    double s = 1;
    for (int i = 0; i + 1 < n; i++) s = s * x[i] + sin(s * x[i + 1]);
    while (fabs(s) > 0.3) s *= 0.5 + 0.1 * x[0] * s;
    return s * s;
}

/* Overwritten memory, a local array, a function that is inlined, and one that would be called. */
static double bump(double a) { return exp(-a * a); }
static double large(const double *x, int n, double a) {
    double s = a;
    for (int i = 0; i < n; i++) {
        if (s > 1) s = s / (1 + x[i] * x[i]);
        else if (s > 0.5) s = s + sin(x[i]) * a;
        else s = s + bump(x[i]) * cos(a) + atan2(x[i], 2 + a);
        s += 0.1 * tanh(s) + 0.2 * sqrt(1 + x[i] * x[i]) + 0.1 * log1p(s * s);
    }
    return s;
}

TWICE("y wrt x")
void cells(double *y, const double *x, int n) {
    double work[N];
    for (int i = 0; i < n; i++) work[i] = bump(x[i]) * x[(i + 1) % n];
    for (int i = 1; i < n; i++) work[i] += work[i - 1] * work[i - 1];
    y[0] = work[n - 1] * large(x, n, work[0]);
    y[1] = large(work, n, x[1]) + x[0] * y[0];
}

/* Arrays as large as the call says. */
TWICE("wrt x")
double sized(const double *x, int n) {
    double work[n];
    for (int i = 0; i < n; i++) work[i] = x[i] * x[n - 1 - i] * (i + 1);
    double s = 0;
    for (int i = 0; i < n; i++) s += work[i] * work[(i + 2) % n];
    return s;
}

/* A member; an output that is read and has a seed, from a checkpointed loop. */
struct spring { double k, rest; };
TWICE("wrt s.k, length")
double energy(struct spring s, double length) { return s.k * s.k * exp(length - s.rest) * length; }

TWICE("y wrt x, a")
void steps(double *y, const double *x, double a, int n) {
    double s = x[0], v = x[1];
    GW_CHECKPOINT(3)
    for (int t = 0; t < 10; t++) {
        v -= 0.1 * a * sin(s);
        s += 0.1 * v * x[t % n];
    }
    for (int i = 0; i < n; i++) y[i] = s * x[i] * y[i];
}

static double table[2] = {0.4, 0.7};
TWICE("wrt x, table")
double looked_up(double x) { return table[0] * table[1] * x * x + table[1] * table[1] * sin(x); }

TWICE("wrt x")
float single(const float *x, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) s += x[i] * x[i] * x[(i + 1) % n];
    return s;
}

#include "second.grad.h"

#include "difference.h"

static double direction[2 * N] = {0.3, -0.7, 0.5, 0.2, -0.4, 0.6, 0.1, -0.2, 0.8, 0.35};

/* The gradient g(x), into d[0..n). */
typedef void (*gradient)(const double *x, double *d);
/* The gradient along the direction: what is differentiated to find the Hessian's product. */
static gradient of;
static int wanted, inputs;
static double component(const double *x) {
    double d[2 * N] = {0};
    of(x, d);
    return d[wanted];
}

/* f_hvp(x, t) has given d and t_d: against f_grad, and against differences of it in each input. */
static void compare(const char *name, gradient g, const double *at, int n, const double *d, const double *t_d) {
    double x[2 * N], own[2 * N] = {0}, largest = 0;
    memcpy(x, at, (size_t)n * sizeof *x);
    of = g, inputs = n;
    g(x, own);
    for (int i = 0; i < n; i++) {
        double slope = 0;
        wanted = i;
        for (int k = 0; k < n; k++) slope += direction[k] * difference_at(component, x, k, 1e-3);
        largest = fmax(largest, fabs(slope));
        const int same = fabs(own[i] - d[i]) <= 1e-12 * (1 + fabs(own[i]));
        if (same && fabs(slope - t_d[i]) <= 1e-7 * (1 + fabs(slope))) continue;
        printf("%s: input %d: gradient %.15g, is %.15g; Hessian times vector %.15g, is %.15g\n", name, i, d[i],
               own[i], t_d[i], slope);
        difference_failures++;
    }
    EXPECT(largest > 1e-3);
}

static void scalars_of(const double *x, double *d) { scalars_grad(x[0], x[1], &d[0], &d[1]); }
static void chain_of(const double *x, double *d) { EXPECT(chain_grad(x, N, d) == GW_OK); }
static void cells_of(const double *x, double *d) {
    double y[2], d_y[2] = {0.7, -1.3};
    EXPECT(cells_grad(y, x, N, d_y, d) == GW_OK);
}
static void sized_of(const double *x, double *d) { EXPECT(sized_grad(x, N, d) == GW_OK); }
static void energy_of(const double *x, double *d) {
    struct spring s = {x[0], 0.2}, d_s = {0, 0};
    energy_grad(s, x[1], &d_s, &d[1]);
    d[0] = d_s.k;
}
static void steps_of(const double *x, double *d) {
    double y[N], d_y[N];
    for (int i = 0; i < N; i++) y[i] = 1 - 0.3 * i, d_y[i] = 1 + i;
    steps_grad(y, x, x[N], N, d_y, d, &d[N]);
}
static void looked_up_of(const double *x, double *d) {
    memcpy(table, x + 1, sizeof table);
    looked_up_grad(x[0], d, d + 1);
}

static void check_arrays(void) {
    const double x[N] = {0.4, -0.3, 0.8, 0.6, 1.1}, *t = direction;
    double d[N] = {0}, t_d[N] = {0};
    EXPECT(chain_hvp(x, N, t, d, t_d) == GW_OK);
    compare("chain", chain_of, x, N, d, t_d);

    double y[2] = {0}, t_y[2] = {0}, d_y[2] = {0.7, -1.3}, t_d_y[2] = {0}, e[N] = {0}, t_e[N] = {0};
    { /* y[0] is read back: as before the call, which the primal has made */
        cells(y, x, N);
        EXPECT(cells_hvp(y, x, N, t_y, t, d_y, e, t_d_y, t_e) == GW_OK);
        compare("cells", cells_of, x, N, e, t_e);
    }
    double g[N] = {0}, t_g[N] = {0};
    EXPECT(sized_hvp(x, N, t, g, t_g) == GW_OK);
    compare("sized", sized_of, x, N, g, t_g);

    const double z[N + 1] = {0.4, -0.3, 0.8, 0.6, 1.1, 0.9};
    double w[N], t_w[N] = {0}, d_w[N], t_d_w[N] = {0}, both[2][N + 1] = {{0}};
    for (int i = 0; i < N; i++) w[i] = 1 - 0.3 * i, d_w[i] = 1 + i;
    steps_hvp(w, z, z[N], N, t_w, t, t[N], d_w, both[0], &both[0][N], t_d_w, both[1], &both[1][N]);
    compare("steps", steps_of, z, N + 1, both[0], both[1]);

    const float u[3] = {0.5f, 2, -1}, t_u[3] = {1, 0, 2};
    float d_u[3] = {0}, t_d_u[3] = {0};
    single_hvp(u, 3, t_u, d_u, t_d_u);
    /* d/du[0] of u0 u0 u1 + u1 u1 u2 + u2 u2 u0 is 2 u0 u1 + u2 u2 */
    EXPECT(d_u[0] == 3 && t_d_u[0] == 2 * 2 * 1 + 2 * -1 * 2);
}

int main(void) {
    const double x[3] = {0.8, 0.4, 0.7}, *t = direction;
    double d[3] = {0}, t_d[3] = {0};
    scalars_hvp(x[0], x[1], t[0], t[1], &d[0], &d[1], &t_d[0], &t_d[1]);
    compare("scalars", scalars_of, x, 2, d, t_d);

    double own[2] = {0};
    memset(d, 0, sizeof d), memset(t_d, 0, sizeof t_d);
    kept_away_grad(-2, 2, &own[0], &own[1]);
    kept_away_hvp(-2, 2, 1, 0, &d[0], &d[1], &t_d[0], &t_d[1]);
    EXPECT(d[0] == own[0] && d[1] == own[1] && d[0] == 8 && d[1] == 0);
    EXPECT(t_d[0] == 2 + 6 * -2);

    struct spring s = {x[0], 0.2}, t_s = {t[0], 0}, d_s = {0, 0}, t_d_s = {0, 0};
    memset(d, 0, sizeof d), memset(t_d, 0, sizeof t_d);
    energy_hvp(s, x[1], t_s, t[1], &d_s, &d[1], &t_d_s, &t_d[1]);
    d[0] = d_s.k, t_d[0] = t_d_s.k;
    compare("energy", energy_of, x, 2, d, t_d);

    memset(d, 0, sizeof d), memset(t_d, 0, sizeof t_d);
    memcpy(table, x + 1, sizeof table);
    looked_up_hvp(x[0], t[0], t + 1, &d[0], &d[1], &t_d[0], &t_d[1]);
    compare("looked up", looked_up_of, x, 3, d, t_d);

    check_arrays();
    return difference_report();
}
