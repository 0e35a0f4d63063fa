// Requests of second derivatives that mean nothing.
#include <gradwright/gradwright.h>

GW_HVP("wrt x") GW_GRADIENT("same_hvp = wrt x")
double same(double x) { return x * x; }

GW_HVP("y wrt x with y")
void kept(double *y, const double *x) { y[0] = x[0]; }
// says: second_requests.cu:4:17: error: two requests on 'same' have the name 'same_hvp' [request-name-taken]
// says: GW_HVP("wrt x") GW_GRADIENT("same_hvp = wrt x")
// says:                 ^
// says:   way out: give each a name of its own
// says: second_requests.cu:7:1: error: cannot read the request 'y wrt x with y': only a split gradient has outputs that stand for its tape, 'with' [bad-request]
// says: GW_HVP("y wrt x with y")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
