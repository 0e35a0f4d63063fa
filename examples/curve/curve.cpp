/*
 * curve.cpp - a yield curve that is bootstrapped from 30 quotes, a book of 1,000 swaps, and the book's deltas
 * by all quotes in one sweep.
 *
 * Deposits and par swaps give the curve's logarithms of discount factors one after the other: each is what
 * makes its instrument worth nothing, found by Newton's method. The gradient goes back through the book, the
 * interpolation and these solutions. It is compared with bumping, time and digits, with the rule that a book of
 * the quoted instruments themselves must show (each has a delta by its own quote alone), and with a shift of
 * all quotes.
 *
 *     gwcc -std=c++17 -O2 curve.cpp -o curve && ./curve
 */
#include <gradwright/gradwright.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { QUOTES = 30, DEPOSITS = 6, SWAPS = 1000, STEPS = 12 };

/* Discount factors: 1 today, log-linear between the nodes, the last rate goes on behind them. */
class curve {
public:
    void add(double time, double logarithm) {
        times[count] = time;
        logs[count] = logarithm;
        count++;
    }
    /* The node that is looked for meanwhile. */
    void move_last(double logarithm) { logs[count - 1] = logarithm; }
    double last() const { return logs[count - 1]; }
    double discount(double time) const { return std::exp(logarithm(time)); }
    /* How the logarithm at that time goes with the last node's. */
    double weight(double time) const {
        const double before = times[count - 2];
        return time <= before ? 0 : (time - before) / (times[count - 1] - before);
    }

private:
    double logarithm(double time) const {
        int k = 1;
        while (k < count - 1 && times[k] < time) k++;
        const double w = (time - times[k - 1]) / (times[k] - times[k - 1]);
        return logs[k - 1] + w * (logs[k] - logs[k - 1]);
    }
    double times[QUOTES + 1] = {0}, logs[QUOTES + 1] = {0};
    int count = 1;
};

/* What is quoted or traded: a fixed rate against the market's, paid once a year, at the end for a deposit. */
class swap {
public:
    swap(double years_, double rate_, double notional_) : years(years_), rate(rate_), notional(notional_) {}
    double value(const curve &c) const {
        double sum = 1 - c.discount(years);
        for (int k = 0; k < payments(); k++) sum -= rate * paid(k) * c.discount(time(k));
        return notional * sum;
    }
    /* Its slope by the curve's last node. */
    double slope(const curve &c) const {
        double sum = -c.weight(years) * c.discount(years);
        for (int k = 0; k < payments(); k++) sum -= rate * paid(k) * c.weight(time(k)) * c.discount(time(k));
        return notional * sum;
    }

private:
    int payments() const { return years <= 1 ? 1 : (int)std::ceil(years - 1e-9); }
    /* The first period is the short one. */
    double time(int k) const { return years - (payments() - 1 - k); }
    double paid(int k) const { return k == 0 ? time(0) : 1; }
    double years, rate, notional;
};

static const double MATURITIES[QUOTES] = {1 / 12.0, 2 / 12.0, 3 / 12.0, 6 / 12.0, 9 / 12.0, 1,  2,  3,  4,  5,
                                          6,        7,        8,        9,        10,       11, 12, 13, 14, 15,
                                          16,       17,       18,       19,       20,       25, 30, 35, 40, 50};

static curve bootstrapped(const double *quotes) {
    curve c;
    for (int k = 0; k < QUOTES; k++) {
        const swap quoted(MATURITIES[k], quotes[k], 1);
        c.add(MATURITIES[k], -quotes[k] * MATURITIES[k]);
        for (int i = 0; i < STEPS; i++) c.move_last(c.last() - quoted.value(c) / quoted.slope(c));
    }
    return c;
}

struct trade {
    double years, rate, notional;
};

GW_GRADIENT("wrt quotes")
double book_value(const double *quotes, const trade *trades, int count) {
    const curve c = bootstrapped(quotes);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += swap(trades[i].years, trades[i].rate, trades[i].notional).value(c);
    return sum;
}

#include "curve.grad.hpp"

static int failures;
static void expect(bool good, const char *what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    failures++;
}

static double uniform_number() { return std::rand() / (double)RAND_MAX; }

