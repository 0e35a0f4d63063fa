// Pointers that lead to one of several objects, pointer arithmetic, pointers in local structs and arrays.
#include "language.h"

CASE(one_of_two_arrays) {
    double a[3] = {x[0], x[1], x[2]}, b[4] = {x[3], x[4] * x[5], x[6], 1};
    const double *t = n > 2 ? a : b;
    double s = t[0] * t[1];
    double *w = n > 1 ? &a[1] : b + 2;
    w[0] *= x[7];
    w[1] += t[2];
    return s + a[1] * a[2] + b[2] * b[3];
}
CASE(one_of_two_scalars) {
    double a = x[0], b = x[1], c = x[2];
    double *p = n > 2 ? &a : n > 1 ? &b : &c;
    *p *= x[3];
    double &r = n > 0 ? a : b;
    r += *p * x[4];
    return a * b + c * *p;
}
CASE(reassigned_in_branches) {
    double local[2] = {x[0] * x[1], x[2]};
    const double *t = x + 3;
    if (n == 1) t = local;
    if (n == 2) t = x + 5;
    switch (n) {
    case 3: t = local + 1; break;
    case 4: t = &x[7]; break;
    default: break;
    }
    return t[0] * t[0] + local[0] * x[6];
}
CASE(reassigned_in_a_loop) {
    double even[2] = {x[0], x[1]}, odd[2] = {x[2], x[3]};
    double *now = even, *next = odd;
    for (int i = 0; i < n + 2; i++) {
        next[0] = now[0] * x[4] + now[1];
        next[1] = now[1] * x[5 + i % 3] - now[0];
        double *swap = now;
        now = next;
        next = swap;
    }
    return now[0] * now[1] + even[0];
}
CASE(three_in_turn) {
    double a = x[0], b = x[1], c = x[2];
    double *p = &a, *q = &b, *r = &c;
    for (int i = 0; i < n; i++) {
        *p += *q * x[3 + i];
        double *t = p;
        p = q;
        q = r;
        r = t;
    }
    return a * b * c + *p;
}
CASE(grown_in_a_loop) {
    double local[6] = {x[0] * x[0], x[1], 1, x[1] * x[2], x[3], 2};
    const double *t = x + 2;
    double s = 0;
    for (int i = 0; i < 4; i++) {
        s += t[0] * (i + 1);
        t = i == n ? local : t + 1;
    }
    return s * t[0];
}
CASE(set_in_a_loop) {
    const double *t;
    double s = 0;
    for (int i = 0; i < n + 1; i++) {
        const double v = x[i] * x[i + 1];
        t = i % 2 ? &v : x + i;
        s += *t * 2;
    }
    return s;
}
CASE(null_or_not) {
    double a[3] = {x[0], x[1], x[2]}, b = x[3];
    const double *t = nullptr, *u = 0;
    if (n > 2) t = a + 1;
    u = n % 2 ? &b : nullptr;
    double s = x[0];
    if (t) s += t[0] * x[2];
    if (!u) s *= x[3];
    if (u != nullptr && t == nullptr) s += *u * x[4];
    return s;
}
struct point {
    double x, y;
    double z[2];
};
CASE(members_of_one_of_two) {
    point a = {x[0], x[1], {x[2], x[3]}}, b = {x[4], x[5], {x[6], x[7]}};
    point *p = n > 2 ? &a : &b;
    const point *q = n % 2 ? p : &a;
    p->x *= x[8];
    p->z[n % 2] += q->y * q->x;
    point copy = *p;
    *p = n == 4 ? a : copy;
    return a.x * a.z[0] + b.x * b.z[1] + copy.y * p->z[0];
}
static double &larger(double &a, double &b) { return a > b ? a : b; }
static const double *pick(const double *a, const double *b, int n) {
    if (n > 2) return a;
    return b + 1;
}
CASE(returned) {
    double a = x[0], b = x[1] * 1.5;
    larger(a, b) *= x[2];
    const double *p = pick(x + 3, x + 5, n);
    return a * b + p[0] * pick(&a, x, n)[0];
}
CASE(walks) {
    const double *p = +x;
    double s = *p++ * x[1];
    s += *__extension__ p++;
    s *= *++p;
    p += 3;
    s += p[-1] * *(p - 2) + *(p + n % 2);
    p--;
    const double *end = x + 6;
    for (const double *q = x + n; q != end; ++q) s += *q * *q;
    for (const double *q = end; q > x;) s += *--q * 0.5;
    return s * (double)(end - p);
}
struct walker {
    const double *at;
    int left;
    double weight;
    double next() { return left-- > 0 ? *at++ * weight : 0; }
};
CASE(pointers_in_structs) {
    walker w = {x + 1, n, x[0]}, v = n > 2 ? w : walker{x + 4, 2, 1};
    double s = 0;
    for (int i = 0; i < 3; i++) s += w.next() * (i + 1) + v.next();
    const walker &r = n > 1 ? w : v;
    return s + *r.at * r.weight;
}
CASE(rows) {
    double a[2][3] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    double(*row)[3] = a;
    row[1][n % 3] *= x[6];
    const double(&last)[3] = a[n % 2];
    const double(*one)[3] = n > 2 ? row : row + 1;
    return last[0] * last[2] + (*one)[1] * one[0][2] + *row[1];
}
CASE(four_dimensions) {
    double t[2][2][3][2] = {};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 2; l++) t[i][j][k][l] = x[i + j + k] * x[6 + l + i];
    t[n % 2][1][n % 3][0] *= x[3];
    return t[0][1][2][0] * t[1][0][n % 3][1] + t[n % 2][1][2][0];
}
CASE(arrays_of_pointers) {
    double a = x[0], b[2] = {x[1], x[2]};
    double *t[3] = {&a, b, b + 1};
    const double *rows[2][2] = {{x, x + 1}, {x + 2, &a}};
    *t[1] *= x[3];
    t[n % 3][0] += *t[2] * x[4];
    double *keep = t[0];
    t[0] = t[n % 3];
    t[2] = keep;
    double s = 0;
    for (int i = 0; i < 3; i++) s += *t[i] * (i + 1);
    return s * rows[n % 2][1][0] + rows[1][0][n % 2];
}
struct pair_of_rows {
    const double *row[2];
    double weight;
    double at(int i, int k) const { return row[i][k] * weight; }
};
CASE(arrays_of_pointers_in_structs) {
    pair_of_rows p = {{x, x + 3}, x[6]}, q = p;
    q.row[n % 2] = x + 1;
    double s = 0;
    for (int i = 0; i < 2; i++) s += p.at(i, n % 3) * q.at(1 - i, i);
    return s;
}
struct packed {
    unsigned low : 3;
    int high : 4, : 2;
    bool on : 1;
    double value;
};
CASE(bit_fields) {
    packed p = {}, *q = &p;
    p.low = (unsigned)(n * 5 + 6);
    p.high = n * 3 - 9;
    p.on = n & 2;
    p.value = x[q->low] * (q->high + 0.5);
    p.low += 3;
    q->high--;
    packed copy = p;
    double s = copy.on ? x[8] : 1;
    for (copy.low = 5; copy.low != 1; copy.low++) s += x[copy.low] * copy.high;
    if (p.low - 7 < 0 && (p.low | -8) < 0) s *= x[7];
    return s * copy.value * x[p.low] + (p.high++ < 0 ? x[9] : x[10] * p.high);
}
struct options {
    const double *mask;
    const double *shift[2];
};
GW_GRADIENT("wrt x, mask, o.mask")
double optional(const double *x, const double *mask, options o, const options *p, int n) {
    double s = 0;
    const double *t = n % 2 ? mask : nullptr;
    for (int i = 0; i < n; i++) {
        double v = x[i];
        if (mask) v *= mask[i];
        if (o.mask != nullptr) v += o.mask[i] * v;
        if (p->shift[i % 2]) v += p->shift[i % 2][i];
        if (!t) v *= 2;
        s += v * v;
    }
    return mask && !o.mask ? s * 3 : s;
}
static const double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
static double factors[3] = {0.5, 1.5, 2.5};
CASE(tables_and_globals) {
    static const double local[3] = {7, 8, 9};
    const double *t = n > 2 ? table[1] : local;
    const double *w = n > 1 ? factors : t;
    double a[3] = {x[0], x[1], x[2]}, b[3] = {x[3], x[4], x[5]};
    double *p = n % 2 ? a : b;
    p[1] *= t[n % 3];
    return a[1] * b[1] * w[1] + (n > 0 ? a : b)[2];
}
/* Pointers to arrays, in structs behind pointers. */
typedef double triple[3];
struct atoms {
    int count;
    const triple *r;
    double (*v)[3];
};
struct simulation {
    atoms *all;
    double step;
};
GW_GRADIENT("s wrt s") GW_DERIVATIVE("s wrt s") void move(simulation *s) {
    for (int i = 0; i < s->all->count; i++)
        for (int k = 0; k < 3; k++) s->all->v[i][k] *= s->step * s->all->r[i][(k + 1) % 3];
}
#include "pointers.grad.hpp"

