// Reads far outside.
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x") double crash(const double *x, const int *list) { return x[100000000 + list[0]] * x[0]; }

#include "crash.grad.hpp"

int main() { return 0; }
