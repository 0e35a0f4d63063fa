// Calls that are found when running: through pointers to functions, of virtual functions of objects whose class
// nobody knows before.
#include "language.h"

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>

static double twice(double v) { return 2 * v; }
static double square_of(double v) { return v * v; }
static double cube(double v) { double s = 1; for (int i = 0; i < 3; i++) s *= v; return s; }
struct point { double a, b; };
static point turned(point p) { return {p.b * p.a, -p.a}; }
static point doubled(point p) { return {2 * p.a, p.b * p.b}; }
static double &first(double *p) { return p[0]; }
static double &second(double *p) { return p[1]; }
static void scale(double *p, double by) { p[0] *= by; }
static void shift(double *p, double by) { p[1] += by * p[0]; }
static double (*const table[])(double) = {twice, square_of, cube};
struct operation { const char *name; double (*f)(double); double weight; };
static const operation operations[] = {{"twice", twice, 2}, {"square", &square_of, 0.5}};
CASE(branch) {
    double (*f)(double) = twice;
    if (n > 1) f = square_of;
    if (n > 2) f = cube;
    return f(x[0]) * f(x[1] + x[2]);
}
CASE(conditional) {
    return (n % 2 ? square_of : cube)(x[0] * x[1]) + (n > 2 ? &twice : &cube)(x[2]);
}
CASE(local_table) {
    double (*const each[])(double) = {twice, square_of, cube};
    double s = 0;
    for (int i = 0; i < 5; i++) s += each[(i + n) % 3](x[i]) * x[i + 1];
    return s;
}
CASE(file_table) {
    double s = x[0];
    for (int i = 0; i < 4; i++) s = table[(i * n) % 3](s * x[i]) + x[5];
    return s;
}
CASE(table_of_structs) {
    double s = 0;
    for (int i = 0; i < 2; i++) s += operations[i].f(x[i]) * operations[(i + n) % 2].weight;
    const operation &o = operations[n % 2];
    return s * o.f(x[4]);
}
CASE(structs) {
    point (*f)(point) = n % 2 ? turned : doubled;
    point p = {x[0], x[1]};
    for (int i = 0; i < 2; i++) p = f(p);
    return p.a * p.b + p.a;
}
CASE(references) {
    double a[2] = {x[0], x[1]};
    double &(*f)(double *) = n > 2 ? first : second;
    f(a) *= x[2];
    return a[0] * a[0] + a[1] * x[3];
}
CASE(procedures) {
    double a[2] = {x[0], x[1]};
    void (*each[2])(double *, double) = {scale, shift};
    for (int i = 0; i < 4; i++) each[(i + n) % 2](a, x[2 + i]);
    return a[0] + a[1] * x[7];
}
static double integrate(double (*f)(double), double a, double b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += f(a + (b - a) * i / n);
    return s;
}
CASE(passed_on) {
    double (*f)(double) = n % 2 ? square_of : cube;
    return integrate(f, x[0], x[1], 3) + integrate(n > 2 ? f : twice, x[1], x[2], 2);
}
struct solver { double (*f)(double); double (*df)(double); double start; };
CASE(in_a_struct) {
    solver s = {square_of, twice, x[0]};
    if (n > 2) s.f = cube, s.df = nullptr;
    for (int i = 0; i < 2; i++) s.start += s.f(s.start) * x[1] + (s.df ? s.df(x[2]) : x[3]);
    return s.start;
}
CASE(same) {
    double (*f)(double) = n % 2 ? square_of : cube;
    return f == square_of ? x[0] * f(x[1]) : f(x[0]);
}
CASE(of_known_classes) {
    struct base {
        double k;
        explicit base(double k) : k(k) {}
        virtual ~base() {}
        virtual double f(double v) const { return v * k; }
    };
    struct other : base {
        double j;
        other(double k, double j) : base(k), j(j) {}
        double f(double v) const override { return v * v * j + k; }
    };
    base b(x[0]);
    other o(x[1], x[2]);
    const base *p = n % 2 ? &b : &o;
    double s = 0;
    for (int i = 0; i < 3; i++) {
        s += p->f(x[3 + i]) * s + x[6];
        if (i == n) p = &o;
    }
    return s;
}

