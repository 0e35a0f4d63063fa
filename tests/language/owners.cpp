// Classes that hold memory, as parameters: vectors in structs, and arrays of their own with a destructor.
#include "language.h"

#include <cstdlib>
#include <deque>
#include <vector>

/* An array of its own, as one writes it by hand. */
class owner {
  public:
    double *p;
    int n;
    explicit owner(int m) : p(new double[m]), n(m) {
        for (int i = 0; i < n; i++) p[i] = 0;
    }
    owner(const owner &o) : p(new double[o.n]), n(o.n) {
        for (int i = 0; i < n; i++) p[i] = o.p[i];
    }
    owner &operator=(const owner &o) {
        for (int i = 0; i < n; i++) p[i] = o.p[i];
        return *this;
    }
    virtual ~owner() { delete[] p; }
    double &operator[](int i) { return p[i]; }
    double operator[](int i) const { return p[i]; }
    int size() const { return n; }
    GW_GRADIENT("wrt self") double norm() const {
        double s = 0;
        for (int i = 0; i < n; i++) s += p[i] * p[i];
        return std::sqrt(s);
    }
};

struct layer {
    std::vector<double> w, b;
    double scale;
    double at(const double *x, int i) const { return std::tanh(w[i] * x[i] + b[i]); }
};
struct named {
    std::vector<float> rates;
};
struct net : named {
    layer first;
    std::vector<layer *> others; /* nobody looks at them */
    owner last;
    explicit net(int n) : first{std::vector<double>(n), std::vector<double>(n), 0}, last(n) {}
};
struct pair_of {
    double a, b;
};
struct cloud {
    std::vector<pair_of> points;
    std::vector<int> index;
};

class closed {
    double k = 1.5;
    std::vector<double> v;

  public:
    explicit closed(int m) : v(m, 0.5) {}
    double &operator[](int i) { return v[i]; }
    double sum() const {
        double t = 0;
        for (std::size_t i = 0; i < v.size(); i++) t += v[i] * v[i] * k;
        return t * t;
    }
};

GW_GRADIENT("wrt v") double of_closed(const closed &v) { return v.sum(); }
GW_GRADIENT("wrt v") GW_DERIVATIVE("wrt v") double product(const owner &v) {
    return v[0] * v[1] * v[v.size() - 1];
}
GW_GRADIENT("wrt x") double with_inactive(const owner &v, const layer &m, double x) {
    return v[0] * x * x + m.at(&x, 0) * (double)m.w.size();
}
GW_GRADIENT("v wrt v, x") void scaled(owner &v, const double *x) {
    for (int i = 0; i < v.size(); i++) v[i] = v[i] * v[i] * x[i];
}
GW_GRADIENT("wrt m, x") GW_DERIVATIVE("wrt m, x") double run(const layer &m, const double *x) {
    double s = 0;
    for (std::size_t i = 0; i < m.w.size(); i++) s += m.at(x, (int)i) * m.scale;
    for (double b : m.b) s += b * m.w.back();
    return s;
}
GW_GRADIENT("m wrt m, x") void step(layer &m, double x) {
    std::vector<double> old = m.w;
    for (std::size_t i = 0; i < m.w.size(); i++) m.w[i] = old[i] * m.b[i] * x;
    for (double &b : m.b) b *= b;
    m.scale *= old[0];
}
GW_GRADIENT("wrt c") double area(const cloud &c) {
    double s = 0;
    for (int i : c.index) s += c.points[i].a * c.points[i].b;
    for (const pair_of &p : c.points) s += p.a * p.a;
    return s;
}

/* Room that the function makes and gives back, as LULESH's Domain has it. */
template <class T> static T *room_for(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }
template <class T> static void give_back(T **p) {
    if (*p == nullptr) return;
    std::free(*p);
    *p = nullptr;
}
class mesh {
    double *m_room = nullptr, *m_other = nullptr;
    int m_threads = 1;

