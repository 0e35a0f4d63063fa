/* Reverse sweeps that need a tape without a static bound: counted loops, loops with exits, loops in loops,
 * slots of several types. The tape that a call makes for itself, one of the caller's, and what happens without
 * memory. */
#include <math.h>

#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double repeated(double x, long long steps) {
    for (long long k = 0; k < steps; k++) x += 0.002 * sin(x) * x;
    return x;
}

GW_GRADIENT("wrt x")
double until(double x, double limit) {
    while (x > limit) x = sqrt(x) * 1.001;
    return x;
}

/* What all its loops push is known at its start. */
GW_GRADIENT("wrt x")
double regular(double x, int n, int m) {
    double y = 1;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < m; k++) y = y * cos(y) * x + 0.1;
        y = exp(-y * y);
    }
    return y;
}

struct start {
    double w;
    float b;
};

GW_GRADIENT("out wrt in, start")
void mixed(double *out, const float *restrict in, struct start start, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        float v = in[i];
        double w = start.w;
        for (int k = 0; k < m; k++) {
            v = v * v * 0.5f + start.b;
            w = w * cos(w) + v;
            if (w > 1.4) break;
        }
        s += v * w * s + w;
    }
    *out = s;
}

GW_GRADIENT("wrt x")
double nested(double x, int n, unsigned m) {
    double y = 1;
    for (int i = n; i > 0; i -= 2) {
        for (unsigned k = 3; k <= m; k += 2) {
            double z = x;
            for (int j = 0; j < 3; j++) z = z * y * 0.3 + 0.2;
            y = y * cos(z) + z;
        }
        if (y > 1.1)
            for (int j = 0; j < i; j++) y = 0.95 * y + 0.04 * cos(y) * y;
        else
            y = y * x + 0.3;
    }
    return y;
}

GW_GRADIENT("wrt x")
long double wide(long double x, int n) {
    long double y = x;
    short step = 1;
    for (int i = 0; i < n; i++) {
        y = y * y * x + 0.1L * step;
        step = (short)(y > 0.5L ? 2 : 1);
    }
    return y;
}

#include "tape.grad.h"

#include <pthread.h>

#include "difference.h"

static int count, inner;
static double repeated_loss(const double *x) { return repeated(x[0], count); }
static double until_loss(const double *x) { return until(x[0], 1.2); }
static double nested_loss(const double *x) { return nested(x[0], count, (unsigned)inner); }
static double wide_loss(const double *x) { return (double)wide(x[0], count); }

/* `mixed` in double: the differences of a float are too rough. */
static double mixed_loss(const double *x) {
    double s = 0;
    for (int i = 0; i < count; i++) {
        double v = x[2 + i], w = x[0];
        for (int k = 0; k < inner; k++) {
            v = v * v * 0.5 + x[1];
            w = w * cos(w) + v;
            if (w > 1.4) break;
        }
        s += v * w * s + w;
    }
    return s;
}

static void test_loops(void) {
    static const int counts[] = {1, 2, 5, 40, 700};
    for (int i = 0; i < 5; i++) {
        double x[2] = {0.9, 1.05}, d[2] = {0, 0};
        count = counts[i];
        EXPECT(repeated_grad(x[0], count, &d[0]) == GW_OK);
        check("repeated", repeated_loss, x, 1, d);
        d[0] = 0, inner = 3 + count % 7;
        EXPECT(nested_grad(x[0], count % 49, (unsigned)inner, &d[0]) == GW_OK);
        count %= 49;
        check("nested", nested_loss, x, 1, d);
        long double wide_d = 0;
        count = counts[i] % 9;
        EXPECT(wide_grad(0.6L, count, &wide_d) == GW_OK);
        x[0] = 0.6, d[0] = (double)wide_d;
        check("wide", wide_loss, x, 1, d);
    }
    double big = 1e9, d = 0;
    EXPECT(until_grad(big, 1.2, &d) == GW_OK);
    check_within("until", until_loss, &big, 1, &d, 1e-8, 1e5);
    d = 0;
    EXPECT(until_grad(1.0, 1.2, &d) == GW_OK);
    EXPECT(d == 1);
}

static void test_mixed(void) {
    enum { N = 30 };
    double x[2 + N], d[2 + N];
    float in[N], d_in[N] = {0};
    struct start start = {0.8, 0.25f}, d_start = {0, 0};
    double out = 0, d_out = 1;
    count = N, inner = 12;
    x[0] = start.w, x[1] = start.b;
    for (int i = 0; i < N; i++) x[2 + i] = in[i] = 0.1f + 0.02f * (float)i;
    EXPECT(mixed_grad(&out, in, start, N, inner, &d_out, d_in, &d_start) == GW_OK);
    EXPECT(d_out == 0);
    d[0] = d_start.w, d[1] = d_start.b;
    for (int i = 0; i < N; i++) d[2 + i] = d_in[i];
    check_within("mixed", mixed_loss, x, 2 + N, d, 2e-5, 1e-3);
}

