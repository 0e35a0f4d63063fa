// What another source keeps to itself: a variable that changes, a recursive function.
// args: others/own_type.cpp
#include <gradwright/gradwright.h>
double with_state(double x);
double with_steps(double x, int n);
GW_GRADIENT("wrt x") double f(double x) { return with_state(x); }
GW_GRADIENT("wrt x") double g(double x, int n) { return with_steps(x, n); }
// says: ./others/own_type.cpp:9:51: error: 'steps' is recursive and is declared in another source alone [recursion]
// says: static int steps(int n) { return n == 0 ? 0 : 1 + steps(n - 1); }
// says:                                                   ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
// says: ./others/own_type.cpp:17:38: error: a variable of another source cannot be differentiated yet [unsupported]
// says: double with_state(double x) { return total += x * x; }
// says:                                      ^
// says:   way out: declare it extern in a header of both sources, and define it in one
