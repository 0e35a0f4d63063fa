#include <gradwright/gradwright.h>
GW_GRADIENT("wrt x")
double spring(double k, double x) { return k * x * x; }
