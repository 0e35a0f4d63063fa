#include <gradwright/gradwright.h>

// Which of two numbers of one type is selected is not seen.
GW_GRADIENT("wrt x") double chosen(double x, int n) { return _Generic(n, int: x * x, long: 2 * x); }
