// Classes, lambdas, templates and the statements of newer C++: compiled and lowered, they must do the same
// (semantics_test.c).
#include "semantics.h"

#include <cmath>
#include <cstring>
#include <gradwright/gradwright.h>

#define CASE(name)                                                                                             \
    extern "C" GW_GRADIENT("wrt a") double name([[maybe_unused]] double *a, [[maybe_unused]] float *b,         \
                                                [[maybe_unused]] int *c, [[maybe_unused]] semantics_record *r, \
                                                [[maybe_unused]] int n, [[maybe_unused]] unsigned u)

// ---- statements and expressions ----
CASE(newer_statements) {
    double s = 0;
    double x = a[0], y = a[1];
    s += ({ double t = x * 2; int k = c[0]; for (int i = 0; i < 3; i++) t += k; t * y; });
    s += c[1] ?: 7;
    s += (c[2]++ ?: a[2]) * 2;
    (n > 2 ? x : y) = a[3];
    (c[0] > 0 ? a[4] : c[1] > 0 ? a[5] : x) += 3;
    (n > 0 ? x : a[6]) *= 1.5;
    switch (int t = n & 7; t) {
    case 0 ... 2: s += 1; break;
    case 4 ... 6: s += t; [[fallthrough]];
    case 3: s += 10; break;
    default: s -= 1;
    }
    switch (unsigned v = u, w = v + 1; w % 5) {
    case 0: s += v; break;
    case 1 ... 3: s += w * 2; break;
    }
    switch ((signed char)c[3]) {
    case -8 ... -1: s += 0.5; break;
    case 0 ... 127: s += 0.25;
    }
    if (int k = c[4]; int l = k + 1) s += l * k;
    if (int k = n; k > 2 && u > 1) s -= k;
    for (double z[3] = {1, x, 3}; double w : z) s += w;
    double three[] = {1.0, y, 3.0};
    for (int i = 0, k = n; double w : three) s += w + i + k;
    return s + x * 3 + y + a[4] + a[6];
}

CASE(counting_while) {
    double s = 0;
    int i = 0, j = 0;
    while (j < n % 3) { j++; s += a[j]; }
    while (i < (int)(u % 4) + 1) {
        s += a[i] * i;
        i++;
        if (s > 20) continue;
        s += 0.5;
    }
    for (; i < 10;) {
        i += 2;
        if (a[i] > 3) break;
        s += i;
    }
    int k = n;
    while (k >= -2) {
        if (c[k & 15] > 6) { k -= 2; continue; }
        k--;
        s += k;
    }
    int m = 0;
    while (m < 12) {
        m++;
        if (c[m] > 5) m++;
    }
    unsigned w = u;
    while (w > 2) { s += w; w--; }
    int back = 0;
    while (back < 5) { back++; s += back; back--; back++; }
    return s + i * 100 + j * 10 + k + m + w + back;
}

// ---- classes ----
struct base {
    double x = 1;
    int k;
    explicit base(double v = 2, int by = 1) : x(v), k(by) {}
    double get() const { return x * k; }
    virtual double area() const { return x; }
    virtual double twice() const { return area() * 2; }
    base &operator+=(double v) {
        x += v;
        return *this;
    }
};
struct mixin {
    double m[2] = {5, 6};
    double sum() const { return m[0] + m[1]; }
};
struct derived : base, mixin {
    double y;
    derived(double v) : base(v, 3), y() { m[1] = v; }
    derived(double v, double w) : derived(v) { y = w; }
    double area() const override { return x * y + base::area(); }
    ~derived() {}
};
struct last final : derived {
    double z{4};
    last(double v) : derived(v, v + 1), z{v} {}
    double twice() const override { return derived::twice() + z; }
};
struct point {
    double x, y;
};
struct placed : point {
    double weight = 3;
};
struct named : placed {
    int id;
};
static double through(const base &of) { return of.get(); }
static double by_value(base of) { return of.get() + of.area(); }
static void change(base *of) { of->x *= 2; }