  public:
    std::vector<double> x;
    const double rate = 1.25;
    double limit = 0.5;
    mesh(int n, int threads) : m_threads(threads), x(n) {}
    void begin(int n) { m_room = room_for<double>(n), m_other = new double[n](); }
    void end() { give_back(&m_room), delete[] m_other, m_other = nullptr; }
    double &room(int i) { return m_room[i]; }
    double *other() { return m_other; }
    int threads() const { return m_threads; }
};
static void fill(mesh &d, int n) {
    for (int i = 0; i < n; i++) d.room(i) = d.x[i] * d.x[i] * d.rate;
    for (int i = 0; i < n; i++) d.other()[i] += d.room(i) * d.room(n - 1 - i);
}
GW_GRADIENT("d wrt d") GW_DERIVATIVE("d wrt d") GW_SPLIT_GRADIENT("d wrt d") void advance(mesh &d) {
    const int n = (int)d.x.size();
    double *parts, *never = nullptr, here[2];
    if (d.threads() > 1) parts = room_for<double>(2 * d.x.size());
    if (n > 0) {
        d.begin(n);
        fill(d, n);
        for (int i = 0; i < n; i++) {
            double *to = here;
            if (d.threads() > 1) to = &parts[2 * i];
            to[0] = d.other()[i] * d.limit, to[1] = d.room(i);
            if (d.threads() == 1) d.x[i] = to[0] + to[1];
        }
        d.end();
    }
    if (d.threads() > 1) {
        for (int i = 0; i < n; i++) d.x[i] = parts[2 * i] + parts[2 * i + 1];
        give_back(&parts);
    }
    give_back(&never);
}

/* Vectors in vectors, in arrays and behind pointers. */
using rows = std::vector<std::vector<double>>;
struct dense {
    rows w;
    std::vector<double> b;
    double scale;
};
struct pair_of_nets {
    layer each[2];
    std::vector<dense> all;
};
GW_GRADIENT("c wrt c, a, b") GW_DERIVATIVE("c wrt c, a, b") GW_SPLIT_GRADIENT("c wrt c, a, b")
void multiply(rows &c, const rows &a, const rows &b) {
    for (std::size_t i = 0; i < a.size(); i++)
        for (std::size_t j = 0; j < b[0].size(); j++) {
            double s = c[i][j];
            for (std::size_t k = 0; k < b.size(); k++) s += a[i][k] * b[k].at(j);
            c[i][j] = std::tanh(s) * c[i][j];
        }
    for (std::vector<double> &row : c) {
        const std::vector<double> old = row;
        for (std::size_t j = 0; j < row.size(); j++) row[j] *= old.front() + old[row.size() - 1 - j];
        std::swap(row.front(), row.back());
    }
}
GW_GRADIENT("wrt net, x") GW_DERIVATIVE("wrt net, x")
double infer(const pair_of_nets *net, const double *x, int n) {
    double s = 0;
    for (const dense &d : net->all) {
        std::vector<double> next(d.w.size());
        for (std::size_t i = 0; i < d.w.size(); i++) {
            next[i] = d.b[i];
            for (std::size_t j = 0; j < d.w[i].size(); j++) next[i] += d.w[i][j] * x[j];
        }
        for (double v : next) s += std::tanh(v) * d.scale;
    }
    const layer &chosen = net->each[n % 2];
    const std::vector<double> &one = n > 1 ? chosen.w : net->each[0].b;
    for (double v : one) s += v * v * chosen.scale;
    return s * (double)one.size();
}

/* The parameter is a pointer: its own room, set in loops, and what is asked of vectors behind pointers. */
struct scratch {
    double *room;
};
GW_GRADIENT("wrt v, w") GW_DERIVATIVE("wrt v, w") GW_SPLIT_GRADIENT("wrt v, w")
double inner(scratch *p, const std::vector<double> *v, std::deque<double> w[2]) {
    double s = p->room ? std::sin(v->front()) * v->back() : 0;
    if (v->size() < 2) return s;
    p->room = new double[v->size()];
    for (std::size_t i = 0; i < v->size(); i++) p->room[i] = (*v)[i] * w[1].at(i);
    for (std::size_t i = 0; i < w->size(); i++) s += p->room[i] * w[0].at(i) * v->back();
    delete[] p->room;
    p->room = nullptr;
    return s;
}

#include "owners.grad.hpp"

