// Functions that are compiled and lowered, and must do the same (semantics_test.c). All of C++ that the front
// end takes, with the emphasis on control, conversions, references and pointers.
#include "semantics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gradwright/gradwright.h>

#define CASE(name)                                                                                             \
    extern "C" GW_GRADIENT("wrt a") double name([[maybe_unused]] double *a, [[maybe_unused]] float *b,         \
                                                [[maybe_unused]] int *c, [[maybe_unused]] semantics_record *r, \
                                                [[maybe_unused]] int n, [[maybe_unused]] unsigned u)

namespace {
int wrap(int i) { return i & 15; }
} // namespace

// ---- expressions ----
CASE(conversions) {
    unsigned char byte = (unsigned char)(n * 77 + c[0]);
    signed char small = (signed char)(c[1] * 31);
    short half = (short)(c[2] * 9001);
    unsigned long wide = u;
    wide -= 20;
    long long big = (long long)c[3] * 1000000007LL;
    float f = (float)big;
    double d = byte + small * half + (double)wide;
    bool truth = c[4];
    int from_bool = truth + truth;
    byte += 3.7f;
    small >>= 1;
    half *= 3;
    int sum = byte - small + half;
    sum += 'a' + true + 0x10 + 010 + 1u;
    int mixed = -1;
    bool less = mixed < (int)u, odd = (unsigned)mixed > u;
    return d + f + from_bool + sum + less * 3 + odd + (int)a[0] + (unsigned)(b[0] + 10) + sizeof(double) +
           sizeof b[0];
}

static_assert(__builtin_ctz(8) == 3 && __builtin_popcount(7) == 3, "");
template <int N> double first_of(const double *a) { return N ? a[N - 1] : 0; }
CASE(compiler_builtins) {
    double part[__builtin_ctz(16)] = {1, 2, 3, 4}, whole, s = first_of<__builtin_clz(1 << 29)>(a);
    for (int i = 0; i < __builtin_ffs(8); i++) s += part[i];
    switch (n & 3) {
    case __builtin_popcount(1): s += 10; break;
    case __builtin_parity(3): s += 20; break;
    default: s += 30;
    }
    unsigned v = u * 2654435761u | 1;
    unsigned long long w = (unsigned long long)v << 20;
    s += __builtin_ctz(v << 3) + 2 * __builtin_popcount(v) + 3 * __builtin_clz(v) + 5 * __builtin_ffs((int)v);
    s += __builtin_ctzll(w) + 2 * __builtin_popcountll(w) + 3 * __builtin_clzll(w);
    s += 5 * __builtin_ffsll((long long)w);
    s += 7 * __builtin_parity(v) + 11 * __builtin_parityll(w) + 13 * __builtin_ctzl(w) + __builtin_abs(c[0]);
    s += __builtin_sqrt(__builtin_fabs(a[0])) + __builtin_fmaxf(b[0], b[1]) + __builtin_powi(a[1], 3);
    s += __builtin_modf(a[2], &whole);
    s += 17 * whole + (__builtin_expect(n > 2, 1) ? 19 : 23);
    s += __builtin_isless(a[0], a[1]) + 2 * __builtin_isgreaterequal(a[0], b[1]);
    s += 4 * __builtin_islessgreater(a[2], a[3]);
    s += 8 * __builtin_isunordered(a[0], __builtin_nan("")) + 16 * (bool)__builtin_isnormal(a[0] * 1e-310);
    s += 32 * (bool)__builtin_isnormal(a[0]) + (s < __builtin_inf() ? 64 : 0);
    s += s < (double)__builtin_huge_valf();
    if (n > 1000000) __builtin_trap();
    const double *aligned = (const double *)__builtin_assume_aligned(a, 8);
    if (!a) __builtin_unreachable();
    return s + aligned[3];
}

