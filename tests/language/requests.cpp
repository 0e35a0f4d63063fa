// What a request may be about: several on one function, overloads, members, templates, functions in namespaces.
#include "language.h"

static void near(const char *what, double got, double wanted) {
    if (std::fabs(got - wanted) <= 1e-9 * (1 + std::fabs(wanted))) return;
    std::printf("%s is %.15g, not %.15g\n", what, got, wanted);
    language_failures++;
}
#define NEAR(got, wanted) near(#got, got, wanted)


namespace ns { namespace deep {
GW_GRADIENT("wrt x")
GW_GRADIENT("f_both = wrt x, y") GW_GRADIENT("f_y = wrt y")
    GW_DERIVATIVE("f_along = wrt x") double f(double x, double y) {
    return x * x * y;
}
GW_GRADIENT("wrt x") float f(float x, int n) { return x * x * (float)n; }
inline namespace v2 {
GW_GRADIENT("wrt x") double half(double x) { return x * x / 2; }
}
}}
static double caller(double x, double y) { return ns::deep::f(x, y) * ns::deep::f(y, x); }
GW_GRADIENT("wrt x, y") double calls(double x, double y) { return caller(x, y); }

namespace {
struct vec { double x, y; };
[[maybe_unused]] GW_GRADIENT("wrt v") double square_of(vec v) { return v.x * v.x + v.y * v.y; }
}
[[maybe_unused]] GW_GRADIENT("wrt x") static double internal(double x) { return x * x * x; }
extern "C" {
GW_GRADIENT("wrt x") double with_c_linkage(double x) { return x * x; }
}

struct model {
    double k, b, seen;
    GW_GRADIENT("wrt x, k") GW_GRADIENT("model_self = wrt self") double energy(double x) const {
        return k * x * x + b;
    }
    GW_GRADIENT("energy_of_k = wrt this") double energy(double x, int n) const { return k * x * n; }
    GW_GRADIENT("seen wrt x, k") void observe(double x) { seen = k * x * x; }
    GW_GRADIENT("wrt x") static double half(double x) { return x * x / 2; }
    GW_GRADIENT("model_plus = wrt x") double operator+(double x) const { return k + x * x; }
    GW_DERIVATIVE("wrt x, k") double cube(double x) const { return k * x * x * x; }
    struct inner {
        double q;
        GW_GRADIENT("wrt q") double square() const { return q * q; }
    };
};

class hidden {
    double k;
    friend void hidden_at_grad(const hidden &, double, double *);
    friend void hidden_at_pullback(const hidden &, double, double, double *);

  public:
    explicit hidden(double v) : k(v) {}
    GW_GRADIENT("wrt x") double at(double x) const { return k * x * x; }
};