static void close(const char *name, double got, double wanted) {
    if (std::fabs(got - wanted) < 1e-7 * (1 + std::fabs(wanted))) return;
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

static void check_mesh(int threads) {
    mesh d(3, threads), seed(3, threads), along(3, threads);
    for (int i = 0; i < 3; i++) d.x[i] = 0.5 + i, along.x[i] = 1 - i, seed.x[i] = 2 - i;
    seed.limit = 0.25, along.limit = 3;
    mesh d_d = seed, halves = seed;
    const auto all = [&] {
        mesh w = d;
        advance(w);
        double s = w.limit * seed.limit;
        for (int i = 0; i < 3; i++) s += w.x[i] * seed.x[i];
        return s;
    };
    double dot = 0, forward = 0;
    if (advance_grad(d, &d_d) != GW_OK) std::exit(3);
    for (int i = 0; i < 3; i++) close("mesh x", d_d.x[i], slope(d.x[i], all)), dot += d_d.x[i] * along.x[i];
    close("mesh limit", d_d.limit, slope(d.limit, all));
    dot += d_d.limit * along.limit;
    mesh t_d = along, moved = d, again = d;
    advance_jvp(moved, &t_d);
    for (int i = 0; i < 3; i++) forward += t_d.x[i] * seed.x[i];
    close("mesh forward", forward + t_d.limit * seed.limit, dot);
    gw_host_tape tape = GW_HOST_TAPE;
    if (advance_fwd(again, &tape) != GW_OK || advance_bwd(again, &halves, &tape) != GW_OK) std::exit(4);
    for (int i = 0; i < 3; i++) close("mesh halves", halves.x[i], d_d.x[i]);
    gw_host_tape_free(&tape);
}

static void zero(rows &m) {
    for (auto &row : m) row.assign(row.size(), 0);
}

static void check_rows() {
    rows a{{0.3, 0.2, -0.5}, {0.7, 0.1, 0.9}}, b{{0.4, -0.3}, {0.6, 0.8}, {-0.2, 0.5}};
    rows c{{1.1, 0.6}, {-0.4, 0.9}};
    const rows seed{{0.5, -1.5}, {2, 0.75}};
    const auto all = [&] {
        rows w = c;
        multiply(w, a, b);
        double s = 0;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) s += w[i][j] * seed[i][j];
        return s;
    };
    rows d_a = a, d_b = b, d_c = seed, half_a = a, half_b = b, half_c = seed, moved = c, again = c, t_c = c;
    for (rows *m : {&d_a, &d_b, &half_a, &half_b}) zero(*m);
    gw_host_tape tape = GW_HOST_TAPE;
    if (multiply_grad(c, a, b, d_c, d_a, d_b) != GW_OK) std::exit(5);
    if (multiply_fwd(moved, a, b, &tape) != GW_OK) std::exit(6);
    if (multiply_bwd(moved, a, b, half_c, half_a, half_b, &tape) != GW_OK) std::exit(7);
    gw_host_tape_free(&tape);
    double dot = 0, forward = 0;
    const auto one = [&](const char *name, rows &m, const rows &d_m, const rows &half) {
        for (std::size_t i = 0; i < m.size(); i++)
            for (std::size_t j = 0; j < m[i].size(); j++) {
                close(name, d_m[i][j], slope(m[i][j], all));
                close("rows' halves", half[i][j], d_m[i][j]);
                dot += d_m[i][j] * m[i][j];
            }
    };
    one("rows a", a, d_a, half_a), one("rows b", b, d_b, half_b), one("rows c", c, d_c, half_c);
    multiply_jvp(again, a, b, t_c, a, b);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) forward += t_c[i][j] * seed[i][j];
    close("rows forward", forward, dot);
}

