#include <gradwright/gradwright.h>

void shift(double *y, const double *x, int n) {
    if (n == 0) return;
    y[0] = x[0] * x[0];
    shift(y + 1, x + 1, n - 1);
}

GW_GRADIENT("x wrt x")
#ifdef OBEYED
void shifted(double *x, int n) {
    double copy[32];
    for (int i = 0; i < n && i < 32; i++) copy[i] = x[i];
    shift(x + 1, copy, n - 1);
}
#else
void shifted(double *x, int n) { shift(x + 1, x, n - 1); }
#endif
// obeys: two-pointers
// says: call_two_pointers.cu:17:34: error: two pointers into 'x' are passed to a function that calls itself or has a custom derivative: it is differentiated as if they led to different arrays [two-pointers]
// says: void shifted(double *x, int n) { shift(x + 1, x, n - 1); }
// says:                                  ^
// says:   way out: pass one pointer and an offset, or a copy of the array