static void move_on(double *x) {
    atoms all = {2, (const triple *)(x + 1), (triple *)(x + 7)};
    simulation s = {&all, x[0]};
    move(&s);
}
static void check_move() {
    double x[13], y[13], d[13];
    for (int i = 0; i < 13; i++) x[i] = 0.75 + 0.0625 * i, d[i] = i + 1;
    atoms all = {2, (triple *)(x + 1), (triple *)(x + 7)}, d_all = {2, (triple *)(d + 1), (triple *)(d + 7)};
    simulation s = {&all, x[0]}, d_s = {&d_all, d[0]};
    move_grad(&s, &d_s);
    d[0] = d_s.step;
    for (int i = 0; i < 13; i++) {
        double sides[2], expected = 0;
        for (int k = 0; k < 13; k++) {
            for (int side = 0; side < 2; side++) {
                std::copy(x, x + 13, y);
                y[i] += side ? 0x1p-10 : -0x1p-10;
                move_on(y);
                sides[side] = y[k];
            }
            expected += (sides[1] - sides[0]) / 0x1p-9 * (k + 1);
        }
        language_compare("move", 0, "x", i, d[i], expected, 1e-9);
    }
}

/* With some of the pointers null: their adjoints are null too. */
template <int WHICH> static double some(const double *x, const float *, int n) {
    options o = {WHICH & 2 ? x + 4 : nullptr, {}}, p = {nullptr, {nullptr, WHICH & 4 ? x + 8 : nullptr}};
    return optional(x, WHICH & 1 ? x + 8 : nullptr, o, &p, n > 3 ? 3 : n);
}
template <int WHICH> static void some_grad(const double *x, const float *, int n, double *d_x, float *) {
    options o = {WHICH & 2 ? x + 4 : nullptr, {}}, p = {nullptr, {nullptr, WHICH & 4 ? x + 8 : nullptr}};
    options d_o = {WHICH & 2 ? d_x + 4 : nullptr, {}};
    optional_grad(x, WHICH & 1 ? x + 8 : nullptr, o, &p, n > 3 ? 3 : n, d_x, WHICH & 1 ? d_x + 8 : nullptr,
                  d_o);
}
template <int WHICH> static void check_some() {
    const int keep = language_failures;
    for (int n = 0; n < 5; n++) {
        double x[DOUBLES], d_x[DOUBLES] = {};
        for (int i = 0; i < DOUBLES; i++) x[i] = 0.75 + 0.0625 * ((i * 7 + n * 3) % 13);
        some_grad<WHICH>(x, nullptr, n, d_x, nullptr);
        for (int i = 0; i < DOUBLES; i++)
            language_compare("optional", n, "x", i, d_x[i],
                             language_slope(some<WHICH>, x, nullptr, n, &x[i], 0x1p-10), 1e-9);
    }
    if (language_failures != keep) std::printf("with %d\n", WHICH);
}

int main() {
    CHECK(one_of_two_arrays);
    CHECK(one_of_two_scalars);
    CHECK(reassigned_in_branches);
    CHECK(reassigned_in_a_loop);
    CHECK(three_in_turn);
    CHECK(grown_in_a_loop);
    CHECK(set_in_a_loop);
    CHECK(null_or_not);
    CHECK(members_of_one_of_two);
    CHECK(returned);
    CHECK(walks);
    CHECK(pointers_in_structs);
    CHECK(rows);
    CHECK(four_dimensions);
    CHECK(tables_and_globals);
    CHECK(bit_fields);
    check_some<0>(), check_some<1>(), check_some<2>(), check_some<3>();
    CHECK(arrays_of_pointers);
    CHECK(arrays_of_pointers_in_structs);
    check_move();
    return language_report();
}
