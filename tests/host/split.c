/* Split gradients of functions of the host: f_fwd leaves records on the caller's tape, f_bwd takes them off.
 * Against differences of a loss that is computed between the halves, and on one tape in a chain of functions.
 */
#include <math.h>

#include <gradwright/gradwright.h>

/* A recurrence with a stop, a branch, and memory that it reads and overwrites. */
GW_SPLIT_GRADIENT("y wrt x, p")
GW_GRADIENT("joined = y wrt x, p")
void recurrence(double *y, const double *x, double p, int n) {
    double v = x[0];
    for (int k = 0; k < n; k++) {
        if (v > 3) break;
        if (k % 3 == 1) v += sin(v * p) * x[k % 4];
        else v = v * x[k % 4] + p;
    }
    y[0] = v * v;
    y[1] = y[0] * x[1];
}

/* In place: what is overwritten is recorded. */
GW_SPLIT_GRADIENT("x wrt x")
void in_place(double *x, int n) {
    for (int k = 0; k < n; k++) x[k] = x[k] * x[(k + 1) % n] + 0.1;
}

/* Local arrays, of constant and of run-time size, and loops in loops. */
GW_SPLIT_GRADIENT("y wrt x")
void layers(double *y, const double *x, int n, int depth) {
    double state[n], turned[3] = {0};
    for (int i = 0; i < n; i++) state[i] = x[i];
    for (int d = 0; d < depth; d++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += state[i] * x[i];
        for (int i = 0; i < n; i++) state[i] = tanh(state[i] * sum);
        turned[d % 3] += sum * turned[(d + 1) % 3] + state[0];
    }
    for (int i = 0; i < n; i++) y[i] = state[i] * turned[i % 3];
}

/* Nothing to record but the check value. */
GW_SPLIT_GRADIENT("y wrt x")
void linear(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) y[i] = 2 * x[i] + 1;
}

/* What a function returns goes to a pointer, and its adjoint comes in as a number. */
GW_SPLIT_GRADIENT("wrt x")
double returned(const double *x, int n) {
    double product = 1;
    for (int k = 0; k < n; k++) product = product * x[k] + 0.5;
    return product;
}
GW_SPLIT_GRADIENT("y wrt x")
int counted(double *y, double x, int most) {
    int k = 0;
    double v = x;
    while (k < most && v < 2) v *= 1 + v, k++;
    *y = v;
    return k;
}

#include "split.grad.h"

#include "difference.h"

enum { N = 5 };
static gw_host_tape tape = GW_HOST_TAPE;

static double half_square(const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += 0.5 * y[i] * y[i];
    return sum;
}

static int steps;
static double loss_recurrence(const double *at) {
    double y[2];
    recurrence(y, at, at[4], steps);
    return half_square(y, 2);
}
static double loss_in_place(const double *at) {
    double x[N];
    memcpy(x, at, sizeof x);
    in_place(x, N);
    return half_square(x, N);
}
static double loss_layers(const double *at) {
    double y[N];
    layers(y, at, N, 4);
    return half_square(y, N);
}
/* in_place on what layers made of it, linear on that */
static double loss_chain(const double *at) {
    double y[N], z[N];
    layers(y, at, N, 3);
    in_place(y, N);
    linear(z, y, N);
    return half_square(z, N);
}

static void halves_of_recurrence(const double *at) {
    for (steps = 0; steps < 12; steps++) {
        double y[2] = {7, 7}, primal[2], d_x[5] = {0}, other[5] = {0};
        recurrence(primal, at, at[4], steps);
        EXPECT(recurrence_fwd(y, at, at[4], steps, &tape) == GW_OK);
        EXPECT(memcmp(y, primal, sizeof y) == 0);
        double d_y[2] = {y[0], y[1]}, same[2] = {y[0], y[1]};
        y[0] = y[1] = 99; /* nothing is read from there again */
        EXPECT(recurrence_bwd(y, at, at[4], steps, d_y, d_x, d_x + 4, &tape) == GW_OK);
        EXPECT(tape.top == tape.base);
        EXPECT(d_y[0] == 0 && d_y[1] == 0);
        check("recurrence", loss_recurrence, at, 5, d_x);
        EXPECT(joined(y, at, at[4], steps, same, other, other + 4) == GW_OK);
        for (int i = 0; i < 5; i++) EXPECT(fabs(d_x[i] - other[i]) <= 1e-14 * (1 + fabs(other[i])));
    }
}

