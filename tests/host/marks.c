/* GW_STORE and GW_RECOMPUTE on the host: the gradient is bit for bit that without them, in parts that are
 * recorded, that are run again, and in branches; one is compared with differences. What is stored then:
 * tests/storage/marked.c. */
#include <math.h>

#include <gradwright/gradwright.h>

#define NONE(x) ((void)0)
#define FUNCTIONS(NAME, MARK)                                                                             \
    /* recorded */                                                                                         \
    GW_GRADIENT("wrt x, p") double chain_##NAME(double *x, const double *p, int steps) {                  \
        double v = x[0];                                                                                   \
        for (int k = 0; k < steps; k++) {                                                                  \
            double t = tanh(v), a = t * p[k % 4] + x[1];                                                   \
            MARK(t);                                                                                       \
            MARK(a);                                                                                       \
            v = t * a * (a + 0.5) + 0.1 * exp(t);                                                          \
        }                                                                                                  \
        return v;                                                                                          \
    }                                                                                                      \
    /* a checkpointed loop is run again */                                                                 \
    GW_GRADIENT("wrt x, p") double again_##NAME(double *x, const double *p, int steps) {                  \
        double v = x[0];                                                                                   \
        GW_CHECKPOINT(3) for (int k = 0; k < steps; k++) {                                                 \
            double e = exp(-v) * p[k % 4];                                                                 \
            MARK(e);                                                                                       \
            if (e > 0) {                                                                                   \
                double s = sin(e * v);                                                                     \
                MARK(s);                                                                                   \
                v += 0.1 * s * s;                                                                          \
            } else if (k & 1) {                                                                            \
                double c = cos(e);                                                                         \
                MARK(c);                                                                                   \
                v -= 0.1 * c * x[1] * c;                                                                   \
            }                                                                                              \
        }                                                                                                  \
        return v * v;                                                                                      \
    }                                                                                                      \
    /* straight code with branches */                                                                      \
    GW_GRADIENT("wrt x, p") double branches_##NAME(double *x, const double *p, int steps) {               \
        double v = x[0] * x[1];                                                                            \
        MARK(v);                                                                                           \
        if (steps & 1) {                                                                                   \
            double e = exp(v * p[0]);                                                                      \
            MARK(e);                                                                                       \
            v = e * e + v;                                                                                 \
            if (v > 1) {                                                                                   \
                double q = e * v + p[1];                                                                   \
                MARK(q);                                                                                   \
                v = log(q * q + 1);                                                                        \
            }                                                                                              \
        }                                                                                                  \
        return v * p[2];                                                                                   \
    }

FUNCTIONS(plain, NONE)
FUNCTIONS(stored, GW_STORE)
FUNCTIONS(again, GW_RECOMPUTE)

#include "marks.grad.h"

#include "difference.h"

typedef gw_status (*gradient)(double *x, const double *p, int steps, double *d_x, double *d_p);
typedef double (*primal)(double *x, const double *p, int steps);

static primal function;
static int steps;
static double loss(const double *at) {
    double x[2] = {at[0], at[1]};
    return function(x, at + 2, steps);
}

static void compare(const char *name, primal f, const gradient *with) {
    const double at[6] = {0.7, 0.4, 0.9, -0.3, 0.5, 1.1};
    function = f;
    for (steps = 0; steps < 12; steps++) {
        double d[3][6];
        for (int k = 0; k < 3; k++) {
            double x[2] = {at[0], at[1]};
            memset(d[k], 0, sizeof d[k]);
            EXPECT(with[k](x, at + 2, steps, d[k], d[k] + 2) == GW_OK);
            EXPECT(memcmp(d[k], d[0], sizeof d[k]) == 0);
        }
        check(name, loss, at, 6, d[0]);
    }
}

/* No loop, no tape. */
#define TAPED(NAME)                                                                                        \
    static gw_status branches_##NAME##_status(double *x, const double *p, int n, double *d_x, double *d_p) { \
        branches_##NAME##_grad(x, p, n, d_x, d_p);                                                         \
        return GW_OK;                                                                                      \
    }
TAPED(plain)
TAPED(stored)
TAPED(again)

#define COMPARE(NAME)                                                                                          \
    compare(#NAME, NAME##_plain, (const gradient[]){NAME##_plain_grad, NAME##_stored_grad, NAME##_again_grad})

int main(void) {
    COMPARE(chain);
    COMPARE(again);
    compare("branches", branches_plain,
            (const gradient[]){branches_plain_status, branches_stored_status, branches_again_status});
    return difference_report();
}
