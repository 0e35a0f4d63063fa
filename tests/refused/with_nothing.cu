#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("y wrt x with") __global__ void f(float *y, const float *x) { *y = *x * *x; }
// says: with_nothing.cu:3:1: error: cannot read the request 'y wrt x with': no name follows 'with' [bad-request]
// says: GW_SPLIT_GRADIENT("y wrt x with") __global__ void f(float *y, const float *x) { *y = *x * *x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
