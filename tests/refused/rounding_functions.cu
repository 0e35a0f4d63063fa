// A function of mathematics whose error is not in rounding.def, and one that calls itself.
#include <gradwright/gradwright.h>
#include <cmath>

#ifdef OBEYED
GW_ERROR("wrt x") double wave(double x, double j0_of_x) { return x * j0_of_x; }
#else
GW_ERROR("wrt x") double wave(double x) { return x * j0(x); }
#endif

double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
#ifdef OBEYED
GW_ERROR("wrt x") double raised(double x) { return x * x * x + 1; }
#else
GW_ERROR("wrt x") double raised(double x) { return power(x, 3) + 1; }
#endif
// obeys: no-rounding
// says: rounding_functions.cu:8:54: error: what j0 rounds is not known, so there is no bound of the rounding error [no-rounding]
// says: GW_ERROR("wrt x") double wave(double x) { return x * j0(x); }
// says:                                                      ^
// says:   way out: compute it outside and pass it as a parameter, or write it by arithmetic and functions of <math.h>
// says: rounding_functions.cu:15:52: error: what a call of 'power' rounds is not known, so there is no bound of the rounding error [no-rounding]
// says: GW_ERROR("wrt x") double raised(double x) { return power(x, 3) + 1; }
// says:                                                    ^
// says:   way out: compute it outside and pass it as a parameter, or write it by arithmetic and functions of <math.h>