template <class T, int N = 3> GW_GRADIENT("wrt x, y") T dot(const T *x, T y) {
    T s = 0;
    for (int i = 0; i < N; i++) s += x[i] * y;
    if constexpr (N > 3) s *= 2;
    return s;
}
template <class T> struct line {
    T slope;
    GW_GRADIENT("wrt x, slope") T at(T x) const { return slope * x * x; }
};
/* A functor of ceres, and one whose arguments are of two types. */
struct cost {
    double k;
    template <class T> GW_GRADIENT("made = r wrt x, k") bool operator()(const T *const x, T *r) const {
        if (x[1] < T(0)) return false;
        r[0] = x[0] * std::sin(x[1]) * k;
        return true;
    }
    template <class T, class U> GW_GRADIENT("wrt x, y") T both(const T *x, U *y) const {
        return x[0] * x[1] * y[0];
    }
};
enum class mode { linear, square };
template <mode m, bool twice> GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") auto by_mode(double x) {
    if constexpr (m == mode::square) return twice ? 2 * x * x : x * x;
    else return 3 * x;
}
template <class T> GW_GRADIENT("y wrt x") void cube(T *y, const T &x) { *y = x * x * x; }
template <class V> GW_GRADIENT("wrt v") double length(const V &v) { return v.x * v.x + v.y * v.y; }
// Is instantiated by another template only.
template <int N> GW_GRADIENT("wrt x") double deep_power(double x) {
    double p = 1;
    for (int i = 0; i < N; i++) p *= x;
    return p;
}
// One instantiation needs a tape, or memory for an array, another does not: all say how they went.
template <int N> GW_GRADIENT("wrt x") double taped(double x, int n) {
    if constexpr (N == 1) return x * x;
    for (int i = 0; i < n; i++) x = x * x * std::sin(x);
    return x;
}
#ifdef __clang__
#pragma clang diagnostic ignored "-Wvla-cxx-extension"
#endif
template <int N> GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x") void sized(double *y, const double *x, int n) {
    if constexpr (N == 1) {
        *y = x[0] * x[1];
    } else {
        double part[n];
        for (int i = 0; i < n; i++) part[i] = x[i] * (i ? part[i - 1] : N);
        *y = part[n - 1];
    }
}
// Adjoints that are tables of pointers, and structs that hold pointers.
struct rows_and_weights {
    const double *const *rows;
    double weight;
};
template <class T, int N> GW_GRADIENT("wrt rows") GW_DERIVATIVE("wrt rows") T of_rows(const T *const *rows) {
    T sum = 0;
    for (int i = 0; i < N; i++) sum += rows[i][0] * rows[i][1];
    return sum;
}
template <int N> GW_GRADIENT("wrt d.rows, d.weight") double of_held(rows_and_weights d) {
    return of_rows<double, N>(d.rows) * d.weight;
}
template <class T, int N> GW_GRADIENT("wrt rows") GW_DERIVATIVE("wrt rows") T of_threes(const T (*rows)[3]) {
    T sum = 0;
    for (int i = 0; i < N; i++) sum += rows[i][0] * rows[i][2];
    return sum;
}
template <int N> double through(double x) { return deep_power<N>(x); }

// Nobody calls these: they are instantiated explicitly.
namespace explicitly {
struct pair { double a, b; };
template <int N> GW_GRADIENT("wrt x") double times(double x) { return N * x * x; }
template double times<3>(double);
template double times<4>(double x);
template <class T> GW_GRADIENT("wrt x") T mixed(T x, const pair &p, T (&w)[2]) { return x * x * (T)p.a * w[1]; }
template float mixed(float, const pair &,
                     float (&)[2]);
template <class T, class U> struct box {
    U v;
    GW_GRADIENT("wrt x") GW_DERIVATIVE("wrt x") T scaled(T x) const { return v * x * x; }
    GW_GRADIENT("wrt x") static T half(T x) { return x * x / 2; }
};
template struct box<double, int>;
}
template double explicitly::times<5>(double);
template float explicitly::box<float, double>::half(float);

#include "requests.grad.hpp"
#include "requests.grad.hpp"

static void several() {
    double d_x = 0, d_y = 0;
    ns::deep::f_grad(3.0, 5.0, &d_x);
    NEAR(d_x, 30);
    d_x = 0;
    ns::deep::f_both(3.0, 5.0, &d_x, &d_y);
    NEAR(d_x, 30);
    NEAR(d_y, 9);
    d_y = 0;
    ns::deep::f_y_pullback(3.0, 5.0, 2.0, &d_y);
    NEAR(d_y, 18);
    double tangent = 0;
    NEAR(ns::deep::f_along(3.0, 5.0, 2.0, &tangent), 45);
    NEAR(tangent, 60);
    float d_f = 0;
    ns::deep::f_grad(3.0f, 4, &d_f);
    NEAR(d_f, 24);
    d_x = d_y = 0;
    ns::deep::half_grad(7, &d_x);
    NEAR(d_x, 7);
    d_x = d_y = 0;
    calls_grad(2, 3, &d_x, &d_y);
    NEAR(d_x, 3 * 2 * 2 * 27);
    NEAR(d_y, 3 * 3 * 3 * 8);
}

static void linkage() {
    const vec v = {1, 2};
    vec d_v = {0, 0};
    square_of_grad(v, &d_v);
    NEAR(d_v.x, 2);
    NEAR(d_v.y, 4);
    double d_x = 0;
    internal_grad(2, &d_x);
    NEAR(d_x, 12);
    with_c_linkage_grad(3, &d_x);
    NEAR(d_x, 18);
}