/* One tape for many calls, at first in a buffer of the caller's; a pullback on it. */
static void test_own_tape(void) {
    char buffer[64];
    gw_host_tape tape = gw_host_tape_over(buffer, sizeof buffer), empty = GW_HOST_TAPE;
    for (int steps = 1; steps < 2000; steps = 3 * steps + 1) {
        double by_itself = 0, on_tape = 0, pulled = 0;
        EXPECT(repeated_grad(0.7, steps, &by_itself) == GW_OK);
        EXPECT(repeated_grad_on(&tape, 0.7, steps, &on_tape) == GW_OK);
        EXPECT(repeated_pullback(0.7, steps, 2, &pulled, &empty) == GW_OK);
        EXPECT(by_itself == on_tape && pulled == 2 * by_itself);
        EXPECT(tape.top == tape.base && tape.owned == (steps > 8));
    }
    gw_host_tape_free(&tape);
    gw_host_tape_free(&empty);
    EXPECT(!tape.base && !empty.base);
}

static void test_no_memory(void) {
    double d = 3;
    gw_report(GW_OK, NULL);
    EXPECT(repeated_grad(0.7, 1LL << 61, &d) == GW_ERROR_MEMORY);
    EXPECT(strstr(gw_last_error(), "out of memory: the tape of a gradient needs ") == gw_last_error());
    EXPECT(repeated_grad(0.7, -(1LL << 61), &d) == GW_OK && d == 4);
    gw_host_tape tape = GW_HOST_TAPE;
    EXPECT(repeated_grad_on(&tape, 0.7, 1000, &d) == GW_OK);
    EXPECT(repeated_grad_on(&tape, 0.7, 1LL << 61, &d) == GW_ERROR_MEMORY);
    EXPECT(tape.base && tape.top == tape.base);
    EXPECT(repeated_grad_on(&tape, 0.7, 1000, &d) == GW_OK);
    gw_host_tape_free(&tape);
}

static double regular_loss(const double *x) { return regular(x[0], count, inner); }

/* Room that is wished for is there, in one piece, and what lay on the tape before; nonsense is no error. */
static void test_wishes(void) {
    gw_host_tape tape = GW_HOST_TAPE;
    char *top = gw_host_tape_expect(&tape, tape.top, 100000);
    EXPECT(top == tape.base && tape.end - tape.base == 100000);
    gw_host_push_f64(&top, 1.5);
    EXPECT(gw_host_tape_room(&tape, top, 12499, 8) == top);
    EXPECT(gw_host_tape_expect(&tape, top, 99992) == top);
    EXPECT(gw_host_tape_expect(&tape, top, UINT64_MAX) == top &&
           gw_host_tape_expect(&tape, top, 1ull << 40) == top);
    top = gw_host_tape_expect(&tape, top, 100000);
    EXPECT(tape.end - top >= 100000 && gw_host_pop_f64(&top) == 1.5 && top == tape.base);
    gw_host_tape_free(&tape);
    double x = 0.8, d = 0;
    count = 300, inner = 40;
    EXPECT(regular_grad_on(&tape, x, count, inner, &d) == GW_OK);
    check("regular", regular_loss, &x, 1, &d);
    const long long once = tape.end - tape.base;
    EXPECT(once >= 300 * 40 * 8 && once <= 300 * 41 * 16); /* not the power of two above it */
    d = 0;
    EXPECT(regular_grad_on(&tape, x, 300, 0, &d) == GW_OK && regular_grad_on(&tape, x, -5, 7, &d) == GW_OK);
    EXPECT(tape.end - tape.base == once);
    gw_host_tape_free(&tape);
}

static void *in_thread(void *argument) {
    const int first = *(int *)argument;
    for (int k = 0; k < 200; k++) {
        const int steps = first + 37 * k % 3000;
        double once = 0, again = 0;
        gw_host_tape tape = GW_HOST_TAPE;
        if (repeated_grad(0.7, steps, &once) != GW_OK || repeated_grad_on(&tape, 0.7, steps, &again) != GW_OK ||
            once != again || (steps == 1000 && !(fabs(once) < 1e30)))
            *(int *)argument = -1;
        gw_host_tape_free(&tape);
    }
    return NULL;
}

static void test_threads(void) {
    pthread_t thread[2];
    int first[2] = {1, 500};
    for (int i = 0; i < 2; i++) EXPECT(pthread_create(&thread[i], NULL, in_thread, &first[i]) == 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    EXPECT(first[0] == 1 && first[1] == 500);
}

int main(void) {
    test_loops();
    test_mixed();
    test_own_tape();
    test_no_memory();
    test_wishes();
    test_threads();
    return difference_report();
}