static double turn(double v) { return std::sin(v); }
static double (*const rows[2][2])(double) = {{twice, square_of}, {cube, turn}};
struct row { double (*f[2])(double); double weight; };
static const row rows_in_structs[] = {{{twice, cube}, 2}, {{square_of, twice}, 0.5}};
CASE(table_of_tables) {
    double (*const own[2][2])(double) = {{cube, twice}, {square_of, twice}};
    double (*const *const of)(double) = rows[n % 2];
    double s = of[n / 2 % 2](x[0]) * rows[n / 2 % 2][n % 2](x[1]) + of[1](x[2]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) s += rows[i][(j + n) % 2](x[1] * x[3 + i]) * own[(i + n) % 2][j](x[5 + j]);
    return s;
}
CASE(table_in_structs) {
    row own[2] = {{{cube, square_of}, x[0]}, {{twice, cube}, x[1] * x[2]}};
    const row *p = &rows_in_structs[n % 2];
    double s = p->f[n / 2 % 2](x[3]) * p->weight;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            s += own[(i + n) % 2].f[j](x[4 + i]) * own[i].weight + rows_in_structs[j].f[(i + n) % 2](x[6 + j]);
    return s;
}
CASE(steps_on_steps) { /* one of several, of one of several */
    double a[2] = {x[0], x[0] * x[1]}, b[2] = {x[2], x[1] * x[1]};
    double *const of[2][2] = {{a, b}, {b, a}};
    point p = {x[3] * x[4], x[4] * x[4]};
    double *q = &p.a;
    for (int i = 0; i < 2; i++) q += i == n % 3;
    double *const *const r = of[n / 2 % 2];
    r[n % 2][1] *= x[5];
    return *q * r[n % 2][n / 2 % 2] + of[n % 2][n / 2 % 2][n % 2] * a[1];
}
static double (*picked(int n))(double) {
    if (n % 3 == 1) return cube;
    return n % 2 ? square_of : turn;
}
struct picks {
    int by;
    double (*of(int n) const)(double) { return rows[n / 2 % 2][(n + by) % 2]; }
};
CASE(returned) {
    const picks p = {1};
    return picked(n)(x[0]) * (*picked(n + 1))(x[1]) + picked(n + 2)(picked(n)(x[2])) + p.of(n)(x[3] * x[4]);
}
CASE(default_arguments) { /* those of the class that the call sees */
    struct base {
        double k;
        explicit base(double k) : k(k) {}
        virtual ~base() {}
        virtual double f(double v, double by = 2) const { return v * k * by; }
        virtual double operator()(double v, int times = 3) const { return v + times * k; }
    };
    struct other : base {
        explicit other(double k) : base(k) {}
        double f(double v, double by = 5) const override { return v * v * k + by * v; }
        double operator()(double v, int times) const override { return v * k * times; }
    };
    const base b(x[0]);
    const other o(x[1]);
    const base *const p = n % 2 ? &b : &o, &r = o;
    return p->f(x[2]) * o.f(x[3]) + (*p)(x[4]) * r(x[5]) + r.f(x[6]) * p->f(x[7], x[8]);
}
CASE(table_of_classes) { /* a list shows no conversions to the base */
    struct base {
        double k = 0.5;
        virtual ~base() {}
        virtual double f(double v) const { return v * k; }
    };
    struct middle : base {
        double j = 0.3;
        double f(double v) const override { return base::f(v) * v + j; }
    };
    struct last : middle {
        double i = 2;
        double f(double v) const override { return middle::f(v) * i + j * k; }
    };
    base b;
    middle m;
    last l;
    b.k = x[0], m.j = x[1], l.i = x[2], l.j = x[3], l.k = x[4];
    const base *const of[] = {&b, &m, &l};
    const struct { const base *p; const base &r; double w; } pairs[] = {{&l, m, 2}, {&m, l, x[5]}};
    const double s = pairs[n % 2].p->f(x[8]) * pairs[n % 2].r.f(x[9]) * pairs[1].w;
    return of[n % 3]->f(x[6]) * of[(n + 1) % 3]->f(x[7]) + s;
}

/* From outside: the function may be none that this file shows. */
using function = double(double);
GW_GRADIENT("wrt v") GW_DERIVATIVE("wrt v") double given(function *f, double v, int n) {
    double s = 1;
    for (int i = 0; i < n; i++) s += f(v * i) * s;
    return f ? s * v : v;
}
GW_GRADIENT("wrt v") double given_in_a_struct(const operation *o, double v) { return o->f(v) * o[1].f(v); }

