/* GW_CHECKPOINT on the host: the gradient is bit for bit that without it, whatever the number; one is compared
 * with differences. So are both halves of a split gradient, whose tape holds the checkpoints only. */
#include <math.h>

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
    GW_SPLIT_GRADIENT("wrt x, p")                                                                              \
    GW_GRADIENT("wrt x, p") double stopped_##NAME(double *x, const double *p, int steps) {                     \
        double v = x[0];                                                                                       \
        MARK for (int k = steps; k > 0; k -= 2) {                                                              \
            if (v > 1.25) break;                                                                               \
            v += 0.1 * p[k % 4] * exp(-v) * x[1];                                                              \
        }                                                                                                      \
        return v * v;                                                                                          \
    }                                                                                                          \
    GW_SPLIT_GRADIENT("wrt x, p")                                                                              \
    GW_GRADIENT("wrt x, p") double tested_##NAME(double *x, const double *p, int steps) {                      \
        double v[2] = {x[0], x[1]};                                                                            \
        int k = 0;                                                                                             \
        MARK while (k < steps && v[0] < 2) {                                                                   \
            v[k & 1] += 0.1 * p[k % 4] * v[1 - (k & 1)] * v[0];                                                \
            k++;                                                                                               \
        }                                                                                                      \
        return v[0] * v[1];                                                                                    \
    }

SIMULATION(plain, NONE)
SIMULATION(one, GW_CHECKPOINT(1))
SIMULATION(seven, GW_CHECKPOINT(7))
SIMULATION(many, GW_CHECKPOINT(1 << 20))

#include "checkpoints.grad.h"

#include "difference.h"

typedef gw_status (*gradient)(double *x, const double *p, int steps, double *d_x, double *d_p);
typedef double (*primal)(double *x, const double *p, int steps);
typedef struct halves {
    gw_status (*forward)(double *x, const double *p, int steps, double *result, gw_host_tape *tape);
    gw_status (*backward)(double *x, const double *p, int steps, double d_return, double *d_x, double *d_p,
                          gw_host_tape *tape);
} halves;
static gw_host_tape tape = GW_HOST_TAPE;

static primal function;
static int steps;
static double loss(const double *at) {
    double x[2] = {at[0], at[1]};
    return function(x, at + 2, steps);
}

/* What both halves make of it; how many bytes go from one to the other. */
static size_t in_halves(const halves *h, primal f, double *x, const double *p, double *d) {
    double result = 0, at[2] = {x[0], x[1]};
    EXPECT(h->forward(x, p, steps, &result, &tape) == GW_OK);
    EXPECT(result == f(at, p, steps) && memcmp(at, x, sizeof at) == 0);
    size_t bytes = (size_t)(tape.top - tape.base);
    EXPECT(h->backward(x, p, steps, 1, d, d + 2, &tape) == GW_OK);
    EXPECT(tape.top == tape.base);
    return bytes;
}

static void compare(const char *name, primal f, const gradient *with, const halves *split) {
    static const int lengths[] = {0, 1, 6, 7, 8, 49, 50};
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
        size_t bytes[4];
        for (int k = 0; k < 4; k++) {
            double x[2] = {at[0], at[1]}, both[6] = {0};
            bytes[k] = in_halves(&split[k], f, x, at + 2, both);
            EXPECT(memcmp(both, d[0], sizeof both) == 0);
        }
        if (steps == 50) EXPECT(bytes[2] * 3 < bytes[0] && bytes[3] < bytes[2]);
        check(name, loss, at, 6, d[0]);
    }
}

#define BOTH_HALVES(NAME) {NAME##_fwd, NAME##_bwd}
#define COMPARE(NAME)                                                                                          \
    compare(#NAME, NAME##_plain,                                                                               \
            (const gradient[]){NAME##_plain_grad, NAME##_one_grad, NAME##_seven_grad, NAME##_many_grad},       \
            (const halves[]){BOTH_HALVES(NAME##_plain), BOTH_HALVES(NAME##_one), BOTH_HALVES(NAME##_seven),    \
                             BOTH_HALVES(NAME##_many)})

int main(void) {
    COMPARE(counted);
    COMPARE(stopped);
    COMPARE(tested);
    gw_host_tape_free(&tape);
    return difference_report();
}
