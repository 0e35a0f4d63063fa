#include <gradwright/gradwright.h>

void halves(double *y, const double *x, int n) {
    if (n == 0) return;
    double *t = new double[n];
    for (int i = 0; i < n; i++) t[i] = x[i] * x[n - 1 - i];
    y[0] = t[n / 2] * t[0];
    delete[] t;
    halves(y + 1, x, n / 2);
}

GW_DERIVATIVE("y wrt x")
void halved(double *y, const double *x, int n) { halves(y, x, n); }
// says: call_forward_memory.cu:13:50: error: forward, a call of a function that returns nothing and has arrays of run-time size cannot be differentiated yet [unsupported]
// says: void halved(double *y, const double *x, int n) { halves(y, x, n); }
// says:                                                  ^
// says:   way out: give its arrays a constant size, or let it return a number