/* One of two as it is, not a copy of what it has of the base. */
struct valued {
    double k;
    explicit valued(double v) : k(v) {}
    virtual double at(double v) const { return k * v; }
};
struct bent : valued {
    double by;
    bent(double v, double b) : valued(v), by(b) {}
    double at(double v) const override { return by * v * v + k; }
};
static double read(const valued &of, double v) { return of.at(v) * of.k; }
CASE(one_of_two_classes) {
    valued f(x[0]);
    bent g(x[1], x[2]), h(x[3], x[4]);
    double s = read(x[5] > 0.5 ? f : static_cast<valued &>(g), x[6]);
    s += (n > 2 ? static_cast<valued &>(h) : static_cast<valued &>(g)).at(x[7]) * read(n > 1 ? h : g, s);
    valued &r = n > 3 ? f : static_cast<valued &>(h);
    r.k *= x[8];
    (n > 0 ? static_cast<valued &>(g) : f).k += r.at(x[9]);
    const valued sliced = n > 1 ? f : static_cast<valued &>(h);
    return s + f.k * g.k + h.k * sliced.at(x[0]);
}

/* Objects whose class nobody knows: what derives from it is behind the same pointer. */
struct shape {
    double scale = 1;
    virtual ~shape() {}
    virtual double area(double v) const = 0;
    virtual double both(double v) const { return area(v) * area(2 * v) * scale; }
    virtual void grow(double by) { scale *= by; }
};
struct circle : shape {
    double r = 1;
    double area(double v) const override { return r * r * v * scale; }
};
class square : public shape {
    double side;

  public:
    explicit square(double side) : side(side) {}
    double area(double v) const override { return side * std::sin(v); }
    double both(double v) const override { return v * side; }
    void grow(double by) override { shape::grow(by), side += by * scale; }
    double &open() { return side; }
};
struct ring : circle {
    double inner[2] = {0.2, 0.3};
    double area(double v) const override { return circle::area(v) - inner[0] * inner[1] * v; }
};
struct weighted {
    double weight = 2;
    virtual ~weighted() {}
    virtual double w() const { return weight; }
};
struct heavy : weighted, shape {
    double k = 3;
    double area(double v) const override { return k * v * w() * scale; }
};
struct heavier : heavy {
    double m = 0.5;
    double w() const override { return weight * k * m; }
};
struct drawing {
    const shape *all[3];
    double v;
};
#define FORMS(of) GW_GRADIENT(of) GW_DERIVATIVE(of) GW_SPLIT_GRADIENT(of)
FORMS("wrt s, v") double seen(const shape &s, double v, int n) {
    double t = 0.1;
    for (int i = 0; i < n; i++) t += s.area(v * i) * s.both(v) * t + s.scale * v;
    return t * t;
}
FORMS("s wrt s, v") void grown(shape *s, const double *v, int n) {
    for (int i = 0; i < n; i++) s->grow(v[i]);
    s->scale *= s->area(v[0]);
}
FORMS("wrt d") double drawn(const drawing &d, int n) {
    double t = d.v;
    for (int i = 0; i < n; i++) t += d.all[i]->both(d.v) * t;
    const shape *p = n % 2 ? d.all[0] : d.all[1];
    return t + p->area(t);
}
FORMS("wrt w, v") double of_second_base(const weighted &w, double v, int) {
    return w.w() * v * w.weight;
}
FORMS("wrt s, v") double cast_down(const shape &s, double v, int n) {
    if (n > 1) return static_cast<const circle &>(s).r * s.area(v) * s.scale;
    return static_cast<const circle *>(&s)->both(v) * v;
}
template <class D> struct known {
    double w = 1;
    double first() const { return static_cast<const D *>(this)->at(0) * w; }
};
struct knows : known<knows> {
    double x[2] = {0.3, 0.6};
    double at(int i) const { return x[i] * w * x[1]; }
};
GW_GRADIENT("wrt of, v") double only_a_base(const known<knows> &of, double v) { return v * of.first(); }

#include "dispatch.grad.hpp"

static void close(const char *name, double got, double wanted) {
    if (std::fabs(got - wanted) < 1e-6 * (1 + std::fabs(wanted))) return;
    std::printf("%s: %.10g, not %.10g\n", name, got, wanted);
    language_failures++;
}

template <class F> static double slope(double &cell, F f) {
    const double h = 1e-5, keep = cell;
    cell = keep + h;
    const double above = f();
    cell = keep - h;
    const double below = f();
    cell = keep;
    return (above - below) / (2 * h);
}

