/* GW_CHECKPOINT_BINOMIAL on the host: the gradient is bit for bit that without it, whatever the number; one is
 * compared with differences. So are both halves of a split gradient, with the states on the tape between them.
 * And the loop's body runs as often as the optimum says, counted by a function with a derivative of its own. */
#include <math.h>
#include <stdbool.h>

#include <gradwright/gradwright.h>

#define NONE
#define SIMULATION(NAME, MARK)                                                                                 \
    GW_SPLIT_GRADIENT("wrt x, p")                                                                              \
    GW_GRADIENT("wrt x, p") double counted_##NAME(double *x, const double *p, int steps) {                     \
        double position = x[0], speed = x[1];                                                                  \
        MARK for (int k = 0; k < steps; k++) {                                                                 \
            speed -= 0.05 * p[k % 4] * sin(position);                                                          \
            position += 0.05 * speed * (1 + 0.1 * position * position);                                        \
        }                                                                                                      \
        return position * speed;                                                                               \
    }                                                                                                          \
    /* a local array, counters, a header that is not k++, a branch and a loop in it */                         \
    GW_SPLIT_GRADIENT("wrt x, p")                                                                              \
    GW_GRADIENT("wrt x, p") double various_##NAME(double *x, const double *p, int steps) {                     \
        double v[3] = {x[0], x[1], 1};                                                                         \
        int at = 1;                                                                                            \
        bool odd = false;                                                                                      \
        MARK for (long k = 2 * steps; k > 0; k -= 2) {                                                         \
            double sum = 0;                                                                                    \
            for (int i = 0; i < 3; i++)                                                                        \
                sum += v[i] * v[(i + at) % 3] * p[i];                                                          \
            if (odd)                                                                                           \
                v[k % 3] = sin(sum) + v[0] * v[1];                                                             \
            else                                                                                               \
                v[at % 3] *= cos(sum + v[2]);                                                                  \
            at += 2;                                                                                           \
            odd = !odd;                                                                                        \
        }                                                                                                      \
        return v[0] * v[1] + v[2] * at;                                                                        \
    }                                                                                                          \
    GW_SPLIT_GRADIENT("wrt x, p")                                                                              \
    GW_GRADIENT("wrt x, p") double nested_##NAME(double *x, const double *p, int steps) {                      \
        double v = x[0], w = x[1];                                                                             \
        MARK for (int k = 0; k <= steps; k++) {                                                                \
            MARK for (unsigned m = 0; m < (unsigned)k; m++) v += 0.05 * v * sin(w + m) * p[m % 4];             \
            w = 0.9 * w + 0.1 * v;                                                                             \
        }                                                                                                      \
        return v * w;                                                                                          \
    }

SIMULATION(plain, NONE)
SIMULATION(one, GW_CHECKPOINT_BINOMIAL(1))
SIMULATION(three, GW_CHECKPOINT_BINOMIAL(3))
SIMULATION(many, GW_CHECKPOINT_BINOMIAL(1000))

static long calls;
double step(double v);
GW_DERIVATIVE_OF("pullback of step") void step_back(double v, double d_return, double *d_v);

GW_GRADIENT("wrt x") double called(double x, int steps) {
    GW_CHECKPOINT_BINOMIAL(4) for (int k = 0; k < steps; k++) x = step(x) * x;
    return x;
}

#include "binomial.grad.h"

#include "difference.h"

double step(double v) {
    calls++;
    return sin(v) + 1.2;
}
void step_back(double v, double d_return, double *d_v) { *d_v += d_return * cos(v); }

typedef gw_status (*gradient)(double *x, const double *p, int steps, double *d_x, double *d_p);
typedef double (*primal)(double *x, const double *p, int steps);

static primal function;
static int steps;
static double loss(const double *at) {
    double x[2] = {at[0], at[1]};
    return function(x, at + 2, steps);
}

typedef struct halves {
    gw_status (*forward)(double *x, const double *p, int steps, double *result, gw_host_tape *tape);
    gw_status (*backward)(double *x, const double *p, int steps, double d_return, double *d_x, double *d_p,
                          gw_host_tape *tape);
} halves;
static gw_host_tape tape = GW_HOST_TAPE;

static void in_halves(const halves *h, const double *at, double *d) {
    double result = 0, x[2] = {at[0], at[1]};
    EXPECT(h->forward(x, at + 2, steps, &result, &tape) == GW_OK);
    EXPECT(result == loss(at));
    EXPECT(h->backward(x, at + 2, steps, 1, d, d + 2, &tape) == GW_OK);
    EXPECT(tape.top == tape.base);
}

static void compare(const char *name, primal f, const gradient *with, const halves *split) {
    static const int lengths[] = {0, 1, 2, 3, 7, 20, 33};
    const double at[6] = {0.7, 0.4, 0.9, -0.3, 0.5, 1.1};
    function = f;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        double d[4][6];
        steps = lengths[i];
        for (int k = 0; k < 4; k++) {
            double x[2] = {at[0], at[1]};
            memset(d[k], 0, sizeof d[k]);
            EXPECT(with[k](x, at + 2, steps, d[k], d[k] + 2) == GW_OK);
            EXPECT(memcmp(d[k], d[0], sizeof d[k]) == 0);
        }
        for (int k = 0; k < 4; k++) {
            double both[6] = {0};
            in_halves(&split[k], at, both);
            EXPECT(memcmp(both, d[0], sizeof both) == 0);
        }
        if (steps <= 20) check(name, loss, at, 6, d[0]); /* further on, the differences are off */
    }
}

/* Without a tape there is no status. */
#define GRADIENT(NAME)                                                                                     \
    static gw_status NAME##_status(double *x, const double *p, int n, double *d_x, double *d_p) {         \
        NAME##_grad(x, p, n, d_x, d_p);                                                                    \
        return GW_OK;                                                                                      \
    }
#define GRADIENTS(NAME) GRADIENT(NAME##_one) GRADIENT(NAME##_three) GRADIENT(NAME##_many)
GRADIENTS(counted)
GRADIENTS(various)
GRADIENTS(nested)

#define BOTH_HALVES(NAME) {NAME##_fwd, NAME##_bwd}
#define COMPARE(NAME)                                                                                          \
    compare(#NAME, NAME##_plain,                                                                               \
            (const gradient[]){NAME##_plain_grad, NAME##_one_status, NAME##_three_status, NAME##_many_status}, \
            (const halves[]){BOTH_HALVES(NAME##_plain), BOTH_HALVES(NAME##_one), BOTH_HALVES(NAME##_three),    \
                             BOTH_HALVES(NAME##_many)})

/* Runs before their turns of steps + 1 steps with 4 states, and each of the steps once for its reverse. */
static long optimum(long length) {
    long r = 0, reach = 1, sum = 0;
    while (reach < length) sum += reach, r++, reach = reach * (4 + r) / r;
    return r * length - sum;
}

int main(void) {
    COMPARE(counted);
    COMPARE(various);
    COMPARE(nested);
    for (int n = 1; n < 200; n += 7) {
        double d_x = 0;
        calls = 0;
        called_grad(0.9, n, &d_x);
        EXPECT(calls == optimum(n + 1) + n);
    }
    gw_host_tape_free(&tape);
    return difference_report();
}