CASE(operators) {
    int x = c[0], y = c[1] | 1;
    unsigned p = u + 3;
    int i = x / y + x % y * 3 - (x & 12) + (x ^ 5) + ~y + (x << 2) + (x >> 1) + -x + +y + !x;
    i += (p / 3) % 4 + (p >> 1) + (p << 3);
    i <<= 1, i |= 4, i ^= 9, i &= 0xfff, i %= 1000, i -= 3, i *= 2, i /= 3;
    double d = a[0] * a[1] - a[2] / (a[3] * a[3] + 1) + -a[4];
    d += i++ + ++i - i-- - --i;
    float f = b[0];
    f++, --f;
    f *= 2.5;
    f += 1;
    d -= f;
    d *= (x < y) + (x <= y) * 2 + (x == y) * 4 + (x != y) * 8;
    return d + i + (a[5] > a[6]) + (x, y);
}

CASE(logic) {
    int hits = 0;
    if (n > 0 && a[n & 7] > 0) hits += 1;
    if (n <= 0 || 10 / n > 2) hits += 2;
    bool both = n && c[0] && !(u > 3 || c[1]);
    bool set = (hits > 0) && (hits = hits + 10, hits > 11);
    bool either = (c[2] > 0) || (c[3] = 5);
    double choice = n > 2 ? a[0] * 2 : n > 0 ? std::sqrt(a[1] * a[1]) : c[0] ? 3 : 4.5f;
    int *p = c + 4;
    int picked = (n > 1 ? c[5] : u > 3 ? p[1] : hits);
    return hits + both * 100 + set * 200 + either * 400 + choice + picked + (n > 3 ? 1 : 2);
}

CASE(literals) {
    return 1.5e-3f + 0.1 + 1e3 + 0x1p-2 + 'x' + '\n' + 1'000 + 0b101 + 07u + 3L + 2.f + .5 + M_PI + true -
           false + __LINE__ * 0;
}

// ---- control ----
CASE(early_return) {
    if (n < 0) return -1;
    double s = 0;
    if (n == 0) {
        s = a[0];
        if (u > 5) return s;
        s += 1;
    } else if (n < 3) {
        return a[1] * 2;
    } else {
        s = a[2];
    }
    a[3] = s;
    if (s > 0) return s;
    a[4] = s;
    return s - 1;
}

CASE(nested_returns) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            if (c[wrap(i * 3 + j)] == 7) return i * 100 + j;
            if (c[wrap(i + j)] == -3) break;
            a[i] += j;
            if (c[wrap(i)] == 2) continue;
            a[j] *= 1.5;
        }
        if (a[i] > 50) return a[i];
        a[i + 1] -= 1;
    }
    return a[n > 0 ? n : 0];
}

CASE(partial_exits) {
    double s = 0;
    for (int i = 0; i < 10; i++) {
        if (c[i] > 0) {
            s += 1;
            if (c[i + 1] > 0) {
                s += 10;
                if (c[i + 2] > 0) continue;
                if (c[i + 3] < -4) break;
                s += 100;
            } else if (c[i] == 1) {
                continue;
            }
            s += 1000;
        }
        s += 0.5;
        if (s > 5000) return s * 2;
        s -= 0.25;
    }
    return s;
}

CASE(while_loops) {
    int i = 0, k = n;
    double s = 0;
    while (i < 5) s += a[i++];
    while (k-- > 0) s += a[k] * k;
    while (int z = c[wrap(i)]) {
        s += z;
        if (++i > 12) break;
    }
    do {
        s *= 0.5;
        if (s < 1) continue;
        i--;
    } while (s > 0.5 && i > -20);
    do {
        s += 1;
        if (n > 2) break;
        s += 2;
    } while (0);
    unsigned w = u;
    while (w--) s += w;
    int m = n > 0 ? n : 0;
    while (m) m--, s += m;
    while (true) {
        if (s > -100) break;
        s += 1;
    }
    return s + i + k + w + m;
}

