#include <gradwright/gradwright.h>

double sum(const double *x, int n) { return n == 0 ? 0 : x[0] * x[0] + sum(x + 1, n - 1); }

GW_GRADIENT("wrt x, y")
#ifdef OBEYED
double either(const double *x, const double *y, int n) { return n > 2 ? sum(x, n) : sum(y, n); }
#else
double either(const double *x, const double *y, int n) { return sum(n > 2 ? x : y, n); }
#endif
// obeys: unsupported
// says: call_one_of_two.cu:9:69: error: a pointer to one of several arrays that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says: double either(const double *x, const double *y, int n) { return sum(n > 2 ? x : y, n); }
// says:                                                                     ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
