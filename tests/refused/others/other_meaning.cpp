#define REAL float
#include "real.h"
double narrowed(double x) { return rounded(x) * x; }