CASE(inheritance) {
    derived d(a[0], a[1]);
    d += 2;
    d.m[n & 1] += a[2];
    last e(a[3]);
    e.m[0] = 9;
    base sliced = d, &alias = e, *to = &d;
    change(&d);
    change(to);
    alias.x += 1;
    double s =
        through(d) + by_value(d) + d.sum() + e.sum() + sliced.x + d.area() + e.area() + e.twice() + d.twice();
    s += to->area() + alias.twice() + static_cast<derived &>(alias).y + static_cast<derived *>(to)->m[1] +
         d.base::area();
    mixin part = e;
    derived copy = e;
    copy = d;
    copy.y = 5;
    placed p{{a[4], a[5]}}, q{{1, 2}, 3}, zero{};
    named w{{{1, a[6]}, 2}, 7}, v = w;
    point &inner = p;
    inner.x += 1;
    v.y *= 2;
    s += p.x * p.y * p.weight + q.weight + zero.x + zero.weight + w.y * w.id + v.y + v.weight;
    return s + part.m[0] + copy.y + copy.x + to->x + e.m[1];
}

template <class D> struct measured {
    double length() const {
        const D &self = static_cast<const D &>(*this);
        return self.x * self.x + self.y * self.y;
    }
    D scaled(double by) const {
        D r = *static_cast<const D *>(this);
        r.x *= by, r.y *= by;
        return r;
    }
};
struct crtp : measured<crtp> {
    double x, y;
    crtp(double p, double q) : x(p), y(q) {}
};
template <class T, int N> struct tiny {
    T v[N];
    static constexpr int size = N;
    static const int twice = 2 * N;
    tiny() {
        for (int i = 0; i < N; i++) v[i] = T(i);
    }
    tiny(T x) {
        for (auto &e : v) e = x;
    }
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
    template <class U> tiny<U, N> as() const {
        tiny<U, N> o;
        for (int i = 0; i < N; i++) o[i] = U(v[i]);
        return o;
    }
    friend tiny operator*(const tiny &x, const tiny &y) {
        tiny o;
        for (int i = 0; i < N; i++) o.v[i] = x[i] * y[i];
        return o;
    }
    tiny operator-() const {
        tiny o = *this;
        for (int i = 0; i < size; i++) o[i] = -o[i];
        return o;
    }
};
template <class T> struct wrapped : tiny<T, 3> {
    T extra = 2;
    T total() const {
        T s = extra;
        for (int i = 0; i < this->size; i++) s += (*this)[i];
        return s;
    }
};
template <class T> struct holder {
    wrapped<T> inner;
    tiny<T, 2> two{3};
    T plain{7};
};

CASE(class_templates) {
    crtp p(a[0], a[1]);
    tiny<double, 3> t, w(a[2]);
    t[1] = a[3];
    auto m = -(t * w);
    wrapped<double> z;
    z[n & 1] = a[4];
    holder<float> h;
    h.inner[2] += b[0];
    h.two[0] *= 2;
    tiny<float, 3> f = m.as<float>();
    return p.length() + p.scaled(2).length() + m[0] + m[1] + m[2] * m.size + z.total() + z.twice +
           h.inner.total() + h.two[0] + h.two[1] + h.plain + f[1] + tiny<int, 4>()[3];
}

struct made {
    double x;
    made(double v) : x(v) {}
    made(double v, int k) : x(v * k) {}
    made() : x(-1) {}
};
struct holds {
    made one;
    made two = made(3);
    made many[2];
    int k = 5;
};
struct outer {
    struct inside {
        double v;
        enum class mode { off, on = 4 } state;
    } in;
    inside list[2];
    static const int limit = 6;
    static double scaled(double x) { return x * limit; }
};

CASE(lists_of_objects) {
    made one{a[0]}, two{a[1], 3}, none{}, arr[3] = {made(1), {a[2], 2}, a[3]}, rest[4] = {{a[4]}}, all[2];
    holds h = {{a[5]}, {a[6], 2}, {{1}, {2, 3}}}, g{{2}}, e = {};
    holds array[2] = {{{a[7]}}};
    base bs[3];
    bs[1] = base(a[8], 2);
    outer o{{a[9], outer::inside::mode::on}, {{1, {}}, {2, outer::inside::mode::on}}};
    o.list[n & 1].v += 3;
    double s = one.x + two.x * 2 + none.x + all[1].x;
    for (auto &m : arr) s += m.x;
    for (const made &m : rest) s += m.x * 3;
    for (int i = 0; i < 2; i++)
        s += h.many[i].x + g.many[i].x + e.many[i].x + array[i].one.x + array[i].two.x * array[i].k;
    for (int i = 0; i < 3; i++) s += bs[i].get();
    if (o.in.state == outer::inside::mode::on) s += 100;
    return s + h.one.x + h.two.x + g.two.x + h.k + e.one.x + o.list[0].v + outer::scaled(o.in.v) +
           (int)o.list[1].state;
}

