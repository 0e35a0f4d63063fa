#include <gradwright/gradwright.h>

// It is not seen which of two numbers of one type is selected.
GW_GRADIENT("wrt x") double chosen(double x, int n) { return _Generic(n, int: x * x, long: 2 * x); }