CASE(for_loops) {
    double s = 0;
    int i, last = 0;
    for (i = 0; i < n; ++i) s += a[i];
    s += i * 1000;
    for (int j = n - 1; j >= 0; j -= 2) s -= a[j];
    for (unsigned j = u; j > 0; j--) s += j;
    for (unsigned j = u; j-- > 0;) s += j * 2;
    for (int j = 0; j != n && j < 20; j++) s += 0.5;
    for (int j = 0; n > j; j = j + 3) s += j;
    for (long j = 10; j > n; j--) s += j, last = (int)j;
    for (int j = 0, k = 8; j < k; j++, k--) s += j * k;
    for (short j = 0; j < 5; j++) s += j;
    for (unsigned char j = 250; j > 5; j++) s += j;
    for (float x = 0; x < 2; x += 0.25f) s += x;
    for (int j = 1; j < 100; j *= 3) s += j;
    for (int j = 64; j; j >>= 1) s += j;
    for (;;) {
        if (++last > 20) break;
    }
    for (; last > 10;) last -= 2;
    for (int j = 0;; j++)
        if (j * j > n) {
            s += j;
            break;
        }
    for (; i > 0; i--);
    for (size_t j = 0; j < (size_t)(n > 0 ? n : 0); j++) s += a[j];
    for (int j = 0; j < (int)u; j += 1 + c[0] * 0) s += 1;
    return s + i + last;
}

CASE(changing_bounds) {
    double s = 0;
    int limit = 6;
    for (int i = 0; i < limit; i++) {
        s += i;
        if (i == 3) limit = 5;
    }
    for (int i = 0; i < c[0]; i++) {
        s += 10;
        if (i == 2) c[0] = 3;
    }
    for (int i = 0; i < 10; i++) {
        s += i;
        i += c[1] > 0;
    }
    int step = 1;
    for (int i = 0; i < 12; i += step) {
        s += i;
        step = 2;
    }
    int i;
    for (i = 0; i < 8; i++)
        if (a[i] > 2) break;
    s += i;
    for (i = 8; i-- > 0;)
        if (a[i] > 2) break;
    return s + i + limit;
}

CASE(switches) {
    double s = 0;
    for (int i = 0; i < 12; i++) {
        switch (c[i]) {
        case 1: s += 1; break;
        case 2: s += 2;
        case 3: s += 3;
        case -4: s += 4; break;
        case 5:
        case 6: s += 5; continue;
        default: s += 7;
        case 7: s += 0.5; if (s > 40) break; s += 0.25;
        case 8: s += 8; break;
        case -1: if (u > 6) return s; s -= 1; break;
        }
        s += 0.125;
    }
    switch (n) {
    case 0: return s;
    case 1: s *= 2; break;
    }
    switch (u) {
        int t;
    default: t = 3; s += t; break;
    case 3: t = 4; s -= t;
    }
    switch ((int)u % 4) {
    case 0: {
        if (n > 3) break;
        s += 1;
    }
    case 1: s += 10; if (n < 2) break;
    case 2: s += 100;
    }
    switch (n) { default: s += 1; }
    switch (n) {}
    return s;
}

CASE(switch_in_loop) {
    double s = 0;
    int i = 0;
    while (i < 10) {
        switch (c[i] & 3) {
        case 0: i++; continue;
        case 1: s += a[i]; break;
        case 2:
            for (int k = 0; k < 3; k++) {
                if (k == (n & 1)) break;
                s += k;
            }
            break;
        default: if (c[i] > 6) s += 1; else return s;
        }
        i += 2;
    }
    return s;
}

