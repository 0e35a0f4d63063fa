#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x via") void f(float *y, float x) { *y = x; }
// says: via_nothing.cu:3:1: error: cannot read the request 'y wrt x via': no name follows 'via' [bad-request]
// says: GW_GRADIENT("y wrt x via") void f(float *y, float x) { *y = x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
