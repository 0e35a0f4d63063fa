// A function of mathematics whose error is not in rounding.def, and one that calls itself.
#include <gradwright/gradwright.h>
#include <cmath>

GW_ERROR("wrt x") double wave(double x) { return x * j0(x); }

double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
GW_ERROR("wrt x") double raised(double x) { return power(x, 3) + 1; }
// says: rounding_functions.cu:5:54: error: what j0 rounds is not known, so there is no bound of the rounding error [no-rounding]
// says: GW_ERROR("wrt x") double wave(double x) { return x * j0(x); }
// says:                                                      ^
// says:   way out: compute it outside and pass it as a parameter, or write it by arithmetic and functions of <math.h>
// says: rounding_functions.cu:8:52: error: what a call of 'power' rounds is not known, so there is no bound of the rounding error [no-rounding]
// says: GW_ERROR("wrt x") double raised(double x) { return power(x, 3) + 1; }
// says:                                                    ^
// says:   way out: compute it outside and pass it as a parameter, or write it by arithmetic and functions of <math.h>
