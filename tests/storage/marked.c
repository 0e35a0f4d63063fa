/* What GW_STORE and GW_RECOMPUTE make of the choices; "// says:" lines are what --explain says, in order. The
 * gradients are checked in tests/host/marks.c and tests/adjoint/marks.cu. */
#include <math.h>

#include <gradwright/gradwright.h>

/* The function of stored.c that stores t only: its factors are cheap. */
// says: factors_grad
// says: stores t (8 bytes) because to compute it again costs more
// says: stores a (8 bytes) because GW_STORE asks for it
// says: keeps tape_t, tape_a: on the tape
GW_GRADIENT("y wrt x")
void factors(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double t = tanh(v), a = t + 1.5, b = t - x[k];
        GW_STORE(a);
        v = a * b * (a + b) * (b - 2 * t);
    }
    *y = v;
}

/* And t computed again, from what the loop carries. */
// says: from_carried_grad
// says: stores v (8 bytes) because a loop carries it
// says: keeps tape_v: on the tape
GW_GRADIENT("y wrt x")
void from_carried(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        double t = tanh(v), a = t + 1.5, b = t - x[k];
        GW_RECOMPUTE(t);
        v = a * b * (a + b) * (b - 2 * t);
    }
    *y = v;
}

/* No formula needs the sum: a mark stores nothing. */
// says: not_needed_grad
GW_GRADIENT("y wrt x")
void not_needed(double *y, const double *x, int n) {
    double v = 1;
    for (int k = 0; k < n; k++) {
        v += x[k] * x[k];
        GW_STORE(v);
    }
    *y = v;
}
