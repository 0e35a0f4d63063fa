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
#include "lengths.grad.h"
#include "overwriting.h"
int main(void) { CHECK(lengths, 1); return difference_report(); }