/* All forms of a function of an object and a number; cells of the object, and those of its adjoints. */
template <class S, class F, class G, class J, class W, class B, class... C>
static void check_all(const char *name, S &s, F f, G gradient, J forward, W first, B second, C... cells) {
    double v = 0.7;
    for (int n = 0; n < 4; n++) {
        S d_s = s, d_halves = s, t_s = s;
        double d_v = 0, d_v_halves = 0, t = 0, result, dot = 0;
        for (auto cell : {cells...}) cell(d_s) = 0, cell(d_halves) = 0, cell(t_s) = 0.5 + cell(s);
        gradient(s, v, n, &d_s, &d_v);
        gw_host_tape tape = GW_HOST_TAPE;
        if (first(s, v, n, &result, &tape) || second(s, v, n, 1, &d_halves, &d_v_halves, &tape)) std::exit(3);
        gw_host_tape_free(&tape);
        const auto all = [&] { return f(s, v, n); };
        for (auto cell : {cells...}) {
            close(name, cell(d_s), slope(cell(s), all));
            close(name, cell(d_halves), cell(d_s));
            dot += cell(d_s) * cell(t_s);
        }
        close(name, d_v, slope(v, all));
        close(name, d_v_halves, d_v);
        close(name, result, all());
        close(name, forward(s, v, n, &t_s, 0.25, &t), all());
        close(name, t, dot + 0.25 * d_v);
    }
}
#define CHECK_ALL(f, s, ...)                                                                                   \
    check_all(                                                                                                 \
        #f, s, [](auto &o, double v, int n) { return f(o, v, n); },                                            \
        [](auto &o, double v, int n, auto *d_s, double *d_v) { (void)f##_grad(o, v, n, d_s, d_v); },           \
        [](auto &o, double v, int n, auto *t_s, double t_v, double *t) {                                       \
            return f##_jvp(o, v, n, t_s, t_v, t);                                                              \
        },                                                                                                     \
        [](auto &o, double v, int n, double *r, gw_host_tape *tape) { return f##_fwd(o, v, n, r, tape); },     \
        [](auto &o, double v, int n, double d, auto *d_s, double *d_v, gw_host_tape *tape) {                   \
            return f##_bwd(o, v, n, d, d_s, d_v, tape);                                                        \
        },                                                                                                     \
        __VA_ARGS__)

static void check_objects() {
    circle c;
    c.r = 0.7, c.scale = 1.3;
    typedef double &(*circle_cell)(circle &);
    const circle_cell of_circle[] = {[](circle &s) -> double & { return s.r; },
                                     [](circle &s) -> double & { return s.scale; }};
    CHECK_ALL(seen, c, of_circle[0], of_circle[1]);
    square q(0.4);
    q.scale = 0.9;
    typedef double &(*square_cell)(square &);
    const square_cell of_square[] = {[](square &s) -> double & { return s.open(); },
                                     [](square &s) -> double & { return s.scale; }};
    CHECK_ALL(seen, q, of_square[0], of_square[1]);
    ring w;
    w.r = 0.6, w.scale = 1.1;
    typedef double &(*ring_cell)(ring &);
    const ring_cell of_ring[] = {
        [](ring &s) -> double & { return s.r; }, [](ring &s) -> double & { return s.scale; },
        [](ring &s) -> double & { return s.inner[0]; }, [](ring &s) -> double & { return s.inner[1]; }};
    CHECK_ALL(seen, w, of_ring[0], of_ring[1], of_ring[2], of_ring[3]);
    CHECK_ALL(cast_down, w, of_ring[0], of_ring[1], of_ring[2], of_ring[3]);
    heavier h;
    typedef double &(*heavy_cell)(heavier &);
    const heavy_cell of_heavy[] = {[](heavier &s) -> double & { return s.weight; },
                                   [](heavier &s) -> double & { return s.scale; },
                                   [](heavier &s) -> double & { return s.k; },
                                   [](heavier &s) -> double & { return s.m; }};
    CHECK_ALL(seen, h, of_heavy[0], of_heavy[1], of_heavy[2], of_heavy[3]);
    CHECK_ALL(of_second_base, h, of_heavy[0], of_heavy[1], of_heavy[2], of_heavy[3]);
}

static void check_grown() {
    square q(0.4), d(0.3), halves(0.3), t(1);
    double v[3] = {0.5, 1.5, -0.7}, d_v[3] = {}, d_halves[3] = {}, t_v[3] = {1, -2, 0.5};
    q.scale = 1.2, d.scale = halves.scale = 0.7, t.scale = -1;
    const auto all = [&] {
        square w = q;
        grown(&w, v, 3);
        return w.scale * 0.7 + w.open() * 0.3;
    };
    (void)grown_grad(&q, v, 3, &d, d_v);
    gw_host_tape tape = GW_HOST_TAPE;
    square w = q;
    if (grown_fwd(&w, v, 3, &tape) || grown_bwd(&w, v, 3, &halves, d_halves, &tape)) std::exit(4);
    gw_host_tape_free(&tape);
    double dot = d.scale * t.scale + d.open() * t.open();
    close("grown scale", d.scale, slope(q.scale, all)), close("grown side", d.open(), slope(q.open(), all));
    close("grown halves", halves.scale, d.scale), close("grown halves", halves.open(), d.open());
    for (int i = 0; i < 3; i++) {
        close("grown v", d_v[i], slope(v[i], all)), close("grown halves", d_halves[i], d_v[i]);
        dot += d_v[i] * t_v[i];
    }
    square moved = q;
    grown_jvp(&moved, v, 3, &t, t_v);
    close("grown forward", t.scale * 0.7 + t.open() * 0.3, dot);
}

static void check_drawn() {
    circle c, d_c;
    ring w, d_w;
    square q(0.4), d_q(0);
    c.r = 0.7, w.r = 0.6, w.scale = 1.1;
    drawing d{{&c, &q, &w}, 0.3};
    for (int n = 0; n < 4; n++) {
        d_c.r = d_c.scale = d_w.r = d_w.scale = d_w.inner[0] = d_w.inner[1] = d_q.scale = d_q.open() = 0;
        drawing d_d{{&d_c, &d_q, &d_w}, 0};
        (void)drawn_grad(d, n, &d_d);
        const auto all = [&] { return drawn(d, n); };
        close("drawn c", d_c.r, slope(c.r, all)), close("drawn q", d_q.open(), slope(q.open(), all));
        close("drawn w", d_w.r, slope(w.r, all)), close("drawn w", d_w.inner[1], slope(w.inner[1], all));
        close("drawn v", d_d.v, slope(d.v, all));
    }
    knows k, d_k;
    double v = 0.7, d_v = 0;
    d_k.w = d_k.x[0] = d_k.x[1] = 0;
    only_a_base_grad(k, v, &d_k, &d_v);
    const auto all = [&] { return only_a_base(k, v); };
    close("known w", d_k.w, slope(k.w, all)), close("known x", d_k.x[1], slope(k.x[1], all));
}

static void check_given() {
    function *const all[] = {twice, square_of, cube, nullptr};
    for (function *f : all)
        for (int n = 0; n < (f ? 4 : 1); n++) {
            double v = 0.6, d_v = 0, t = 0;
            given_grad(f, v, n, &d_v);
            close("given", d_v, slope(v, [&] { return given(f, v, n); }));
            given_jvp(f, v, n, 1, &t);
            close("given forward", t, d_v);
        }
    const operation two[] = {{"", cube, 0}, {"", square_of, 0}};
    double v = 0.6, d_v = 0;
    given_in_a_struct_grad(two, v, &d_v);
    close("given in a struct", d_v, slope(v, [&] { return given_in_a_struct(two, v); }));
}

/* Ends by abort(). */
template <class F> static void ends(const char *name, F f) {
    const pid_t child = fork();
    int status = 0;
    if (!child) {
        std::freopen("/dev/null", "w", stderr);
        f();
        _exit(0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) return;
    std::printf("%s does not end\n", name);
    language_failures++;
}

int main() {
    CHECK(branch);
    CHECK(conditional);
    CHECK(local_table);
    CHECK(file_table);
    CHECK(table_of_structs);
    CHECK(structs);
    CHECK(references);
    CHECK(procedures);
    CHECK(passed_on);
    CHECK(in_a_struct);
    CHECK(same);
    CHECK(of_known_classes);
    CHECK(table_of_tables);
    CHECK(table_in_structs);
    CHECK(steps_on_steps);
    CHECK(returned);
    CHECK(default_arguments);
    CHECK(table_of_classes);
    CHECK(one_of_two_classes);
    check_given();
    check_objects();
    check_grown();
    check_drawn();
    struct stranger : shape {
        double area(double v) const override { return v; }
    } stranger, d_stranger;
    circle c;
    square q(1);
    double d_v = 0;
    ends("an unknown class", [&] { (void)seen_grad(stranger, 1, 2, &d_stranger, &d_v); });
    ends("an adjoint of another class", [&] { (void)seen_grad(c, 1, 2, &q, &d_v); });
    ends("an unknown function", [&] { given_grad([](double v) { return v; }, 1, 2, &d_v); });
    ends("an unknown function, forward", [&] { given_jvp([](double v) { return v; }, 1, 2, 1, &d_v); });
    return language_report();
}