// ---- aggregates ----
struct pair {
    double x = 2, y{3};
    pair() = default;
    pair(double p, double q) : x(p), y(q) {}
    explicit pair(double p) : pair(p, -p) {}
    pair operator+(const pair &o) const { return pair(x + o.x, y + o.y); }
    pair operator-() const { return {-x, -y}; }
    pair &operator+=(const pair &o) {
        x += o.x;
        y += o.y;
        return *this;
    }
    double &at(int i) { return i ? y : x; }
    double dot(pair o) const { return x * o.x + y * o.y; }
    bool operator<(const pair &o) const { return dot(*this) < o.dot(o); }
    operator double() const { return x - y; }
};
struct plain {
    int i;
    float f[3];
    semantics_vector v;
};
struct nested {
    plain p[2];
    double z;
};
struct view {
    double *data;
    int stride;
    double &operator[](int i) const { return data[i * stride]; }
};

CASE(classes) {
    pair p, q(a[0], a[1]), t(a[2]);
    p += q;
    pair w = p + q + t;
    pair neg = -w;
    if (q < w) neg.x = 100;
    double s = w.dot(neg) + p;
    pair z = n > 2 ? p : q;
    z = w;
    z.y += 1;
    auto copy = pair(1, 2);
    copy = -copy;
    pair braces{5, 6};
    return s + z.x * z.y + copy.y + braces.x + static_cast<double>(t);
}

CASE(member_reference) {
    pair p(a[0], a[1]);
    const pair &alias = p;
    double &y = p.y;
    y *= 3;
    p.x += alias.y;
    view v{a + 2, 2};
    v[1] += v[0] * 2;
    v[c[0] & 3] = 7;
    view w = v;
    w.data++;
    w[2] -= 1;
    return p.dot(alias) + v[2] + w[0];
}

CASE(lists) {
    int m[2][3] = {{1, 2}, {4}};
    float flat[2][2] = {1, 2, 3, 4};
    double zero[5] = {}, first[4] = {a[0]};
    plain x = {1, {2, 3}, {4, 5}}, y = {6, 7, 8, 9, 10, 11}, e = {};
    nested t = {{{1, {2}, {3}}, {4}}, 5}, g = {};
    semantics_vector v = {b[0]}, vs[3] = {{1, 2}, {3}};
    int size[] = {7, 8, 9};
    m[1][n & 1] += 10;
    zero[u & 3] += 2;
    double s = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) s += m[i][j] * (i + 2 * j + 1);
    for (double d : zero) s += d;
    for (auto &d : first) d += 1;
    for (int i = 0; i < 3; i++)
        s += x.f[i] + y.f[i] * 2 + e.f[i] + size[i] + t.p[0].f[i] + t.p[1].f[i] + vs[i].x * vs[i].y;
    nested h = t;
    h.p[1].f[2] = 9;
    h.p[0] = y;
    t.z = h.p[1].f[2] + h.p[0].v.y + t.p[0].v.x + t.p[1].i + g.z + g.p[1].v.y;
    return s + flat[1][0] * flat[0][1] + first[0] + first[3] + y.v.y + x.v.x + t.z + v.x + v.y + e.v.x;
}

CASE(arrays_in_loops) {
    double s = 0;
    for (int i = 0; i < 4; i++) {
        double t[3] = {}, w[3] = {1, a[i]}, k[2];
        t[i & 1] += a[i];
        k[0] = t[0], k[1] = w[1];
        for (int j = 0; j < 3; j++) s += t[j] + w[j] * j;
        std::swap(k[0], k[1]);
        s += k[0] * 10;
    }
    float big[20] = {}, other[20];
    for (int i = 0; i < 20; i++) other[i] = b[i];
    struct { float v[20]; } p, q;
    for (int i = 0; i < 20; i++) p.v[i] = other[i] + big[i];
    q = p;
    q.v[3] += 1;
    return s + q.v[3] + p.v[3] + q.v[19];
}

