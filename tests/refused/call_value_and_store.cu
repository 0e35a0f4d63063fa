#include <gradwright/gradwright.h>

// Returns what the product needs, and writes what the caller sees.
double scan(double *y, const double *x, int n) {
    if (n == 0) return 0;
    double sum = x[0] + scan(y + 1, x + 1, n - 1);
    y[0] = sum;
    return sum;
}

GW_GRADIENT("y wrt x")
void scaled(double *y, const double *x, int n) {
#ifdef OBEYED
    double sums[32], sum = scan(sums, x, n);
    for (int i = 0; i < n && i < 32; i++) y[i] = sums[i];
    y[n] = sum * sum;
#else
    double sum = scan(y, x, n);
    y[n] = sum * sum;
#endif
}
// obeys: call-writes
// says: call_value_and_store.cu:18:18: error: the gradient needs what this call computes, but the call also writes to 'y', which is the caller's [call-writes]
// says:     double sum = scan(y, x, n);
// says:                  ^
// says:   way out: split it into a function that returns the value and one that writes, or pass an array of your own