static void check_nets() {
    pair_of_nets net{{{{0.3, 0.7}, {1.1, -0.2, 0.5}, 1.7}, {{0.9}, {}, 0.4}}, {}};
    net.all.push_back({{{0.2, 0.4}, {0.6, -0.3, 0.1}}, {0.3, -0.2}, 1.3});
    net.all.push_back({{{0.5}}, {0.1}, 0.7});
    double x[3] = {0.5, -0.4, 0.8}, t_x[3] = {1, 2, 3};
    for (int n = 0; n < 4; n++) {
        pair_of_nets d{{{{0, 0}, {0, 0, 0}, 0}, {{0}, {}, 0}}, {}};
        d.all.push_back({{{0, 0}, {0, 0, 0}}, {0, 0}, 0});
        d.all.push_back({{{0}}, {0}, 0});
        double d_x[3] = {}, dot = 0, t = 0;
        if (infer_grad(&net, x, n, &d, d_x) != GW_OK) std::exit(8);
        const auto one = [&](double &cell, double d_cell, double along) {
            close("nets", d_cell, slope(cell, [&] { return infer(&net, x, n); }));
            dot += d_cell * along;
        };
        for (int k = 0; k < 3; k++) one(x[k], d_x[k], t_x[k]);
        for (int k = 0; k < 2; k++) {
            layer &l = net.each[k], &d_l = d.each[k];
            for (std::size_t i = 0; i < l.w.size(); i++) one(l.w[i], d_l.w[i], l.w[i]);
            for (std::size_t i = 0; i < l.b.size(); i++) one(l.b[i], d_l.b[i], l.b[i]);
            one(l.scale, d_l.scale, l.scale);
            dense &m = net.all[k], &d_m = d.all[k];
            for (std::size_t i = 0; i < m.w.size(); i++) {
                for (std::size_t j = 0; j < m.w[i].size(); j++) one(m.w[i][j], d_m.w[i][j], m.w[i][j]);
                one(m.b[i], d_m.b[i], m.b[i]);
            }
            one(m.scale, d_m.scale, m.scale);
        }
        infer_jvp(&net, x, n, &net, t_x, &t);
        close("nets forward", t, dot);
    }
}

/* The first half and the jvp set the caller's pointer to null where the primal does, and nothing else does. */
static void check_inner(double *given, std::size_t n) {
    scratch p{given};
    std::vector<double> v{0.5, -1.5, 2};
    v.resize(n);
    std::deque<double> w[2] = {{1, 0.25, -0.5}, {3, 2, 0.75}};
    w[0].resize(n), w[1].resize(n);
    double t_v[3] = {1, -2, 3}, t_w[3] = {0.5, 4, -1}, d_v[3] = {}, d_w[2][3] = {}, dot = 0, t = 0;
    double half_v[3] = {}, half_w[2][3] = {}, result;
    double *to_v = d_v, *to_w[2] = {d_w[0], d_w[1]}, *along_v = t_v, *along_w[2] = {t_w, t_w};
    double *back_v = half_v, *back_w[2] = {half_w[0], half_w[1]};
    double *const left = n < 2 ? given : nullptr;
    if (inner_grad(&p, &v, w, &to_v, to_w) != GW_OK || p.room != given) std::exit(9);
    for (std::size_t i = 0; i < n; i++) {
        const auto all = [&] { return p.room = given, inner(&p, &v, w); };
        close("inner v", d_v[i], slope(v[i], all)), dot += d_v[i] * t_v[i];
        for (int k = 0; k < 2; k++)
            close("inner w", d_w[k][i], slope(w[k][i], all)), dot += d_w[k][i] * t_w[i];
    }
    p.room = given;
    inner_jvp(&p, &v, w, &along_v, along_w, &t);
    close("inner forward", t, dot);
    if (p.room != left) std::exit(13);
    p.room = given;
    gw_host_tape tape = GW_HOST_TAPE;
    if (inner_fwd(&p, &v, w, &result, &tape) != GW_OK || p.room != left) std::exit(14);
    if (inner_bwd(&p, &v, w, 1, &back_v, back_w, &tape) != GW_OK || p.room != left) std::exit(15);
    for (std::size_t i = 0; i < n; i++) close("inner halves", half_v[i], d_v[i]);
    gw_host_tape_free(&tape);
}