CASE(records) {
    r[0].position.x += r[1].position.y;
    r[n & 3].weight[u % 3] *= 2;
    semantics_record *p = &r[1];
    p->count++;
    (p + 1)->small += 7;
    semantics_record copy = *p;
    copy.weight[0] = 3;
    r[3] = copy;
    semantics_vector v = r[2].position;
    v.x *= 2;
    r[2].position = v;
    float *f = &p->position.x;
    *f += 1;
    double *w = r[2].weight;
    w[1] += w[2];
    *w++ = 5;
    *w -= 1;
    short &small = r[3].small;
    small -= 1;
    return copy.position.x + p->count + small + w[1];
}

// ---- pointers and references ----
static void swap_pointers(double *&x, double *y) { x = y; }
static void bump(double &x, const double *by, int k) { x += by[k]; }
static double walk(const double *p, int count) {
    double s = 0;
    while (count--) s += *p++;
    return s;
}
static double *find(double *p, int count, double x) {
    for (int i = 0; i < count; i++)
        if (p[i] > x) return p + i;
    return p + count;
}
static void out(int i, int &q, int *m) { q = i / 3, *m = i % 3; }

CASE(pointers) {
    double *p = a + 2, *q = &a[5];
    *p = 3;
    p[1] += *q;
    double s = *p++ + *--q;
    s += *(p + 1);
    for (int i = 0; i < 4; i++) {
        s += *p;
        if (c[i] > 0) p++;
    }
    if (n > 2) p = a + n;
    else q -= 2;
    bump(s, a, 3);
    bump(*q, p, 1);
    bump(a[7], &a[8], 1);
    s += walk(a + 1, 5) + walk(p, u & 3);
    double *at = find(a, 10, 2.5);
    s += (double)(at - a);
    if (at < a + 10) *at = -1;
    int x, y;
    out(n + 40, x, &y);
    double local = 4;
    double *to = &local;
    *to += 1;
    for (const double *e = a; e != a + 6; ++e) s += *e;
    double **pp = &p;
    *pp += 1;
    s += **pp;
    (*pp)--;
    swap_pointers(p, a);
    return s + x * 10 + y + local + *p + p[1];
}

CASE(multi_dimensional) {
    double m[3][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) m[i][j] = a[i * 4 + j];
    double *row = m[1];
    row[2] = 100;
    double(*rows)[4] = m;
    double s = walk(m[2], 4) + walk(&m[0][1], 3);
    for (int i = 0; i < 3; i++) s += m[i][i] - *(m[i] + 3);
    double cube[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7}}};
    return s + cube[n & 1][u & 1][1] + (*m)[1] + row[1] + rows[2][1];
}

// ---- calls ----
static double power(double x, int k) {
    double r = 1;
    for (; k > 0; k--) {
        if (x == 0) return 0;
        r *= x;
    }
    return r;
}
static double defaults(double x, double scale = 2, int k = 3) { return x * scale + k; }
template <int N> static double sum_of(const double *p) {
    double s = 0;
    for (int i = 0; i < N; i++) s += p[i];
    if constexpr (N > 3) s *= 2;
    return s;
}
template <class T> static T clamp_to(T v, T lo, T hi) { return v < lo ? lo : v > hi ? hi : v; }
static int sign(double x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
    return 0;
}
static semantics_vector scaled(semantics_vector v, float by) {
    v.x *= by;
    return {v.x, v.y * by};
}
static pair choose(bool first, const pair &x, pair y) {
    if (first) return x;
    y.x = 0;
    return y;
}
static plain make(int i) {
    plain p = {};
    p.i = i;
    p.f[i & 1] = 3;
    if (i > 3) return p;
    p.v.x = 1;
    return p;
}
enum kind { none, linear = 3, square };
static double shape(kind k, double x) {
    switch (k) {
    case none: return 0;
    case linear: return x;
    default: break;
    }
    return x * x;
}

