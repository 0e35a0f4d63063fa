// Several directions at once in C++: references, returned structs, templates, members, variables, memory.
#include <gradwright/gradwright.h>
#include <cmath>
#include <cstdio>
#include <vector>

#define EACH(n, request) GW_DERIVATIVE(request) GW_DERIVATIVES(n, request)

struct pair {
    double a;
    float b[2];
};

EACH(3, "k, v wrt x, k, v, p")
void referred(double &k, double (&v)[2], const double &x, const pair &p) {
    k = k * x + p.b[1];
    v[1] = v[0] * k / (2 + std::sin(p.a));
}

EACH(4, "wrt x, p")
pair returned(double x, pair p) { return {x * p.a, {(float)(x * x), p.b[0] * p.b[1]}}; }

template <class T, int N> EACH(2, "y wrt x, k, p") void shifted(T *y, const T *x, T k, const pair *p) {
    for (int i = 0; i < N; i++) y[i] = x[i] * k + x[(i + 1) % N] * T(p[i].a);
}
template void shifted<float, 3>(float *, const float *, float, const pair *);

namespace of {
struct spring {
    double k, rest;
    EACH(2, "wrt x, k") double energy(const double *x) const {
        std::vector<double> all(3);
        for (int i = 0; i < 3; i++) all[i] = (x[i] - rest) * (x[i] - rest);
        return k * (all[0] + all[1] * all[2]);
    }
};
} // namespace of

static double factor = 2, table[3] = {1, 2, 3};
EACH(2, "wrt x, factor, table")
double scaled(double x) { return x * factor * table[1] + table[2] * table[2]; }

EACH(5, "wrt x")
double made(const double *x, int n) {
    std::vector<double> all(n), own;
    auto square = [&](int i) { return x[i] * x[i]; };
    for (int i = 0; i < n; i++) all[i] = square(i) + (i ? all[i - 1] * x[0] : 1);
    for (double a : all) own.push_back(a * a);
    return own.back();
}

#include "directions.grad.hpp"

#include "difference.h"

static void near(const char *what, double got, double want) {
    if (std::fabs(got - want) <= 1e-6 * (1 + std::fabs(want))) return;
    std::printf("%s is %.17g, not %.17g\n", what, got, want), difference_failures++;
}
static double some(int i) { return 0.3 + 0.7 * std::sin(2.1 * i + 0.4); }

static void check_references() {
    double k = 2, v[2] = {0.5, 1}, t_k[3], t_v[2][3], t_x[3];
    pair p = {0.4, {1, 2}}, t_p[3];
    for (int lane = 0; lane < 3; lane++) {
        t_k[lane] = some(lane), t_x[lane] = some(lane + 3);
        t_p[lane] = {some(lane + 6), {0, (float)some(lane)}};
        t_v[0][lane] = some(lane + 9), t_v[1][lane] = 100;
    }
    for (int lane = 0; lane < 3; lane++) {
        double own = k, own_v[2] = {v[0], v[1]}, t_own = t_k[lane], t_own_v[2] = {t_v[0][lane], 100};
        referred_jvp(own, own_v, 1.5, p, &t_own, &t_own_v, &t_x[lane], &t_p[lane]);
        double all = k, all_v[2] = {v[0], v[1]}, t_all[3], t_all_v[2][3];
        memcpy(t_all, t_k, sizeof t_k), memcpy(t_all_v, t_v, sizeof t_v);
        referred_jvps(all, all_v, 1.5, p, t_all, t_all_v, t_x, t_p);
        EXPECT(all == own && all_v[1] == own_v[1]);
        near("a reference's tangent", t_all[lane], t_own);
        near("an array's tangent", t_all_v[1][lane], t_own_v[1]);
        near("what is kept", t_all_v[0][lane], t_own_v[0]);
    }
}

static void check_structs() {
    const double t_x[4] = {1, 0, some(1), some(2)};
    const pair p = {0.3, {4, 5}}, t_p[4] = {{0, {0, 0}}, {1, {1, 0}}, {some(3), {2, 3}}, {0, {0, 1}}};
    pair all[4], one;
    EXPECT(returned_jvps(1.5, p, t_x, t_p, all).b[1] == 20);
    for (int lane = 0; lane < 4; lane++) {
        returned_jvp(1.5, p, t_x[lane], t_p[lane], &one);
        near("a member's tangent", all[lane].a, one.a);
        near("the first tangent", all[lane].b[0], one.b[0]);
        near("the second tangent", all[lane].b[1], one.b[1]);
    }
    EXPECT(all[0].a == 0.3 && all[3].b[1] == 4);
}

static void check_templates() {
    float y[3], x[3] = {1, 2, 3}, t_y[3][2], t_x[3][2] = {{1, 0}, {0, 2}, {0, 0}}, t_k[2] = {0, 1};
    pair p[3] = {{1, {}}, {2, {}}, {3, {}}}, t_p[3][2] = {};
    t_p[2][1].a = 1;
    shifted_jvps<float, 3>(y, x, 2, p, t_y, t_x, t_k, t_p);
    EXPECT(y[0] == 4 && t_y[0][0] == 2 && t_y[0][1] == 1 + 2 && t_y[2][0] == 3 && t_y[2][1] == 3 + 1);
    const of::spring s = {2, 0.5}, t_s[2] = {{0, 7}, {1, 7}};
    const double at[3] = {1, 2, 3}, t_at[3][2] = {{1, 0}, {0, 0}, {0, 0}};
    double moved[2];
    near("the energy", of::spring_energy_jvps(s, at, t_s, t_at, moved), s.energy(at));
    near("by x", moved[0], 2 * 2 * 0.5), near("by k", moved[1], 0.25 + 2.25 * 6.25);
}

static void check_variables() {
    const double t_x[2] = {1, 0}, t_factor[2] = {0, 1}, t_table[3][2] = {{0, 0}, {0, 3}, {1, 0}};
    double moved[2];
    near("the value", scaled_jvps(3, t_x, t_factor, t_table, moved), 21);
    near("by x and the table", moved[0], 4 + 6), near("by the factor", moved[1], 6 + 18);
    const double x[4] = {0.5, 2, 3, 4};
    double t[4][5], one[4], all[5], alone;
    for (int i = 0; i < 20; i++) t[i / 5][i % 5] = some(i);
    made_jvps(x, 4, t, all);
    for (int lane = 0; lane < 5; lane++) {
        for (int i = 0; i < 4; i++) one[i] = t[i][lane];
        made_jvp(x, 4, one, &alone);
        near("of memory that is made", all[lane], alone);
    }
}

int main() {
    check_references();
    check_structs();
    check_templates();
    check_variables();
    return difference_report();
}
