// Constructs that meet: views and stacks, lambdas that make lambdas, chained calls, references chosen by
// functions, lists, own iterators by index.
#include <array>
#include <complex>
#include <utility>
#include <vector>

#include "language.h"

struct point {
    double x, y;
    point operator+(const point &o) const { return {x + o.x, y + o.y}; }
    point &operator*=(double s) { return x *= s, y *= s, *this; }
    explicit operator bool() const { return x > 0; }
    double operator[](int i) const { return i ? y : x; }
};

CASE(points_in_a_vector) {
    std::vector<point> v(3, point{x[0], x[1]});
    v[1] *= x[2];
    point s = v[0] + v[1];
    return s ? s[0] * s[1] : 0;
}

struct grid {
    double d[4];
    double &at(int i) { return d[i]; }
    grid &self() { return *this; }
};

CASE(references_from_members) {
    grid g{{x[0], x[1], x[2], x[3]}};
    g.self().at(n & 3) *= g.at(1);
    double &r = g.at(2);
    r += r * g.d[0];
    return g.d[2] * g.d[n & 3];
}

struct shape {
    virtual double area(double s) const = 0;
    virtual ~shape() = default;
};
struct square : shape {
    double k = 2;
    double area(double s) const override { return k * s * s; }
};
struct triangle final : shape {
    double h;
    explicit triangle(double v) : h(v) {}
    double area(double s) const override { return h * s / 2; }
};
static double both(const shape &a, const shape &b, double s) { return a.area(s) * b.area(s); }

CASE(known_objects_behind_references) {
    square q;
    triangle t(x[1]);
    return both(q, t, x[0]);
}

CASE(lambdas) {
    double acc = 0;
    auto add = [&acc](double v, int times = 2) {
        for (int i = 0; i < times; i++) acc += v * v;
        return acc;
    };
    add(x[0]);
    double r = add(x[1], 3);
    auto make = [](double k) { return [k](double v) { return k * v * v; }; };
    auto f = make(x[0]), g = make(x[1]);
    auto counted = [s = x[0]](double v) mutable { return s *= v; };
    double one = counted(x[1]), two = counted(x[2]);
    return r * acc + f(g(x[2])) + one * two;
}

struct node {
    double v;
    int left, right;
};
static double visit(const node *t, int i) {
    double s = 0;
    int stack[8], top = 0;
    stack[top++] = i;
    while (top) {
        int k = stack[--top];
        s += t[k].v * t[k].v * (k + 1);
        if (t[k].left) stack[top++] = t[k].left;
        if (t[k].right) stack[top++] = t[k].right;
    }
    return s;
}

CASE(a_tree_and_its_stack) {
    node t[4] = {{x[0], 1, 2}, {x[1], 3, 0}, {x[2], 0, 0}, {x[3], 0, 0}};
    return visit(t, n & 1);
}

struct view {
    const double *p;
    int n;
    double sum() const {
        double s = 0;
        for (int i = 0; i < n; i++) s += p[i] * p[i];
        return s;
    }
    view skip(int k) const { return {p + k, n - k}; }
    const double *begin() const { return p; }
    const double *end() const { return p + n; }
};
template <class T> struct bag {
    T d[5];
    int k = 0;
    T *begin() { return d; }
    T *end() { return d + k; }
    const T *begin() const { return d; }
    const T *end() const { return d + k; }
    void add(T v) { d[k++] = v; }
};

CASE(views) {
    view l{x, 4};
    return l.sum() * l.skip(2).sum() * l.skip(1).skip(1).p[1];
}

CASE(loops_over_views) {
    double s = 0;
    for (double v : view{x, n}) s += v * v;
    for (const double &u : view{x, 6}.skip(n))
        for (double v : view{x, 4}.skip(2)) s = s * 0.5 + u * v;
    bag<double> b;
    for (int i = 0; i < n; i++) b.add(x[i]);
    for (double &v : b) v *= v;
    const bag<double> &c = b;
    for (auto v : c) {
        if (v > 1.337) continue;
        s *= v + 1;
    }
    return s;
}

template <class T> struct stack {
    T d[8];
    int top = 0;
    void push(T v) { d[top++] = v; }
    T pop() { return d[--top]; }
    bool empty() const { return !top; }
};

CASE(a_stack_that_is_emptied) {
    stack<double> s;
    for (int i = 0; i < n; i++) s.push(x[i] * x[i]);
    double r = 1;
    while (!s.empty()) {
        double v = s.pop();
        r = r * 0.5 + v;
        if (v > 3 && !s.empty()) r *= s.pop();
    }
    return r;
}

struct mean {
    double sum = 0;
    int count = 0;
    template <class U> mean &add(U v) { return sum += v * v, ++count, *this; }
    operator double() const { return sum / count; }
};
static double &pick(double &a, double &b, bool first) {
    if (first) return a;
    return b;
}

