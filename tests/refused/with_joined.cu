#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x with y") __global__ void f(float *y, const float *x) { *y = *x * *x; }
// says: with_joined.cu:3:1: error: cannot read the request 'y wrt x with y': only a split gradient has outputs that stand for its tape, 'with' [bad-request]
// says: GW_GRADIENT("y wrt x with y") __global__ void f(float *y, const float *x) { *y = *x * *x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
