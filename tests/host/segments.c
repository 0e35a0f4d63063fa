/* GW_CHECKPOINT in the halves of a split gradient, on the host: arrays of run-time size, from malloc and of
 * structs, that segments change or only read, loops around the marked one, and stores to the caller's memory,
 * which the second half leaves as it finds it. The same to the last bits as the joined form, and as the halves
 * without the mark. */
#include <math.h>
#include <stdlib.h>

#include <gradwright/gradwright.h>

typedef struct cell {
    double a[2], b;
    int at;
} cell;

#define NONE
#define FORMS(NAME, MARK)                                                                                      \
    GW_SPLIT_GRADIENT("y wrt x")                                                                               \
    GW_GRADIENT("y wrt x") void states_##NAME(double *y, const double *x, int n, int steps) {                  \
        double state[n], table[n];                                                                             \
        for (int i = 0; i < n; i++)                                                                            \
            state[i] = x[i], table[i] = x[n - 1 - i] * 0.5;                                                    \
        for (int round = 0; round < 2; round++) {                                                              \
            MARK for (int d = 0; d < steps; d++) {                                                             \
                double turned[n];                                                                              \
                for (int i = 0; i < n; i++)                                                                    \
                    turned[i] = sin(state[i] * table[(i + d) % n]);                                            \
                for (int i = 0; i < n; i++)                                                                    \
                    state[i] += 0.1 * turned[(i + 1) % n] * state[i];                                          \
            }                                                                                                  \
            table[round] += state[0];                                                                          \
        }                                                                                                      \
        for (int i = 0; i < n; i++)                                                                            \
            y[i] = state[i] * table[i];                                                                        \
    }                                                                                                          \
    GW_SPLIT_GRADIENT("y wrt x")                                                                               \
    GW_GRADIENT("y wrt x") void cells_##NAME(double *y, const double *x, int n, int steps) {                   \
        cell c[3] = {{{x[0], x[1]}, x[2], 0}, {{x[1], x[2]}, x[3], 1}, {{x[3], x[4]}, x[0], 0}};               \
        double *h = malloc((size_t)n * sizeof *h);                                                             \
        for (int i = 0; i < n; i++)                                                                            \
            h[i] = x[i];                                                                                       \
        MARK for (int d = 0; d < steps; d++) {                                                                 \
            if (d % 3 == 2) continue;                                                                          \
            cell *one = &c[d % 3];                                                                             \
            one->a[one->at] = c[(d + 1) % 3].b * sin(one->a[1 - one->at]) + h[d % n];                          \
            if (c[0].a[0] > 1) c[1].at = 1 - c[1].at;                                                          \
            h[(d + 1) % n] *= 0.9 + 0.1 * c[2].a[1];                                                           \
            y[d % n] = h[0] * c[0].a[1];                                                                       \
        }                                                                                                      \
        for (int i = 0; i < n; i++)                                                                            \
            y[i] = h[i] * c[i % 3].a[0] * c[i % 3].b;                                                          \
        free(h);                                                                                               \
    }
FORMS(plain, NONE)
FORMS(marked, GW_CHECKPOINT(3))

#include "segments.grad.h"

#include "difference.h"

enum { N = 5 };
static gw_host_tape tape = GW_HOST_TAPE;

typedef gw_status (*first_half)(double *y, const double *x, int n, int steps, gw_host_tape *tape);
typedef gw_status (*second_half)(double *y, const double *x, int n, int steps, double *d_y, double *d_x,
                                 gw_host_tape *tape);
typedef gw_status (*gradient)(double *y, const double *x, int n, int steps, double *d_y, double *d_x);

/* How many bytes go from one half to the other. */
static size_t compare(first_half forward, second_half backward, gradient joined, int steps) {
    const double x[N] = {0.7, 0.4, 0.9, 0.3, 1.1};
    double y[N] = {0}, d_y[N], d_x[N] = {0}, other_y[N] = {0}, other_d_y[N], want[N] = {0};
    for (int i = 0; i < N; i++) d_y[i] = other_d_y[i] = 1 + i;
    EXPECT(forward(y, x, N, steps, &tape) == GW_OK);
    size_t bytes = (size_t)(tape.top - tape.base);
    for (int i = 0; i < N; i++) y[i] = 99;
    EXPECT(backward(y, x, N, steps, d_y, d_x, &tape) == GW_OK);
    EXPECT(tape.top == tape.base);
    EXPECT(joined(other_y, x, N, steps, other_d_y, want) == GW_OK);
    for (int i = 0; i < N; i++) EXPECT(y[i] == 99 && fabs(d_x[i] - want[i]) <= 1e-13 * (1 + fabs(want[i])));
    return bytes;
}

int main(void) {
    for (int steps = 0; steps < 30; steps++) {
        size_t all = compare(states_plain_fwd, states_plain_bwd, states_plain_grad, steps);
        size_t few = compare(states_marked_fwd, states_marked_bwd, states_plain_grad, steps);
        if (steps > 20) EXPECT(few < all);
        compare(cells_plain_fwd, cells_plain_bwd, cells_plain_grad, steps);
        compare(cells_marked_fwd, cells_marked_bwd, cells_plain_grad, steps);
        compare(cells_marked_fwd, cells_marked_bwd, cells_marked_grad, steps);
    }
    gw_host_tape_free(&tape);
    return difference_report();
}
