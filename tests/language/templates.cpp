// Expression templates: classes that know what derives from them, that hold references to each other or copies,
// and whose members are made in the places of others.
#include "language.h"

#include <cassert>
#include <cstdint>
#include <cstring>
#include <new>

template <class T> struct traits;

template <class D> struct expression {
    typedef typename traits<D>::scalar scalar;
    enum { size = traits<D>::size, copied = traits<D>::copied };
    const D &derived() const { return *static_cast<const D *>(this); }
    D &derived() { return *static_cast<D *>(this); }
    scalar sum() const {
        scalar s = 0;
        for (int i = 0; i < size; i++) s += derived().at(i);
        return s;
    }
    template <int from, int count> auto part() const;
    template <class F> auto each(F f) const;
    template <class R> scalar dot(const expression<R> &r) const {
        assert((std::uintptr_t)&r % alignof(R) == 0 && "where it stands");
        scalar s = 0;
        for (int i = 0; i < size; i++) s += derived().at(i) * r.derived().at(i);
        return s;
    }
};
/* Leaves are referred to, what is made on the way is held. */
template <class E, bool copied> struct nested { typedef const E &type; };
template <class E> struct nested<E, true> { typedef const E type; };
template <class E> using nested_t = typename nested<E, traits<E>::copied>::type;

template <class T, int n> struct vec : expression<vec<T, n>> {
    T x[n];
    static constexpr int length = n;
    vec() {}
    template <class... U> explicit vec(T a, U... b) : x{a, T(b)...} {}
    template <class E> vec(const expression<E> &e) { assign(e.derived()); }
    template <class E> vec &operator=(const expression<E> &e) { return assign(e.derived()); }
    template <class E> vec &operator+=(const expression<E> &e) { return assign(*this + e.derived()); }
    T at(int i) const { return x[i]; }
    T &operator[](int i) { return x[i]; }

    template <class E> vec &assign(const E &e) {
        for (int i = 0; i < length; i++) x[i] = e.at(i);
        return *this;
    }
};
template <class T, int n> struct traits<vec<T, n>> {
    typedef T scalar;
    enum { size = n, copied = false };
};

struct adds {
    template <class T> static T of(T a, T b) { return a + b; }
};
struct multiplies {
    template <class T> static T of(T a, T b) { return a * b; }
};
template <class F, class A, class B> struct binary : expression<binary<F, A, B>> {
    nested_t<A> a;
    nested_t<B> b;
    binary(const A &l, const B &r) : a(l), b(r) {}
    auto at(int i) const { return F::of(a.at(i), b.at(i)); }
};
template <class F, class A, class B> struct traits<binary<F, A, B>> {
    typedef typename traits<A>::scalar scalar;
    enum { size = traits<A>::size, copied = true };
};
template <class A, int from, int count> struct block : expression<block<A, from, count>> {
    nested_t<A> a;
    explicit block(const A &of) : a(of) {}
    auto at(int i) const { return a.at(from + i); }
};
template <class A, int from, int count> struct traits<block<A, from, count>> {
    typedef typename traits<A>::scalar scalar;
    enum { size = count, copied = true };
};
template <class A, class F> struct mapped : expression<mapped<A, F>> {
    nested_t<A> a;
    F f;
    mapped(const A &of, F g) : a(of), f(g) {}
    auto at(int i) const { return f(a.at(i)); }
};
template <class A, class F> struct traits<mapped<A, F>> {
    typedef typename traits<A>::scalar scalar;
    enum { size = traits<A>::size, copied = true };
};
template <class D> template <int from, int count> auto expression<D>::part() const {
    return block<D, from, count>(derived());
}
template <class D> template <class F> auto expression<D>::each(F f) const { return mapped<D, F>(derived(), f); }
template <class A, class B> binary<adds, A, B> operator+(const expression<A> &a, const expression<B> &b) {
    return {a.derived(), b.derived()};
}
template <class A, class B> binary<multiplies, A, B> operator*(const expression<A> &a, const expression<B> &b) {
    return {a.derived(), b.derived()};
}

CASE(lazy_sums) {
    vec<double, 3> a(x[0], x[1], x[2]), b(x[3], x[4], x[5]), c = a + b * a + b;
    a += c * b;
    a[n % 3] *= x[6];
    return (a * c).sum() + a.dot(b + c) + (a + b).part<1, 2>().sum() * c.part<0, 1>().at(0);
}

struct sine {
    double by;
    double operator()(double v) const { return std::sin(by * v); }
};
CASE(lazy_functions) {
    const vec<double, 2> a(x[0], x[1]);
    const double w = x[2];
    return a.each([&](double v) { return v * v * w; }).sum() + (a * a.each(sine{x[3]})).sum();
}

/* As Eigen's evaluator of a product: a base that is made once more, of a member that is made behind it. */
struct view {
    const double *data;
    explicit view(const double *at) : data(at) {}
    double at(int i) const { return data[i]; }
};
struct holder : view {
    double squares[2];
    holder(double a, double b) : view(nullptr), squares{a * a, b * b} {
        ::new (static_cast<view *>(this)) view(squares);
    }
};
CASE(made_anew) {
    holder h(x[0], x[1]);
    double z = x[2];
    double *at = new (&z) double(x[3] * z);
    return h.at(n & 1) * *at + z;
}

/* While its base is made, an object is no more than that. */
struct shape {
    double first, last;
    explicit shape(double v) : first(v) { first = area(v); }
    virtual double area(double v) const { return 3 * v; }
    double twice(double v) { return last = 2 * area(v); }
    ~shape() { last = area(last); }
};
struct square : shape {
    double early;
    explicit square(double v) : shape(v), early(area(v)) {}
    double area(double v) const override { return v * v; }
};
struct cube final : square {
    using square::square;
    double area(double v) const override { return v * v * v; }
};
CASE(virtual_while_made) {
    cube c(x[0]);
    square s(x[1]);
    return c.first * c.early + c.twice(x[2]) + s.first * s.early * s.twice(x[3]);
}
CASE(virtual_by_a_final_class) {
    const auto f = [](const cube &c, double v) { return c.area(v) + const_cast<cube &>(c).twice(v); };
    cube c(x[0]);
    return f(c, x[1]);
}

/* Members of templates that say what they are made for. */
template <class T> struct powers {
    T x;
    template <int n> T of(int k) const;
    template <int n> T sum() const { return of<n>(1) + this->template of<n + 1>(2); }
};
template <class T> template <int n> T powers<T>::of(int k) const {
    T p = k;
    for (int i = 0; i < n; i++) p *= x;
    return p;
}
CASE(members_with_arguments) {
    powers<double> p{x[0]}, *q = &p;
    return p.of<2>(n) + q->sum<2>() + (*q).template of<1>(3);
}

#include "templates.grad.hpp"

int main() {
    CHECK(lazy_sums);
    CHECK(lazy_functions);
    CHECK(made_anew);
    CHECK(virtual_while_made);
    CHECK(virtual_by_a_final_class);
    CHECK(members_with_arguments);
    return language_report();
}
