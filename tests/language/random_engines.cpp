// Random numbers of the standard library: engines and distributions are code like any other, and what a
// distribution is made of may have a derivative.
#include "language.h"

#include <algorithm>
#include <random>
#include <vector>

CASE(paths) { // a Monte Carlo price
    std::mt19937 engine(41u + (unsigned)n);
    std::normal_distribution<double> z(0.0, 1.0);
    double sum = 0;
    for (int i = 0; i < 60; i++) {
        const double end = x[0] * std::exp(-0.5 * x[1] * x[1] + x[1] * z(engine));
        sum += end > 0.9 ? end - 0.9 : 0.1 * end * end;
    }
    return sum;
}

CASE(made_of_numbers) { // by the distribution's own parameters
    std::mt19937_64 engine(7);
    std::normal_distribution<double> z(x[0], x[1]);
    std::uniform_real_distribution<double> u(x[2], 2 + x[3] * x[4]);
    std::exponential_distribution<double> e(x[5]);
    std::lognormal_distribution<double> l(x[6], 0.2 * x[7]);
    double s = 0;
    for (int i = 0; i < 5 + n; i++) s += z(engine) * u(engine) + e(engine) * l(engine);
    return s;
}

CASE(integers) {
    std::minstd_rand engine{3};
    std::uniform_int_distribution<int> die(0, DOUBLES - 1 - n);
    std::bernoulli_distribution coin(0.25 + 0.125 * n);
    std::poisson_distribution<int> events(3.0);
    double s = 0;
    for (int i = 0; i < 20; i++)
        s += coin(engine) ? x[die(engine)] : x[die(engine)] * x[events(engine) % DOUBLES];
    return s;
}

static double step(std::mt19937 &engine, double scale) {
    return std::uniform_real_distribution<double>(-scale, scale)(engine);
}
struct world {
    std::mt19937 engine;
    double scale;
    double next() { return scale * step(engine, scale); }
};
CASE(held) {
    world w{std::mt19937(5), x[1]};
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * w.next();
    w.engine.seed(11);
    w.engine.discard(3);
    return s + x[0] * x[0] * w.next() + x[2] * (double)(w.engine() % 5);
}

CASE(shuffled) {
    std::vector<int> at(DOUBLES);
    std::vector<double> weight(DOUBLES);
    std::ranlux24_base engine(19);
    std::gamma_distribution<double> g(2.0, 0.5);
    for (int i = 0; i < DOUBLES; i++) at[i] = i;
    std::shuffle(at.begin(), at.end(), engine);
    std::generate(weight.begin(), weight.end(), [&] { return g(engine); });
    double s = 0;
    for (int i = 0; i + n < DOUBLES; i++) s += weight[i] * x[at[i]] * x[i];
    return s;
}

GW_GRADIENT("wrt x") GW_SPLIT_GRADIENT("wrt x")
double given(std::mt19937 &engine, double x, int n) {
    std::cauchy_distribution<double> z(x, 0.25);
    double s = 0;
    for (int i = 0; i < n; i++) s += z(engine) * x;
    return s;
}

static long long ends = 1ll << 40;
GW_GRADIENT("wrt x") double wide(double x) {
    std::minstd_rand engine(3);
    return x * (double)std::uniform_int_distribution<long long>(0, ends)(engine);
}

#include "random_engines.grad.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

static void expect(bool holds, const char *what) {
    if (!holds) std::printf("%s\n", what), language_failures++;
}

/* An engine of the caller's is left as memory is: by the gradient as it was, by the first half as the primal
 * leaves it. */
static void check_given() {
    const double x = 0.75, h = 1e-5;
    double d_x = 0, d_half = 0, result = 0, value[2];
    for (int i = 0; i < 2; i++) {
        std::mt19937 engine(5);
        value[i] = given(engine, x + (2 * i - 1) * h, 40);
    }
    std::mt19937 gradient(5), half(5), primal(5);
    given(primal, x, 40);
    expect(given_grad(gradient, x, 40, &d_x) == GW_OK, "no gradient");
    expect(gradient == std::mt19937(5), "the engine is not as it was");
    gw_host_tape tape = GW_HOST_TAPE;
    expect(given_fwd(half, x, 40, &result, &tape) == GW_OK, "no first half");
    expect(half == primal, "the engine is not as the primal leaves it");
    expect(given_bwd(half, x, 40, 1.0, &d_half, &tape) == GW_OK && d_half == d_x, "the halves differ");
    gw_host_tape_free(&tape);
    language_compare("given", 40, "x", 0, d_x, (value[1] - value[0]) / (2 * h), 1e-7);
}

/* A range that takes several numbers of the engine is not known: the process ends there. */
static bool ends_for_wide() {
    const pid_t child = fork();
    if (!child) {
        double d = 0;
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        wide_grad(1, &d);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

int main() {
    CHECK(paths);
    CHECK(made_of_numbers);
    CHECK(integers);
    CHECK(held);
    CHECK(shuffled);
    check_given();
    expect(ends_for_wide(), "a range wider than the engine's");
    return language_report();
}
