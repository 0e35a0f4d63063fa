// Functions that end by throw, exit and abort: their derivatives end so, before an adjoint is touched.
#include "language.h"

#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace quant {
struct failed {
    int code;
    const char *text;
    failed(int c, const char *t) : code(c), text(t) {}
};
static double rate(double v) {
    if (v < 0) throw failed(3, "negative rate");
    return std::sqrt(v);
}
[[noreturn]] static void fail(const std::string &text) { throw std::domain_error(text); }
} // namespace quant

CASE(rates) {
    static const char *where = "x[2] = ";
    if (n > 4) throw std::invalid_argument("n");
    double s = x[0] > -9 ? quant::rate(x[1]) * x[0] : throw 3;
    if (x[2] < 0) quant::fail(where + std::to_string(x[2]));
    else if (x[2] > 1.26) s *= x[2];
    return s * x[3];
}
CASE(arrays) {
    std::vector<double> t(DOUBLES);
    for (int i = 0; i < DOUBLES; i++) {
        if (x[i] < 0) throw std::runtime_error("negative");
        t[i] = std::exp(x[i]);
    }
    double s = 0;
    for (int i = 0; i < DOUBLES; i++) {
        s = s * t[i] / 3 + x[i];
        if (s > 1e6) throw std::overflow_error("s" + std::to_string(i));
    }
    return s * t[n];
}
CASE(searched) {
    int k = 0;
    while (true) {
        if (x[0] * k > n) return x[0] * k * x[1];
        if (++k > 100) throw k;
    }
}
CASE(chosen) {
    double s = x[n];
    switch (n) {
    case 0: return s * s;
    case 1: s = std::sin(s); break;
    case 2:
    case 3:
    case 4: s *= x[0]; break;
    default: std::abort();
    }
    if (s > 1e3) exit(n + 40);
    return s * x[1];
}

/* A call whose value nobody needs may end. */
static double valid(const double *v, int n) {
    if (n > 40) throw std::domain_error("valid");
    return n <= 0 ? v[0] : valid(v, n - 1) * v[1];
}
CASE(unneeded) {
    (void)valid(x, n);
    return x[0] * x[1];
}
/* What stands behind a way out of each iteration is not computed before the loop. */
CASE(divided) {
    double s = 0;
    for (int k = 0; k < DOUBLES; k++) {
        if (n == 99) throw std::range_error("n");
        s += x[k] * (100 / (n - 99)) * x[n % DOUBLES];
    }
    return s;
}
/* Numbers are thrown as what they are, a class that others cannot name as another one. */
class closed {
    struct own {};

public:
    static double checked(double v) {
        if (v > 90) throw own();
        return v * v;
    }
};
CASE(numbers) {
    enum { FIRST = 7 };
    if (n == 50) throw (unsigned char)(FIRST + 1);
    if (n == 51) throw -2.5f;
    return closed::checked(x[0]) * x[1];
}
/* What is thrown behind noexcept is caught by nobody. */
static double positive(double v) noexcept { return quant::rate(v) * v; }
CASE(unexpected) { return positive(x[0]) * x[1]; }
/* Memory is freed before a way out of the loop, and behind it. */
CASE(freed_early) {
    double *t = new double[DOUBLES];
    for (int i = 0; i < DOUBLES; i++) {
        t[i] = x[i] * x[i];
        if (t[i] > 1e3) {
            delete[] t;
            throw std::range_error("too large");
        }
        if (t[i] > 50 + n) {
            delete[] t;
            return x[i] * x[0];
        }
    }
    const double s = t[0] * t[1] + t[n];
    delete[] t;
    return s;
}

/* at() asks whether the index is inside, also where nobody needs the value. */
CASE(inside) {
    const std::vector<double> v(x, x + 3);
    std::array<double, 4> a{x[0], x[1], x[2], x[3]};
    for (int i = 0; i + 1 < n; i++) a.at(i) *= a.at(i + 1);
    (void)v.at(n - 2 < 0 ? n + 1 : n - 2);
    return a[0] * v.at(n % 3) * a.at(3);
}
static double nth(const std::vector<double> &v, int n) noexcept { return v.at(n) * v[0]; }
CASE(inside_alone) { return nth({x[0], x[1] * x[1]}, n % 2 + n / 8); }

/* A function with a rule whose value nobody needs, one behind noexcept. */
static double ruled(double v) {
    if (v < 0) throw std::domain_error("ruled");
    return v * v;
}
GW_DERIVATIVE_OF("pullback of ruled") static void ruled_back(double v, double d_return, double *d_v) {
    *d_v += 2 * v * d_return;
}
CASE(ruled_unneeded) {
    ruled(x[0]);
    return ruled(x[2]) + x[1] * n;
}
static double behind(const double *v, int n) noexcept { return valid(v, n) * v[2]; }
CASE(behind_noexcept) { return behind(x, n) * x[0]; }

#include "ends.grad.hpp"