static void members() {
    model m = {2, 1, 0}, d_m = {0, 0, 0};
    double d_x = 0, tangent = 0;
    model_energy_grad(m, 3, &d_m, &d_x);
    NEAR(d_x, 12);
    NEAR(d_m.k, 9);
    NEAR(d_m.b, 0);
    d_m = {0, 0, 0};
    model_self(m, 3, &d_m);
    NEAR(d_m.k, 9);
    NEAR(d_m.b, 1);
    d_m = {0, 0, 0};
    energy_of_k(m, 3, 4, &d_m);
    NEAR(d_m.k, 12);
    d_m = {0, 0, 10}, d_x = 0;
    model_observe_grad(m, 3, &d_m, &d_x);
    NEAR(d_m.k, 90);
    NEAR(d_m.seen, 0);
    NEAR(d_x, 120);
    d_x = 0;
    model_half_grad(3, &d_x);
    NEAR(d_x, 3);
    model_plus(m, 3, &d_x);
    NEAR(d_x, 9);
    const model t_m = {1, 0, 0};
    NEAR(model_cube_jvp(m, 2, &t_m, 1, &tangent), 16);
    NEAR(tangent, 24 + 8);
    const model::inner in = {4};
    model::inner d_in = {0};
    model_inner_square_grad(in, &d_in);
    NEAR(d_in.q, 8);
    d_x = 0;
    hidden_at_grad(hidden(3), 2, &d_x);
    NEAR(d_x, 12);
}

static void rows() {
    const double a[2] = {2, 3}, b[2] = {5, 7}, *table[2] = {a, b};
    double d_a[2] = {0, 0}, d_b[2] = {0, 0}, *d_table[2] = {d_a, d_b};
    NEAR((of_rows<double, 2>(table)), 41);
    of_rows_grad<double, 2>(table, d_table);
    NEAR(d_a[1], 2);
    NEAR(d_b[0], 7);
    double tangent = 0;
    NEAR((of_rows_jvp<double, 2>(table, d_table, &tangent)), 41);
    NEAR(tangent, 87);
    rows_and_weights held = {table, 2}, d_held = {d_table, 0};
    NEAR(of_held<2>(held), 82);
    of_held_grad<2>(held, &d_held);
    NEAR(d_held.weight, 41);
    const double threes[2][3] = {{2, 3, 5}, {7, 11, 13}}, t_threes[2][3] = {{1, 3, 0}, {0, 0, 1}};
    double d_threes[2][3] = {};
    NEAR((of_threes<double, 2>(threes)), 101);
    of_threes_grad<double, 2>(threes, d_threes);
    NEAR(d_threes[1][0], 13);
    NEAR((of_threes_jvp<double, 2>(threes, t_threes, &tangent)), 101);
    NEAR(tangent, 5 + 7);
    NEAR(d_a[1], 2 + 4);
}

static void explicit_instantiations() {
    double d_x = 0;
    explicitly::times_grad<3>(2, &d_x);
    explicitly::times_grad<4>(2, &d_x);
    explicitly::times_grad<5>(2, &d_x);
    NEAR(d_x, 48);
    float weights[2] = {1, 3}, d_f = 0;
    explicitly::mixed_grad(2.0f, explicitly::pair{5, 7}, weights, &d_f);
    NEAR(d_f, 60);
    d_x = 0;
    double tangent = 0;
    const explicitly::box<double, int> b = {3};
    explicitly::box_scaled_grad(b, 2.0, &d_x);
    NEAR(d_x, 12);
    NEAR(explicitly::box_scaled_jvp(b, 2.0, 1.0, &tangent), 12);
    NEAR(tangent, 12);
}

