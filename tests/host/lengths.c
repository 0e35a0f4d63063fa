#include <math.h>
#include <gradwright/gradwright.h>
#define N 6
#define BOTH(request) GW_GRADIENT(request) GW_DERIVATIVE(request)
/* Arrays whose length an iteration decides. */
BOTH("y wrt x")
void lengths(double *y, double *x, int n) {
    for (int t = 0; t < n; t++) {
        int size = t * t % 4 + 1;
        double part[size + 1], last[size];
        part[size] = x[t];
        for (int i = 0; i < size; i++) part[i] = x[i] * part[size];
        for (int i = 0; i < size; i++) last[i] = sin(part[i]) * part[i + 1];
        for (int i = 1; i < size; i++) last[i] += last[i - 1] * x[i];
        y[t] = last[size - 1] * part[0];
        x[t] = y[t] * 0.5;
    }
}
/* An array that the gradient does not need asks for no memory. */
BOTH("wrt x")
double unneeded(int n, const double *x) {
    double part[n];
    for (int k = 0; k < n; k++) part[k] = x[0];
    return x[1] * x[1] + (part[0] > 1e9);
}

#include "lengths.grad.h"
#include "overwriting.h"
int main(void) {
    const double x[2] = {1, 3}, t_x[2] = {0, 1};
    double d_x[2] = {0}, slope = 0;
    CHECK(lengths, 1);
    unneeded_grad(2, x, d_x);
    EXPECT(d_x[1] == 6 && unneeded_jvp(2, x, t_x, &slope) == 9 && slope == 6);
    return difference_report();
}