static double x[DOUBLES], d_x[DOUBLES];
static float y[FLOATS];

static void expect(bool good, const char *what) {
    if (good) return;
    std::printf("%s\n", what);
    language_failures++;
}

CASE(called_empty) {
    std::function<double(double)> f;
    if (n != 44) f = [=](double t) { return t * x[0]; };
    return f(x[1]) * x[2];
}

/* The gradient throws a T that is as wanted, and has not touched d_x. */
template <class T, class G, class W> static void throws(const char *what, G gradient, int n, W wanted) {
    for (int i = 0; i < DOUBLES; i++) d_x[i] = i;
    try {
        gradient(x, y, n);
        expect(false, what);
    } catch (const T &thrown) {
        expect(wanted(thrown), what);
    }
    for (int i = 0; i < DOUBLES; i++) expect(d_x[i] == i, what);
}

static int code_of(int n) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        if (n == 43) behind_noexcept_grad(x, y, n, d_x);
        if (n == 23) inside_alone_grad(x, y, n, d_x);
        if (n < 0) unexpected_grad(x, y, n, d_x);
        chosen_grad(x, y, n, d_x);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main() {
    CHECK(rates);
    CHECK(arrays);
    CHECK(searched);
    CHECK(chosen);
    CHECK(unneeded);
    CHECK(divided);
    CHECK(numbers);
    CHECK(unexpected);
    CHECK(freed_early);
    CHECK(inside);
    CHECK(inside_alone);
    CHECK(ruled_unneeded);
    CHECK(behind_noexcept);
    CHECK(called_empty);
    auto rates = [](auto a, auto b, int n) { rates_grad(a, b, n, d_x); };
    auto arrays = [](auto a, auto b, int n) { arrays_grad(a, b, n, d_x); };
    auto searched = [](auto a, auto b, int n) { searched_grad(a, b, n, d_x); };
    const auto is = [](const char *text) {
        return [=](const std::exception &e) { return std::string(e.what()) == text; };
    };
    for (double &v : x) v = 0.5;
    throws<std::invalid_argument>("n", rates, 5, is("n"));
    x[1] = -1;
    throws<quant::failed>("rate", rates, 0, [](auto e) { return e.code == 3 && e.text[0] == 'n'; });
    x[1] = 0.5, x[2] = -1;
    throws<std::domain_error>("fail", rates, 0, is("ends.cpp:23 throws"));
    throws<std::runtime_error>("negative", arrays, 0, is("negative"));
    x[0] = -10;
    throws<int>("literal", rates, 0, [](int e) { return e == 3; });
    throws<std::runtime_error>("variable", searched, 0, is("ends.cpp:51 throws"));
    for (double &v : x) v = 100;
    throws<std::overflow_error>("late", arrays, 0, is("ends.cpp:43 throws"));
    for (double &v : x) v = 0.5;
    auto unneeded = [](auto a, auto b, int n) { unneeded_grad(a, b, n, d_x); };
    auto divided = [](auto a, auto b, int n) { divided_grad(a, b, n, d_x); };
    auto numbers = [](auto a, auto b, int n) { numbers_grad(a, b, n, d_x); };
    throws<std::domain_error>("unneeded", unneeded, 41, is("valid"));
    throws<std::range_error>("divided", divided, 99, is("n"));
    throws<unsigned char>("byte", numbers, 50, [](unsigned char e) { return e == 8; });
    throws<float>("float", numbers, 51, [](float e) { return e == -2.5f; });
    for (double &v : x) v = 100;
    throws<std::runtime_error>("closed", numbers, 0, [](auto &) { return true; });
    expect(code_of(2) == 42, "exit");
    expect(code_of(7) == -SIGABRT, "abort");
    auto early = [](auto a, auto b, int n) { freed_early_grad(a, b, n, d_x); };
    throws<std::range_error>("early", early, 0, is("too large"));
    expect(code_of(43) == -SIGABRT, "a call behind noexcept");
    expect(code_of(23) == -SIGABRT, "at behind noexcept");
    auto inside = [](auto a, auto b, int n) { inside_grad(a, b, n, d_x); };
    auto ruled_unneeded = [](auto a, auto b, int n) { ruled_unneeded_grad(a, b, n, d_x); };
    const auto any = [](auto &) { return true; };
    throws<std::out_of_range>("in a loop", inside, 7, any);
    throws<std::out_of_range>("unneeded at", inside, -5, any);
    x[2] = -1;
    throws<std::domain_error>("a rule", ruled_unneeded, 0, is("ruled"));
    x[0] = -1, x[2] = 1;
    throws<std::domain_error>("a rule, unneeded", ruled_unneeded, 0, is("ruled"));
    expect(code_of(-1) == -SIGABRT, "terminate");
    auto called_empty = [](auto a, auto b, int n) { called_empty_grad(a, b, n, d_x); };
    throws<std::bad_function_call>("a function that is empty", called_empty, 44, any);
    return language_report();
}