CASE(chains_and_choices) {
    double a = x[0], b = x[1], m = mean().add(x[0]).add((float)n).add(x[1] * x[2]);
    pick(a, b, n > 2) *= 3;
    pick(a, b, x[0] > 1) += x[2];
    double rows[2][2] = {{x[0], x[1]}, {x[2], x[3]}}, *of[2] = {rows[0], rows[1]};
    std::swap(of[0], of[1]);
    of[0][1] *= of[1][0];
    return a * a + b * m + rows[1][1] * rows[0][1] * of[n & 1][0];
}

struct link {
    double v;
    link *next;
};

CASE(a_list) {
    link c{x[2], nullptr}, b{x[1], &c}, a{x[0], &b};
    return a.next->next->v * a.next->v * a.v;
}

namespace la {
template <class S, int R, int C> struct matrix {
    S d[R * C];
    static matrix zero() {
        matrix m;
        for (auto &e : m.d) e = S(0);
        return m;
    }
    S &operator()(int i, int j) { return d[i * C + j]; }
    S operator()(int i, int j) const { return d[i * C + j]; }
    template <int K> matrix<S, R, K> operator*(const matrix<S, C, K> &o) const {
        auto r = matrix<S, R, K>::zero();
        for (int i = 0; i < R; i++)
            for (int j = 0; j < K; j++)
                for (int k = 0; k < C; k++) r(i, j) += (*this)(i, k) * o(k, j);
        return r;
    }
    matrix<S, C, R> turned() const {
        matrix<S, C, R> r;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++) r(j, i) = (*this)(i, j);
        return r;
    }
};
}

CASE(matrices) {
    la::matrix<double, 2, 3> a{{x[0], x[1], x[2], x[3], x[4], x[5]}};
    auto g = a * a.turned();
    return g(0, 0) * g(1, 1) - g(0, 1) * g(1, 0);
}

class polynomial {
    std::array<double, 4> c;

  public:
    explicit polynomial(const double *p) {
        for (int i = 0; i < 4; i++) c[i] = p[i];
    }
    double operator()(double t) const {
        double r = 0;
        for (auto i = c.size(); i-- > 0;) r = r * t + c[i];
        return r;
    }
    polynomial derived() const {
        polynomial q(c.data());
        for (int i = 0; i < 3; i++) q.c[i] = c[i + 1] * (i + 1);
        q.c[3] = 0;
        return q;
    }
};

CASE(polynomials) {
    polynomial p(x);
    return p(x[4]) * p.derived()(x[5]) * p.derived().derived()(0.5);
}

CASE(loops_with_several_exits) {
    double s = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i; j-- > 0;) {
            if (x[j] > 1.037 && i & 1) break;
            s += x[i] * x[j];
            if (s > 9.37) return s * x[0];
        }
    long i = n;
    for (;;) {
        switch (i-- % 3) {
        case 0: s *= x[1]; break;
        case 1: s += x[2]; continue;
        default:
            if (i < 0) return s;
            s = s * x[0] + 1;
        }
        if (i < -3) break;
    }
    return s * 2;
}

/* Loops that do not run, by counters of 64 bits, and an unsigned one that goes down by addition. */
CASE(counters) {
    double a[8] = {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]}, s = x[8];
    const long m = n;
    for (long j = m - 1; j >= 3; j -= 2) a[j] = std::sin(a[j + 1]);
    for (size_t i = 0; i <= (size_t)n; i++)
        for (size_t j = i - 1; j < (size_t)n; j++) a[j + 2] -= 0.3 * a[j + 1] * a[3];
    for (long j = 3; j <= m; j += 2) a[j] = std::sin(a[j + 1]);
    for (unsigned k = n - 1; k < (unsigned)n; k += -1) a[k] = 0.5 * a[k + 1] * a[n];
    for (long k = m; k >= 2; k -= 3) s = std::sin(s) * a[k];
    for (int i = 0; i < 8; i++) s += (i + 1) * a[i];
    return s;
}
struct defaulted {
    double k = 2;
};
CASE(new_with_defaults) {
    defaulted *one = new defaulted, *other = new defaulted();
    const double s = one->k * x[0] * x[1] + other->k * x[2] * x[2];
    delete one;
    delete other;
    return s;
}
#include "combinations.grad.hpp"

int main() {
    CHECK(points_in_a_vector);
    CHECK(references_from_members);
    CHECK(known_objects_behind_references);
    CHECK(lambdas);
    CHECK(a_tree_and_its_stack);
    CHECK(views);
    CHECK(loops_over_views);
    CHECK(a_stack_that_is_emptied);
    CHECK(chains_and_choices);
    CHECK(a_list);
    CHECK(matrices);
    CHECK(polynomials);
    CHECK(loops_with_several_exits);
    CHECK(counters);
    CHECK(new_with_defaults);
    return language_report();
}