static std::vector<trade> made_book() {
    std::vector<trade> book;
    for (int i = 0; i < SWAPS; i++)
        book.push_back({0.5 + 44 * uniform_number(), 0.01 + 0.04 * uniform_number(),
                        (i % 3 ? 1e6 : -1.5e6) * (1 + uniform_number())});
    return book;
}

static void deltas_of(const std::vector<trade> &book, const double *quotes, double *deltas) {
    for (int k = 0; k < QUOTES; k++) deltas[k] = 0;
    expect(book_value_grad(quotes, book.data(), (int)book.size(), deltas) == GW_OK, "memory");
}

/* Two values for each quote; the digits of such differences end with the step. */
static void bumped(const std::vector<trade> &book, const double *quotes, double by, double *deltas) {
    double at[QUOTES];
    for (int k = 0; k < QUOTES; k++) at[k] = quotes[k];
    for (int k = 0; k < QUOTES; k++) {
        at[k] = quotes[k] + by;
        const double up = book_value(at, book.data(), (int)book.size());
        at[k] = quotes[k] - by;
        deltas[k] = (up - book_value(at, book.data(), (int)book.size())) / (2 * by);
        at[k] = quotes[k];
    }
}

static double apart(const double *x, const double *y) {
    double most = 0, size = 0;
    for (int k = 0; k < QUOTES; k++) {
        most = std::fmax(most, std::fabs(x[k] - y[k]));
        size = std::fmax(size, std::fabs(y[k]));
    }
    return most / size;
}

template <class F> static double milliseconds(F run) {
    double least = 1e9;
    for (int i = 0; i < 9; i++) {
        const auto start = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        least = std::fmin(least, took.count());
    }
    return least;
}

/* A quoted swap is worth nothing whatever the other quotes are, and by its own quote less its annuity. */
static void check_quoted(const double *quotes) {
    double most = 0;
    for (int k = 0; k < QUOTES; k++) {
        double deltas[QUOTES];
        deltas_of({{MATURITIES[k], quotes[k], 1}}, quotes, deltas);
        for (int i = 0; i < QUOTES; i++)
            if (i != k) most = std::fmax(most, std::fabs(deltas[i]));
        expect(deltas[k] > 0.08, "a quote moves its own instrument");
    }
    std::printf("a quoted instrument's deltas by the other quotes: at most %.1e\n", most);
    expect(most < 1e-12, "quoted instruments by other quotes");
}

int main() {
    double quotes[QUOTES], deltas[QUOTES], wide[QUOTES], fine[QUOTES];
    for (int k = 0; k < QUOTES; k++)
        quotes[k] = 0.02 + 0.015 * (1 - std::exp(-MATURITIES[k] / 6)) - 0.00005 * MATURITIES[k];
    const std::vector<trade> book = made_book();
    const double sweep = milliseconds([&] { deltas_of(book, quotes, deltas); });
    const double value = milliseconds([&] { book_value(quotes, book.data(), SWAPS); });
    const double bumping = milliseconds([&] { bumped(book, quotes, 1e-4, wide); });
    bumped(book, quotes, 1e-6, fine);
    std::printf("%d deltas: one sweep %.2f ms (%.1f values of the book), bumping %.2f ms, %.0f times as long\n",
                QUOTES, sweep, sweep / value, bumping, bumping / sweep);
    std::printf("bumping differs by %.1e of the largest delta; bumps of a hundredth of a basis point: %.1e\n",
                apart(wide, deltas), apart(fine, deltas));
    expect(apart(wide, deltas) < 1e-5 && apart(fine, deltas) < 1e-7, "deltas against bumping");
    check_quoted(quotes);
    double moved[QUOTES], sum = 0;
    for (int k = 0; k < QUOTES; k++) moved[k] = quotes[k] + 1e-5, sum += 1e-5 * deltas[k];
    const double change = book_value(moved, book.data(), SWAPS) - book_value(quotes, book.data(), SWAPS);
    std::printf("all quotes up by a tenth of a basis point: %.2f, by deltas %.2f\n", change, sum);
    expect(std::fabs(change - sum) < 2e-3 * std::fabs(sum), "a shift of all quotes");
    return failures != 0;
}
