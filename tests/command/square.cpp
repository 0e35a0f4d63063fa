#include <gradwright/gradwright.h>
GW_GRADIENT("wrt x")
double square(double x) { return x * x; }
double plain(double x, double *y) { return *y = x * 3; }