int main() {
    double cells[1] = {};
    for (std::size_t n : {1, 3}) check_inner(nullptr, n), check_inner(cells, n);
    check_rows();
    check_nets();
    const int n = 3;
    owner v(n), d_v(n), seed(n);
    layer m{{0.3, 0.7, -0.4}, {1.1, -0.2, 0.6}, 1.7}, d_m{std::vector<double>(n), std::vector<double>(n), 0};
    double x[n] = {0.9, 1.3, 0.5}, d_x[n] = {};
    for (int i = 0; i < n; i++) v[i] = 0.5 + i;
    product_grad(v, &d_v);
    for (int i = 0; i < n; i++) close("product", d_v[i], slope(v[i], [&] { return product(v); }));
    double t = 0, sum = 0;
    for (int i = 0; i < n; i++) seed[i] = 1 + i, sum += seed[i] * d_v[i];
    product_jvp(v, &seed, &t);
    close("product forward", t, sum);
    for (int i = 0; i < n; i++) d_v[i] = 0;
    owner_norm_grad(v, &d_v);
    for (int i = 0; i < n; i++) close("norm", d_v[i], slope(v[i], [&] { return v.norm(); }));
    closed shut(n), d_shut(n);
    for (int i = 0; i < n; i++) d_shut[i] = 0;
    of_closed_grad(shut, &d_shut);
    for (int i = 0; i < n; i++) close("closed", d_shut[i], slope(shut[i], [&] { return of_closed(shut); }));
    with_inactive_grad(v, m, x[0], d_x);
    close("with_inactive", d_x[0], slope(x[0], [&] { return with_inactive(v, m, x[0]); }));
    for (int i = 0; i < n; i++) d_x[i] = 0, d_v[i] = seed[i] = 1 + i;
    const auto after = [&](auto f) {
        owner w(v);
        f(w);
        double s = 0;
        for (int i = 0; i < n; i++) s += seed[i] * w[i];
        return s;
    };
    scaled_grad(v, x, &d_v, d_x);
    for (int i = 0; i < n; i++) {
        const auto all = [&] { return after([&](owner &w) { scaled(w, x); }); };
        close("scaled v", d_v[i], slope(v[i], all));
        close("scaled x", d_x[i], slope(x[i], all));
        d_x[i] = 0;
    }
    run_grad(m, x, &d_m, d_x);
    double dot = d_m.scale * 0.5;
    for (int i = 0; i < n; i++) {
        const auto all = [&] { return run(m, x); };
        close("run w", d_m.w[i], slope(m.w[i], all));
        close("run b", d_m.b[i], slope(m.b[i], all));
        close("run x", d_x[i], slope(x[i], all));
        dot += d_m.w[i] * (i + 1) - d_m.b[i] * i + d_x[i] * 2;
    }
    close("run scale", d_m.scale, slope(m.scale, [&] { return run(m, x); }));
    layer t_m{{1, 2, 3}, {0, -1, -2}, 0.5};
    const double t_x[n] = {2, 2, 2};
    t = 0;
    run_jvp(m, x, &t_m, t_x, &t);
    close("run forward", t, dot);
    const layer weights{{1, 2, 3}, {4, 5, 6}, 7};
    const auto stepped = [&] {
        layer k = m;
        step(k, x[0]);
        double s = k.scale * weights.scale;
        for (int i = 0; i < n; i++) s += k.w[i] * weights.w[i] + k.b[i] * weights.b[i];
        return s;
    };
    const layer before = m;
    d_m = weights, d_x[0] = 0;
    if (step_grad(m, x[0], &d_m, d_x) != GW_OK) return 2;
    for (int i = 0; i < n; i++) {
        close("step w", d_m.w[i], slope(m.w[i], stepped));
        close("step b", d_m.b[i], slope(m.b[i], stepped));
        close("step leaves", m.w[i] + m.b[i], before.w[i] + before.b[i]);
    }
    close("step scale", d_m.scale, slope(m.scale, stepped));
    close("step x", d_x[0], slope(x[0], stepped));
    cloud c{{{1, 2}, {3, 4}}, {1, 0, 1}}, d_c{{{}, {}}, {0, 0, 0}};
    area_grad(c, &d_c);
    for (int i = 0; i < 2; i++) {
        close("area a", d_c.points[i].a, slope(c.points[i].a, [&] { return area(c); }));
        close("area b", d_c.points[i].b, slope(c.points[i].b, [&] { return area(c); }));
    }
    for (int threads = 1; threads < 3; threads++) check_mesh(threads);
    return language_report();
}
