/* Arguments by their names in C, for a compilation with --named-arguments. */
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x, k")
GW_DERIVATIVE("wrt x, k")
double product(const double *x, double k, int n) {
    double all = k;
    for (int i = 0; i < n; i++) all *= x[i];
    return all;
}
GW_GRADIENT("y wrt x")
void square(double y[2], const double x[2]) {
    for (int i = 0; i < 2; i++) y[i] = x[i] * x[i];
}
#include "named.grad.h"

int main(void) {
    double x[2] = {2, 3}, y[2], d_x[2] = {0}, d_y[2] = {1, 1}, d_k = 0;
    product_grad_named((product_args){.x = x, .k = 4, .n = 2}, (product_adjoints){.d_x = d_x, .d_k = &d_k});
    if (d_x[0] != 12 || d_x[1] != 8 || d_k != 6) return 1;
    square_grad_named((square_args){.y = y, .x = x}, (square_adjoints){.d_y = d_y, .d_x = d_x});
    if (d_x[0] != 16 || d_x[1] != 14) return 2;
    double along = 0;
    const product_tangents t = {.t_x = x, .t_k = 1, .t_return = &along};
    return product_jvp_named((product_args){.x = x, .k = 4, .n = 2}, t) != 24 || along != 54;
}
