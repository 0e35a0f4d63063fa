/* Several directions at once: each is what f_jvp gives of it alone, and the primal runs as it does. */
#include <gradwright/gradwright.h>
#include <math.h>

#define N 5
#define EACH(n, request) GW_DERIVATIVE(request) GW_DERIVATIVES(n, request)

/* Every formula that divides, multiplies or chooses; branches. */
EACH(4, "wrt x, y")
double scalars(double x, double y) {
    double s = x * x / y + pow(fabs(x), y) + fmax(x * y, y * y) - sqrt(x * x + 1) / cbrt(y) + atan2(x, y);
    if (s > 0.1) s = s * exp(-x) + log(y) * tanh(x) - hypot(x, y);
    return s > 3 ? s / (1 + y) : fmin(s, x) * fdim(s, y);
}

/* Loops whose ends are known or not; a function that is inlined, and one with a loop. */
static double bump(double a) { return exp(-a * a); }
static double large(const double *x, int n, double a) {
    double s = a;
    for (int i = 0; i < n; i++) s += s > 1 ? s / (1 + x[i] * x[i]) : bump(x[i]) * cos(a) + log1p(s * s);
    return s;
}
EACH(3, "wrt x, k")
float chain(const double *x, float k, int n) {
    double s = 1;
    for (int i = 0; i + 1 < n; i++) s = s * x[i] + sin(s * x[i + 1]) * large(x, n, s);
    while (fabs(s) > 0.3) {
        s *= 0.5 + 0.1 * x[0] * k;
        if (s > 100) break;
    }
    return (float)s * k;
}

/* Overwritten memory, local arrays, some of them as large as the call says; an output that is read. */
EACH(16, "y, z wrt x, z")
void cells(double *y, double z[][2], const double *x, int n) {
    double work[N][2] = {{0}}, own[n];
    for (int i = 0; i < n; i++) own[i] = x[i] * x[n - 1 - i] * (i + 1);
    for (int i = 0; i < n; i++) work[i][i % 2] = bump(x[i]) * x[(i + 1) % n] + own[i];
    for (int i = 1; i < n; i++) work[i][1] += work[i - 1][0] * work[i - 1][1];
    y[0] = work[n - 1][1] * large(x, n, own[0]);
    y[1] = large(own, n, x[1]) + x[0] * y[0];
    z[1][0] += y[0] * z[0][1];
    z[0][1] = 3;
}

/* Structs: by value, behind a pointer, with arrays and others in them; a member that is named alone. */
struct point { double at[2]; float mass; };
struct body { struct point p; double k; int tag; };
EACH(2, "out wrt b, in, one.k")
void bodies(struct body *out, struct body b, const struct point *in, struct body one, int n) {
    for (int i = 0; i < n; i++) {
        out[i].p = in[i];
        out[i].p.at[b.tag] *= b.k * in[i].mass * one.k;
        out[i].k = b.p.at[1] * b.p.at[1] + out[i].p.at[0];
        out[i].tag = b.tag;
    }
}

EACH(1, "y wrt x")
void alone(float *y, float x) { *y = x * x * x; }

#include "directions.grad.h"

#include "difference.h"

static double some(int i) { return 0.3 + 0.7 * sin(2.1 * i + 0.4); }
static void near(const char *what, double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * (1 + fabs(want))) return;
    printf("%s is %.17g, not %.17g\n", what, got, want), difference_failures++;
}

static void check_numbers(void) {
    for (int k = 0; k < 20; k++) {
        const double x = some(k), y = 0.2 + fabs(some(k + 7)), t_x[4] = {1, 0, some(k + 1), -3},
                     t_y[4] = {0, 1, some(k + 2), 0.25};
        double all[4], one;
        near("the value", scalars_jvps(x, y, t_x, t_y, all), scalars(x, y), 0);
        for (int lane = 0; lane < 4; lane++) {
            scalars_jvp(x, y, t_x[lane], t_y[lane], &one);
            near("a number's tangent", all[lane], one, 1e-14);
        }
    }
    float y, t_y[1][1], t_x[1] = {2};
    alone_jvps(&y, 3, t_y, t_x);
    EXPECT(y == 27 && t_y[0][0] == 54);
}

