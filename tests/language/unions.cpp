// Unions whose members are names of the same numbers; anonymous structs and unions as members.
#include "language.h"

template <class T> struct vec3 {
    union {
        struct {
            T x, y, z;
        };
        struct {
            T r, g, b;
        };
        struct {
            T s, t, p;
        };
        T v[3];
    };
    vec3() = default;
    vec3(T x, T y, T z) : x(x), y(y), z(z) {}
    explicit vec3(T all) : v{all, all, all} {}
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
    vec3 &operator+=(const vec3 &o) {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
};
template <class T> static vec3<T> operator*(const vec3<T> &a, T k) { return {a.x * k, a.y * k, a.z * k}; }
template <class T> static vec3<T> operator+(vec3<T> a, const vec3<T> &b) { return a += b; }
template <class T> static T dot(const vec3<T> &a, const vec3<T> &b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T> static vec3<T> cross(const vec3<T> &a, const vec3<T> &b) {
    return vec3<T>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
typedef vec3<double> dvec3;

union pair_of {
    struct {
        double first, second;
    };
    struct {
        double re, im;
    } c;
};
union one {
    double x, r, s;
};
struct named {
    int kind;
    union {
        double radius;
        double length;
    };
    struct {
        double weight;
        float bias;
    };
};
union rows {
    double v[4], m[2][2];
};
union matrix {
    double m[2][2];
    struct {
        double m00, m01, m10, m11;
    };
    struct {
        pair_of row0, row1;
    };
};

CASE(names_of_cells) {
    dvec3 a(x[0], x[1], x[2]), b{x[3], x[4], x[5]}, c;
    c.r = a.g * b.b;
    c.y = a.v[n % 3];
    c.p = b[(n + 1) % 3];
    c[n % 3] *= x[6];
    a.v[1] += c.t;
    double *at = &a.z;
    *at *= x[7];
    return dot(a, cross(b, c)) + (a + b * x[8]).g;
}
CASE(all_equal) {
    dvec3 a(x[0]);
    for (int i = 0; i < 3; i++) a[i] += x[i + 1] * a.x;
    dvec3 copy = a;
    copy.b *= x[5];
    a = n > 2 ? copy : a * 2.0;
    const dvec3 *p = n % 2 ? &a : &copy;
    return p->r * p->v[1] + p->z * a.s;
}
CASE(plain_unions) {
    pair_of p;
    p.first = x[0], p.second = x[1];
    p.c.re *= x[2];
    one o = {x[3]};
    o.r *= o.s * p.second;
    named k = {n, {x[4]}, {x[5], (float)n}};
    k.length *= k.weight;
    pair_of q = p;
    q.c.im += k.radius;
    return o.x * p.first + q.second * q.c.re + k.bias * k.radius;
}
CASE(tables) {
    matrix m = {{{x[0], x[1]}, {x[2], x[3]}}}, w{};
    w.m00 = m.m[0][1] * x[4];
    w.m[1][n % 2] = m.row1.first;
    w.row0.c.im = m.m10 * m.row0.second;
    rows t = {{x[6], x[7], x[8], x[9]}};
    t.m[1][0] *= t.m[0][1];
    t.m[0][n % 2] += t.v[n % 4];
    w.m11 = t.v[2] * t.m[1][1] + t.v[0];
    matrix both[2] = {m, w};
    both[n % 2].m11 += x[5];
    return both[0].m[1][1] * w.m00 + both[1].row0.second * both[n % 2].m[1][1] + w.m10 * w.m11;
}

GW_GRADIENT("wrt p") GW_DERIVATIVE("wrt p")
double behind_a_pointer(const dvec3 *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i].x * p[i].g + p[i].v[i % 3] * p[0].b;
    return s;
}
GW_GRADIENT("wrt p.v") GW_DERIVATIVE("wrt p.v")
double one_member(dvec3 p) { return p.x * p.g * p.v[2]; }

#include "unions.grad.hpp"

/* A parameter of numbers in a row, seen as vectors. */
static double flat(const double *x, const float *, int n) {
    dvec3 p[4] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}, {x[9], x[10], x[11]}};
    return behind_a_pointer(p, n) + one_member(p[3]);
}

int main() {
    CHECK(names_of_cells);
    CHECK(all_equal);
    CHECK(plain_unions);
    CHECK(tables);
    language_check(
        "behind_a_pointer", flat,
        [](const double *x, const float *, int n, double *d_x, float *) {
            dvec3 p[4], d_p[4];
            for (int i = 0; i < 12; i++) p[i / 3][i % 3] = x[i], d_p[i / 3][i % 3] = d_x[i];
            behind_a_pointer_grad(p, n, d_p);
            one_member_grad(p[3], &d_p[3]);
            for (int i = 0; i < 12; i++) d_x[i] = d_p[i / 3][i % 3];
        },
        [](const double *x, const float *, int n, const double *t_x, const float *, double *t) {
            dvec3 p[4], t_p[4];
            double last = 0;
            for (int i = 0; i < 12; i++) p[i / 3][i % 3] = x[i], t_p[i / 3][i % 3] = t_x[i];
            const double value = behind_a_pointer_jvp(p, n, t_p, t) + one_member_jvp(p[3], t_p[3], &last);
            *t += last;
            return value;
        },
        false);
    return language_report();
}
