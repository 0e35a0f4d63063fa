// A function in whose place OpenMP calls another.
#include <gradwright/gradwright.h>

static double thrice(double x) { return 3 * x; }
#ifndef OBEYED
#pragma omp declare variant(thrice) match(user = {condition(1)})
#endif
static double twice(double x) { return 2 * x; }
GW_GRADIENT("wrt x")
double f(double x) { return twice(x) + thrice(x * x); }