struct number {
    double v;
    number(double x) : v(x) {}
    number(const number &o) : v(o.v) {}
    number &operator=(const number &o) {
        v = o.v - 0.25;
        return *this;
    }
    number operator+(const number &o) const { return v + o.v; }
    friend number operator*(number x, const number &y) { return number(x.v * y.v); }
    number &operator*=(double k) {
        v *= k;
        return *this;
    }
    number &operator++() {
        v += 1;
        return *this;
    }
    number operator++(int) {
        number old = *this;
        v += 2;
        return old;
    }
    double operator()(double x, double y = 1) const { return v * x + y; }
    const number *operator->() const { return this; }
    double operator*() const { return v; }
    bool operator==(const number &o) const { return v == o.v; }
    bool operator!() const { return v == 0; }
    explicit operator bool() const { return v > 0; }
    operator double() const { return v; }
};
struct level { // C++20 turns 2 == level round
    double v;
    bool operator==(int o) const { return (int)v == o; }
};
static number operator-(const number &x, const number &y) { return {x.v - y.v}; }
static number operator-(number x) { return -x.v; }
static number passed(number x) {
    x.v += 1;
    return x;
}

CASE(operators_of_classes) {
    number p = a[0], q(a[1]), w = p + q, z = p * q - w;
    z *= 2;
    ++z;
    number old = z++;
    w = z;
    double s = z(a[2]) + z(a[3], 2) + p->v + *q + (p == q) + !p;
    if (w) s += 1;
    s += p ? w : z;
    s += static_cast<double>(passed(w)) + (double)old;
    number m = -w;
    const level at{a[4]};
    if (0 == at) s += a[5];
    s += 1 != at ? a[6] : 2 * a[7];
    return s + z.v + m.v;
}

// ---- lambdas ----
template <class F> static double apply(F f, double x) { return f(x) + f(x + 1); }
template <class F> static double apply_reference(F &&f, double x) { return f(x) + f(x + 1); }
static auto adder(double by) {
    return [=](double x) { return x + by; };
}
static auto counter(int from) {
    return [from]() mutable { return from++; };
}
struct affine {
    double k;
    double run(double x) const {
        auto f = [=, this](double v) { return v * k + x; };
        auto g = [&](double v) { return f(v) + k; };
        return g(x);
    }
    auto functor() const {
        return [copy = k](double v) { return copy * v; };
    }
};

CASE(lambda_captures) {
    double x = a[0], y = a[1];
    int k = n;
    auto copies = [=](double v) { return v * x + k; };
    auto mixed = [x, &y](double v) { y += v; return x * v; };
    auto other = [&, k](double v) { x += k; return v + y; };
    auto init = [z = x * 2, w = y](double v) mutable { z += v; return z * w; };
    x = 100, y = 200, k = 300;
    double s = copies(2) + mixed(3) + other(4);
    s += init(1) + init(1);
    auto again = init;
    s += init(2) - again(5) + init(1);
    auto add2 = adder(2), add3 = adder(a[2]);
    s += add2(1) + add3(1) + add2(a[3]);
    auto i = counter(n), j = counter(5);
    s += i() + i() * 10 + j() + i() + j();
    s += apply(init, 1) + apply_reference(init, 1) + init(0) + apply([q = a[4]](double v) { return v * q; }, 2);
    s += affine{a[5]}.run(3) + affine{2}.functor()(a[6]);
    double values[3] = {1, a[7], 3};
    auto held = [values](int at) { return values[at]; };
    values[1] = 0;
    s += held(1) + held(n & 1);
    auto nested = [=](double v) { return [=](double t) { return t * v + x; }; };
    s += nested(2)(3);
    auto generic = [k](auto p, auto q) { return p * k + q; };
    s += generic(2, 1.5) + generic(a[8], u) + generic(b[0], b[1]);
    auto recursive_free = [](int m) -> double { if (m > 2) return 1; return m * 0.5; };
    for (int m = 0; m < 4; m++) {
        auto in_loop = [m, s]() { return m + s * 0.125; };
        s += in_loop() + recursive_free(m);
    }
    return s + x + y + k;
}