static void siblings() {
    double slope[2] = {0, 0}, y = 0, t_y = 0, seed = 1;
    const double two[2] = {3, 5}, along[2] = {1, 1}, h = 1e-4;
    NEAR(taped_grad<1>(3, 2, &slope[0]), GW_OK);
    NEAR(taped<1>(3, 2), 9);
    NEAR(slope[0], 6);
    NEAR(taped_grad<2>(0.9, 2, &slope[1]), GW_OK);
    const double near_by = taped<2>(0.9 + h, 2) - taped<2>(0.9 - h, 2);
    const double farther = taped<2>(0.9 + 2 * h, 2) - taped<2>(0.9 - 2 * h, 2);
    NEAR(slope[1], (8 * near_by - farther) / (12 * h));
    sized<1>(&y, two, 2);
    sized<2>(&y, two, 2);
    for (int k = 1; k <= 2; k++) {
        double d_two[2] = {0, 0};
        seed = 1;
        NEAR(k == 2 ? sized_grad<2>(&y, two, 2, &seed, d_two) : sized_grad<1>(&y, two, 2, &seed, d_two), GW_OK);
        NEAR(d_two[0], k * 5);
        NEAR(d_two[1], k * 3);
        NEAR(k == 2 ? sized_jvp<2>(&y, two, 2, &t_y, along) : sized_jvp<1>(&y, two, 2, &t_y, along), GW_OK);
        NEAR(t_y, k * 8);
    }
}

static void templates() {
    double a[5] = {1, 2, 3, 4, 5}, d_a[5] = {0, 0, 0, 0, 0}, d_y = 0, d_x = 0;
    const double sum = dot(a, 2.0) + dot<double, 5>(a, 2.0) + by_mode<mode::square, true>(2) +
                       by_mode<mode::linear, false>(2) + through<4>(1) + line<float>{1}.at(2) +
                       line<double>{1}.at(2);
    NEAR(sum, 12 + 60 + 8 + 6 + 1 + 4 + 4);
    dot_grad(a, 2.0, d_a, &d_y);
    NEAR(d_a[2], 2);
    NEAR(d_a[4], 0);
    NEAR(d_y, 6);
    dot_grad<double, 5>(a, 2.0, d_a, &d_y);
    NEAR(d_a[4], 4);
    dot_pullback<double, 5>(a, 2.0, 10.0, d_a, &d_y);
    NEAR(d_a[4], 44);
    by_mode_grad<mode::square, true>(2, &d_x);
    NEAR(d_x, 8);
    by_mode_pullback<mode::linear, false>(2, 10, &d_x);
    NEAR(d_x, 38);
    double tangent = 0;
    NEAR((by_mode_jvp<mode::square, true>(3, 2, &tangent)), 18);
    NEAR(tangent, 24);
    d_x = 0;
    deep_power_grad<4>(2, &d_x);
    NEAR(d_x, 32);
    line<float> l = {3}, d_l = {0};
    float d_f = 0;
    line_at_grad(l, 2, &d_l, &d_f);
    NEAR(d_f, 12);
    NEAR(d_l.slope, 4);
    const cost functor = {3};
    cost d_functor = {0};
    double at[2] = {2, 0.5}, d_at[2] = {0, 0}, r = 0, d_r = 1;
    float scale = 3, d_scale = 0;
    if (!functor(at, &r)) language_failures++;
    made(functor, at, &r, &d_functor, d_at, &d_r);
    NEAR(d_at[1], 6 * std::cos(0.5));
    NEAR(d_functor.k, 2 * std::sin(0.5));
    NEAR(functor.both(at, &scale), 3);
    cost_both_grad(functor, at, &scale, d_at, &d_scale);
    NEAR(d_at[0], 3 * std::sin(0.5) + 1.5);
    NEAR(d_scale, 1);
    double y = 0, d_out = 1;
    cube(&y, 2.0);
    d_x = 0;
    cube_grad(&y, 2.0, &d_out, &d_x);
    NEAR(d_x, 12);
    NEAR(d_out, 0);
    const vec v = {1, 2};
    vec d_v = {0, 0};
    NEAR(length(v), 5);
    length_grad(v, &d_v);
    NEAR(d_v.y, 4);
}

int main() {
    several();
    linkage();
    members();
    templates();
    siblings();
    rows();
    explicit_instantiations();
    return language_report();
}
