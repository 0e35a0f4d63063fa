#include <gradwright/gradwright.h>

// A limit of a known range that may be another one each time: the counter may step over it.
GW_GRADIENT("y wrt x")
__global__ void f(double *y, const double *x, int n) {
    int i = threadIdx.x, j = 0;
    double v = x[i];
    do {
        j++;
        v = v * v * x[j];
    } while (j != (i + (v > 0.5)) % 4);
    y[i] = v;
}
// says: tape_bound_unequal.cu:8:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     do {
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter
