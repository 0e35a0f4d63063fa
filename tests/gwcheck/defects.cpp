// The same of the host.
#include <gradwright/gradwright.h>

// a pullback that writes to what it is given
double first(double *x) { return x[0] * x[0]; }
GW_DERIVATIVE_OF("pullback of first") void first_back(double *x, double d_return, double *d_x) {
    d_x[0] += 2 * x[0] * d_return;
    x[1] = 7;
}
GW_GRADIENT("wrt x") double primal_bytes(double *x) { return first(x); }

// the forward derivative is wrong, the gradient is not
double square_of(double x) { return x * x; }
GW_DERIVATIVE_OF("pullback of square_of") void square_of_back(double x, double d_return, double *d_x) {
    *d_x += 2 * x * d_return;
}
GW_DERIVATIVE_OF("jvp of square_of") double square_of_forward(double x, double t_x, double *t_return) {
    *t_return = 2.2 * x * t_x;
    return x * x;
}
GW_GRADIENT("wrt x") double forward_mode(double x) { return square_of(x) + x; }

// a pullback overwrites the adjoint instead of adding to it
double square_at(double *x) { return x[0] * x[0]; }
GW_DERIVATIVE_OF("pullback of square_at") void square_at_back(double *x, double d_return, double *d_x) {
    d_x[0] = 2 * x[0] * d_return;
}
GW_GRADIENT("wrt x") double added(double *x) { return square_at(x); }

// no slope is greater than what rounding does to the sum
GW_GRADIENT("wrt x") float drowned(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += 1e5f + x[i];
    return sum;
}

// small beside the sum, but not so small
float part(float x) { return x; }
GW_DERIVATIVE_OF("pullback of part") void part_back(float x, float d_return, float *d_x) {
    *d_x += x + 2e4f * d_return;
}
GW_GRADIENT("wrt x") float shallow(const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += 10 + part(x[i]);
    return sum;
}

// no defect: many small jumps, of which a direction crosses some and a cell alone none
GW_GRADIENT("y wrt x") void jumps(double *y, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            if (x[k] - x[i] < 0.25 && x[i] - x[k] < 0.25) sum += x[k] * x[k] * x[i];
        y[i] = sum;
    }
}

#include "defects.grad.hpp"

int main() { return 0; }
