// Sparse Jacobians that cannot be made.
#include <gradwright/gradwright.h>

GW_JACOBIAN("sparse y[0:2] wrt x[0:2]")
void scratch(double *y, int *calls, const double *x) { y[0] = x[0] * x[1], y[1] = x[++*calls % 2]; }

struct pair {
    double a, b;
};
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]")
void structs(double *y, const double *x, int n) {
    pair p[8];
    for (int i = 0; i < n; i++) p[i % 8].a = x[i] * x[i], p[(i + 3) % 8].b = x[i];
    for (int i = 0; i < n; i++) y[i] = p[i % 3].a * p[i % 5].b;
}

static void fill(double *to, const double *from, int n) {
    if (n <= 0) return;
    to[0] = from[0] * from[0];
    fill(to + 1, from + 1, n - 1);
}
GW_JACOBIAN("sparse y[0:n] wrt x[0:n]")
void recursive(double *y, const double *x, int n) { fill(y, x, n); }

GW_JACOBIAN("sparse y[0:1] wrt x[0:1]")
void used_up(double *y, double *x) { *y = *x * *x, *x = 1; }
// says: sparse.cu:4:1: error: the sparse Jacobian of a function that reads what it writes, no output, cannot be differentiated yet [unsupported]
// says: GW_JACOBIAN("sparse y[0:2] wrt x[0:2]")
// says: ^
// says:   way out: keep that in variables and arrays of the function, or leave out 'sparse'
// says: sparse.cu:12:10: error: an array of structs in a sparse Jacobian cannot be differentiated yet [unsupported]
// says:     pair p[8];
// says:          ^
// says:   way out: keep the members in arrays of their own, or leave out 'sparse'
// says: sparse.cu:23:53: error: a sparse Jacobian through the call of 'fill', which calls itself, cannot be differentiated yet [unsupported]
// says: void recursive(double *y, const double *x, int n) { fill(y, x, n); }
// says:                                                     ^
// says:   way out: leave out 'sparse'
// says: sparse.cu:25:1: error: the sparse Jacobian of a function that reads what it writes, no output, cannot be differentiated yet [unsupported]
// says: GW_JACOBIAN("sparse y[0:1] wrt x[0:1]")
// says: ^
// says:   way out: keep that in variables and arrays of the function, or leave out 'sparse'