static void check_chain(void) {
    double x[N], t_x[N][3], one_x[N];
    float t_k[3] = {0, 0.5f, -1}, all[3], one;
    for (int i = 0; i < N; i++) {
        x[i] = some(i);
        for (int lane = 0; lane < 3; lane++) t_x[i][lane] = lane == 1 ? 0 : some(3 * i + lane);
    }
    near("the value", chain_jvps(x, 0.8f, N, t_x, t_k, all), chain(x, 0.8f, N), 0);
    for (int lane = 0; lane < 3; lane++) {
        for (int i = 0; i < N; i++) one_x[i] = t_x[i][lane];
        chain_jvp(x, 0.8f, N, one_x, t_k[lane], &one);
        near("the chain's tangent", all[lane], one, 1e-6);
    }
}

static void check_cells(void) {
    double x[N], y[2] = {0}, z[2][2] = {{1, 2}, {3, 4}}, t_x[N][16], t_y[2][16], t_z[2][2][16];
    for (int i = 0; i < N; i++)
        for (int lane = 0; lane < 16; lane++) x[i] = some(i), t_x[i][lane] = some(16 * i + lane);
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < 16; lane++) t_z[i / 2][i % 2][lane] = some(i - 5 * lane);
    double before[2][2][16];
    memcpy(before, t_z, sizeof t_z);
    EXPECT(cells_jvps(y, z, x, N, t_y, t_z, t_x) == GW_OK);
    for (int lane = 0; lane < 16; lane++) {
        double own_y[2] = {0}, own_z[2][2] = {{1, 2}, {3, 4}}, one_x[N], one_y[2], one_z[2][2];
        for (int i = 0; i < N; i++) one_x[i] = t_x[i][lane];
        for (int i = 0; i < 4; i++) one_z[i / 2][i % 2] = before[i / 2][i % 2][lane];
        EXPECT(cells_jvp(own_y, own_z, x, N, one_y, one_z, one_x) == GW_OK);
        EXPECT(memcmp(own_y, y, sizeof y) == 0 && memcmp(own_z, z, sizeof z) == 0);
        for (int i = 0; i < 2; i++) near("an output's tangent", t_y[i][lane], one_y[i], 1e-13);
        for (int i = 0; i < 4; i++)
            near("its own tangent", t_z[i / 2][i % 2][lane], one_z[i / 2][i % 2], 1e-13);
    }
    EXPECT(t_z[0][1][7] == 0 && t_z[0][0][7] == before[0][0][7]);
}

static struct body body_of(int from) {
    return (struct body){{{some(from), some(from + 1)}, (float)some(from + 2)}, some(from + 3), 0};
}

static void check_structs(void) {
    struct body out[2] = {{{{0}, 0}, 0, 0}}, b = body_of(1), one = body_of(9), t_out[2][2], t_b[2], t_one[2];
    struct point in[2] = {body_of(20).p, body_of(30).p}, t_in[2][2];
    b.tag = 1;
    memset(t_out, 0, sizeof t_out);
    for (int lane = 0; lane < 2; lane++) {
        t_b[lane] = body_of(40 + lane), t_one[lane] = body_of(60 + lane);
        for (int i = 0; i < 2; i++) t_in[i][lane] = body_of(80 + 7 * i + lane).p;
    }
    bodies_jvps(out, b, in, one, 2, t_out, t_b, t_in, t_one);
    for (int lane = 0; lane < 2; lane++) {
        struct body own[2] = {{{{0}, 0}, 0, 0}}, t_own[2];
        struct point t[2] = {t_in[0][lane], t_in[1][lane]};
        memset(t_own, 0, sizeof t_own);
        bodies_jvp(own, b, in, one, 2, t_own, t_b[lane], t, t_one[lane]);
        for (int i = 0; i < 2; i++) {
            near("a value", out[i].k, own[i].k, 0);
            near("a member's tangent", t_out[i][lane].k, t_own[i].k, 1e-14);
            near("an array's tangent", t_out[i][lane].p.at[1], t_own[i].p.at[1], 1e-14);
            near("a float's tangent", t_out[i][lane].p.mass, t_own[i].p.mass, 1e-6);
            EXPECT(t_own[i].p.at[1] != 0 && t_own[i].k != 0);
        }
    }
}

int main(void) {
    check_numbers();
    check_chain();
    check_cells();
    check_structs();
    return difference_report();
}