// ---- templates ----
template <class T> static T sum_all(T x) { return x; }
template <class T, class... R> static T sum_all(T x, R... rest) { return x + sum_all(rest...); }
template <class... A> static double fold(A... v) { return (v + ...) * sizeof...(A) + (1.0 * ... * v); }
template <class F, class... A> static double call_with(F f, A &&...v) { return f(static_cast<A &&>(v)...); }
template <int N> struct power {
    static constexpr int exponent = N;
    static double of(double x) {
        if constexpr (N == 0) return 1;
        else return x * power<N - 1>::of(x);
    }
};
template <double (*F)(double)> static double twice(double x) { return F(F(x)); }
template <class F> static double map(F f, const double *p, int count) {
    double s = 0;
    for (int i = 0; i < count; i++) s += f(p[i]);
    return s;
}
static double square(double x) { return x * x; }
static double half(double x) { return x / 2; }
static double (*const chosen)(double) = half;
static constexpr double pi_times(double x) { return 3.25 * x; }
static constexpr double constant = pi_times(2);
struct squarer {
    double operator()(double x) const { return x * x * 2; }
};
template <bool B> static auto either(double x) {
    if constexpr (B) return x * 2;
    else return (int)x;
}
template <class T, class U> static auto product(T x, U y) -> decltype(x * y) { return x * y; }
namespace lib {
inline namespace v1 {
template <class T> T cube(T x) { return x * x * x; }
} // namespace v1
namespace {
double hidden(double x) { return x + 1; }
} // namespace
using std::fabs;
} // namespace lib

CASE(templates) {
    using namespace lib;
    namespace l = lib;
    double s = sum_all(a[0], a[1], 2.5f, 3) + fold(a[2], a[3], 2) + power<4>::of(a[4]) + power<2>::exponent;
    s += call_with([](double x, double &y) { y += 1; return x * y; }, a[5], a[6]);
    s += twice<square>(a[7]) + map(square, a, 3) + map(half, a, n > 3 ? 3 : 2) + map(squarer(), a, 2);
    double (*pointer)(double) = square;
    double (*copy)(double) = pointer;
    s += pointer(a[8]) + (*copy)(2) + chosen(a[9]) + constant;
    pointer = &half;
    s += pointer(3) + map(pointer, a, 1) + map([](double x) { return x; }, a, 4);
    s += either<true>(a[10]) + either<false>(a[11]) + product(a[12], n) + product(2, 3.5f);
    s += cube(a[0]) + l::hidden(1) + l::fabs(a[1]) + lib::v1::cube(2);
    decltype(s) t = s;
    const auto &same = t;
    typename std::remove_reference<decltype(same)>::type w = 2;
    return s + t * w;
}

// ---- numbers ----
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
CASE(mixed_numbers) {
    float f = b[0] * a[0];
    f = f / 3 + a[1];
    double d = f;
    d += b[1] * b[2];
    long double l = d * 1.5L;
    l = l / 3 + b[3];
    unsigned w = u - 7;
    w = w * 2654435761u + 12345;
    unsigned char small = (unsigned char)w;
    unsigned long long big = ((unsigned long long)w << 20) ^ (w >> 3);
    int bits = (int)(big >> 13 & 31), rotated = (int)((w << 5 | w >> 27) & 15);
    unsigned count = w - ((w >> 1) & 0x55555555u);
    count = (count & 0x33333333u) + ((count >> 2) & 0x33333333u);
    count = ((count + (count >> 4) & 0xf0f0f0fu) * 0x1010101u) >> 24;
    size_t index = (size_t)bits % 16;
    index ^= 3;
    d += a[index] * a[rotated] + small * 0.5 + count;
    d += CLAMP(a[2], -1, 1) + CLAMP(n, 0, 3) + (int)(w % 3u) - (long)(n >> 1) + (n & -n) + !(w & 1);
    return d + (double)l + f + (float)d + (int)(5 - u) + (n < 0u + u);
}

extern "C" {
#define ROW(name) {#name, name},
extern const semantics_row semantics_rows[] = {
    ROW(newer_statements) ROW(counting_while) ROW(inheritance) ROW(class_templates) ROW(lists_of_objects)
    ROW(operators_of_classes) ROW(lambda_captures) ROW(templates) ROW(mixed_numbers)};
extern const int semantics_count = sizeof semantics_rows / sizeof *semantics_rows;

void *semantics_global(const char *) { return nullptr; }
}