static void halves_of_arrays(const double *at) {
    double x[N], y[N], d[N] = {0}, d_y[N];
    memcpy(x, at, sizeof x);
    EXPECT(in_place_fwd(x, N, &tape) == GW_OK);
    memcpy(d, x, sizeof d);
    EXPECT(in_place_bwd(x, N, d, &tape) == GW_OK);
    check("in_place", loss_in_place, at, N, d);
    memset(d, 0, sizeof d);
    EXPECT(layers_fwd(y, at, N, 4, &tape) == GW_OK);
    memcpy(d_y, y, sizeof d_y);
    EXPECT(layers_bwd(y, at, N, 4, d_y, d, &tape) == GW_OK);
    EXPECT(tape.top == tape.base && !tape.blocks);
    check("layers", loss_layers, at, N, d);
}

static void one_tape(const double *at) {
    double y[N], z[N], d_z[N], d_y[N] = {0}, d_x[N] = {0};
    EXPECT(layers_fwd(y, at, N, 3, &tape) == GW_OK);
    EXPECT(in_place_fwd(y, N, &tape) == GW_OK);
    EXPECT(linear_fwd(z, y, N, &tape) == GW_OK);
    memcpy(d_z, z, sizeof d_z);
    EXPECT(linear_bwd(z, y, N, d_z, d_y, &tape) == GW_OK);
    EXPECT(in_place_bwd(y, N, d_y, &tape) == GW_OK);
    EXPECT(layers_bwd(y, at, N, 3, d_y, d_x, &tape) == GW_OK);
    EXPECT(tape.top == tape.base);
    check("chain", loss_chain, at, N, d_x);
}

static double loss_returned(const double *at) {
    const double r = returned(at, N);
    return sin(r);
}
static double loss_counted(const double *at) {
    double y;
    return counted(&y, at[0], 9) * 0 + y * y;
}

static void results(const double *at) {
    double r = 0, d_x[N] = {0}, y = 0, d_y = 0, d = 0;
    EXPECT(returned_fwd(at, N, &r, &tape) == GW_OK);
    EXPECT(r == returned(at, N));
    EXPECT(returned_bwd(at, N, cos(r), d_x, &tape) == GW_OK);
    check("returned", loss_returned, at, N, d_x);
    int trips = 0;
    EXPECT(counted_fwd(&y, at[0], 9, &trips, &tape) == GW_OK);
    EXPECT(trips == counted(&d_y, at[0], 9) && y == d_y);
    d_y = 2 * y;
    EXPECT(counted_bwd(&y, at[0], 9, &d_y, &d, &tape) == GW_OK);
    check("counted", loss_counted, at, 1, &d);
}

/* Refused before anything is touched. */
static void wrong_tapes(const double *at) {
    double y[2], d_y[2] = {1, 1}, d_x[5] = {0};
    EXPECT(recurrence_bwd(y, at, at[4], 3, d_y, d_x, d_x + 4, &tape) == GW_ERROR_ARGUMENT);
    EXPECT(strcmp(gw_last_error(), "recurrence_bwd: the last on the tape is not what recurrence_fwd left there "
                                   "for the same numbers") == 0);
    EXPECT(recurrence_fwd(y, at, at[4], 3, &tape) == GW_OK);
    EXPECT(recurrence_bwd(y, at, at[4], 4, d_y, d_x, d_x + 4, &tape) == GW_ERROR_ARGUMENT);
    EXPECT(recurrence_bwd(y, at, at[4] + 1, 3, d_y, d_x, d_x + 4, &tape) == GW_ERROR_ARGUMENT);
    double z[N], d_z[N] = {0};
    EXPECT(in_place_bwd(z, N, d_z, &tape) == GW_ERROR_ARGUMENT);
    EXPECT(d_y[0] == 1 && d_y[1] == 1 && d_x[0] == 0 && d_x[4] == 0);
    EXPECT(recurrence_bwd(y, at, at[4], 3, d_y, d_x, d_x + 4, &tape) == GW_OK);
    EXPECT(recurrence_bwd(y, at, at[4], 3, d_y, d_x, d_x + 4, &tape) == GW_ERROR_ARGUMENT);
}

int main(void) {
    const double at[N] = {0.7, 0.4, 0.9, -0.3, 0.5};
    halves_of_recurrence(at);
    halves_of_arrays(at);
    one_tape(at);
    results(at);
    wrong_tapes(at);
    gw_host_tape_free(&tape);
    return difference_report();
}
