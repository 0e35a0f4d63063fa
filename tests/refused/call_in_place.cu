#include <gradwright/gradwright.h>

// Each half is overwritten before the values of the other are multiplied: nobody keeps what was there.
void products(double *x, int n) {
    if (n < 2) return;
    products(x, n / 2);
    products(x + n / 2, n - n / 2);
    x[0] = x[0] * x[n / 2];
}

GW_GRADIENT("y wrt x")
void total(double *y, double *x, int n) {
    products(x, n);
    y[0] = x[0];
}
// says: call_in_place.cu:7:5: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     products(x + n / 2, n - n / 2);
// says:     ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: call_in_place.cu:8:12: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     x[0] = x[0] * x[n / 2];
// says:            ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: call_in_place.cu:8:19: error: the gradient needs the value of 'x' read here, but the function may have overwritten it before [stale-value]
// says:     x[0] = x[0] * x[n / 2];
// says:                   ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