CASE(calls) {
    double s =
        power(a[0], n) + defaults(a[1]) + defaults(a[2], 3) + defaults(1, 2, 4) + sum_of<3>(a) + sum_of<5>(a);
    s += clamp_to(n, 1, 3) + clamp_to(b[0], -1.f, 1.f) + sign(a[3]) * 10 + sign(a[4]);
    semantics_vector v = scaled(r[0].position, 2);
    s += v.x - scaled(v, 0.5f).y;
    pair p = choose(n > 2, pair(1, 2), pair(a[5]));
    s += p.x + p.y * 3 + choose(n < 2, p, p).x;
    s += make(n).f[1] + make((int)u).v.x + make(2).i;
    s += shape(none, 2) + shape(n > 3 ? linear : square, a[6]) + (kind)3;
    s += std::min(n, 3) + std::max(a[7], 0.5) + std::min(b[1], b[2]) + std::abs(n) + std::abs(a[8]) +
         std::fabs(b[3]);
    return s;
}

CASE(library) {
    double s =
        std::sqrt(a[0] * a[0] + 1) + std::exp(a[1] * 0.1) + sin(a[2]) + std::cos(a[3]) + std::floor(a[4]);
    s += std::isnan(a[5]) + std::fmin(a[6], 1) + fmax(a[7], a[8]) + std::pow(std::fabs(a[9]), 2) +
         std::copysign(2, a[10]);
    s += fma(a[11], a[12], a[13]) + sqrtf(b[0] * b[0]) + std::rint(a[14]) + std::fmod(a[15], 3);
    assert(n < 1000);
    if (n > 100) printf("never %d\n", n);
    return s;
}

CASE(lambdas) {
    double k = 2;
    auto add = [&](double x) {
        if (x < 0) return k;
        k += x;
        return x * k;
    };
    double s = add(a[0]) + add(a[1]);
    auto pure = [](int i) { return i * 2; };
    return s + k + pure(n);
}

CASE(bindings) {
    auto [x, y] = r[0].position;
    auto &[p, q] = r[1].position;
    p += x;
    q -= y;
    x = 5;
    return x + y;
}

// ---- globals ----
static const double table[] = {0.5, 1.5, 2.5, 3.5};
static constexpr float scale = 1.25f;
static const int count = 3;
namespace tables {
double state[4];
int calls;
} // namespace tables

CASE(globals) {
    static const int local_table[2][2] = {{1, 2}, {3, 4}};
    static constexpr double local_scale = 0.75;
    double s = 0;
    for (int i = 0; i < count; i++) s += table[i] * a[i];
    return s * scale + table[n & 3] + local_table[n & 1][1] * local_scale + tables::state[1] + tables::calls;
}

// ---- a function that is large enough to be called ----
static double large(double x, int k) {
    double s = x;
#define STEP(i) s = s * 0.5 + x * (i) - (s > x ? 0.25 : x * 0.125) + (k & (i)) * 0.5;
#define STEPS(i) STEP(i) STEP(i + 1) STEP(i + 2) STEP(i + 3) STEP(i + 4)
    STEPS(1) STEPS(6) STEPS(11) STEPS(16)
    return s;
}
CASE(large_function) { return large(a[0], n) + large(a[1] * 2, c[0]); }

// ---- uninitialised and shadowed ----
CASE(scopes) {
    double x = a[0], t;
    {
        double x = a[1];
        x *= 2;
        t = x;
    }
    if (int k = n - 2; k > 0) t += k;
    else if (double y = a[2] - 1) t -= y * k;
    for (int x = 0; x < 2; x++) t += x;
    double late;
    if (n > 1) late = 3;
    else late = a[3];
    for (int i = 0; i < 3; i++) {
        double inner;
        if (i == 1) continue;
        inner = a[i];
        late += inner;
    }
    [[maybe_unused]] int unused;
    typedef float real;
    using whole = int;
    static_assert(sizeof(real) == 4, "");
    return x + t + late + (whole)2.7;
}

CASE(commas) {
    int i = 0, j = 10;
    double s = 0;
    for (i = 0, j = n; i < j; i++, --j) s += i * j;
    s += (i++, j + i);
    int k = (i = 5) + (j += 2);
    a[i = 3] = k;
    a[c[0] & 7] += a[c[1] & 7] = 2;
    return s + k + i + j;
}

