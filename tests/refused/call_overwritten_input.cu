#include <gradwright/gradwright.h>

double squares(const double *x, int n) { return n == 0 ? 0 : x[0] * x[0] + squares(x + 1, n - 1); }
void scale(double *x, int n, double by) {
    if (n == 0) return;
    x[0] = x[0] * by;
    scale(x + 1, n - 1, by);
}

GW_GRADIENT("y wrt x, by")
void normed(double *y, double *x, int n, double by) {
    scale(x, n, by);
    y[0] = squares(x, n);
}
/* The call may read before its pointer. */
GW_GRADIENT("x wrt x, by")
void by_neighbour(double *x, int n, double by) {
    if (n == 0) return;
    x[0] = x[0] * by * (n < 3 ? x[-1] : 1);
    by_neighbour(x + 1, n - 1, by);
}
// says: call_overwritten_input.cu:7:5: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     scale(x + 1, n - 1, by);
// says:     ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: call_overwritten_input.cu:13:12: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     y[0] = squares(x, n);
// says:            ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: call_overwritten_input.cu:20:5: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     by_neighbour(x + 1, n - 1, by);
// says:     ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