// ---- values, not names ----
static double sum_after(const float &x, double &y, float *z) {
    y = 100;
    *z = 50;
    return x + y;
}

CASE(copies) {
    float x = b[0];
    double d = a[0];
    float &same = static_cast<float &>(x);
    double s = sum_after((float)x, d, &x);
    s += sum_after(x, d, &same) + sum_after(static_cast<const float &>(x), d, b) + sum_after(b[0], a[1], b);
    const double &held = d + 1;
    d = 7;
    const float &chosen = n > 2 ? x : 1.0f;
    x = 3;
    s += held + chosen;
    if (d = a[2]; d > 0) s += d;
    else s -= 1;
    if (n > 3) x = 1;
    else x = 2;
    if (int z = c[0]; z > 0 && z < 5) s += z;
    else if (z < -3) s -= z;
    float pair_of[] = {x, x + 1};
    for (float e : pair_of) s += e * 2;
    auto twice = [](double v) -> double { return v * 2; };
    auto apply = [&](auto f, double v) { return f(v) + s; };
    return s + x + apply(twice, 3);
}

struct cursor {
    const double *at;
    int left;
    bool next(double &x) {
        if (left <= 0) return false;
        x = *at++;
        left--;
        return true;
    }
};
struct counter {
    int n = 0;
    int operator()() { return ++n; }
    counter &operator++() {
        n += 10;
        return *this;
    }
    counter operator++(int) {
        counter old = *this;
        n += 100;
        return old;
    }
};

CASE(objects_in_loops) {
    cursor it{a, n};
    counter k, *to = &k;
    double x, s = 0;
    while (it.next(x)) {
        s += x * k();
        if (s > 8) break;
        if (x < 0) ++k;
        s += k++.n;
    }
    double last[2] = {1, 2}, *write = last;
    for (int i = 0; i < 2; i++) *write++ += i;
    double *best = nullptr;
    for (int i = 0; i < 6; i++)
        if (c[i] > 0) {
            best = &a[i];
            if (c[i] > 3) break;
        }
    if (c[0] > 0 || c[1] > 0 || c[2] > 0 || c[3] > 0 || c[4] > 0 || c[5] > 0) *best += 1;
    return s + k.n + to->n + last[1] + it.left;
}

CASE(deep) {
    double s = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            for (int k = 0; k <= j; k++) {
                int m = k;
                while (m < 3) {
                    double t = a[i + j] * k;
                    do {
                        if (t > 5) break;
                        t = t + 1 + c[m];
                        if (s > 200) return s;
                    } while (t < 3 && m++ < 2);
                    s += t;
                    m++;
                }
            }
    return s;
}

extern "C" {
#define ROW(name) {#name, name},
extern const semantics_row semantics_rows[] = {
    ROW(conversions) ROW(compiler_builtins) ROW(operators) ROW(logic) ROW(literals) ROW(early_return)
    ROW(nested_returns)
    ROW(partial_exits) ROW(while_loops) ROW(for_loops) ROW(changing_bounds) ROW(switches) ROW(switch_in_loop)
    ROW(classes) ROW(member_reference) ROW(lists) ROW(arrays_in_loops) ROW(records) ROW(pointers)
    ROW(multi_dimensional) ROW(calls) ROW(library) ROW(lambdas) ROW(bindings) ROW(globals) ROW(large_function)
    ROW(scopes) ROW(commas) ROW(copies) ROW(objects_in_loops) ROW(deep)};
extern const int semantics_count = sizeof semantics_rows / sizeof *semantics_rows;

void *semantics_global(const char *name) {
    if (!strcmp(name, "table")) return (void *)table;
    if (!strcmp(name, "tables::state")) return tables::state;
    if (!strcmp(name, "tables::calls")) return &tables::calls;
    return nullptr;
}
}
