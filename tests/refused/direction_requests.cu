// Requests of several directions that cannot be read.
#include <gradwright/gradwright.h>

GW_DERIVATIVES(0, "wrt x")
double none(double x) { return x * x; }

GW_DERIVATIVES(17, "wrt x")
double many(double x) { return x * x; }

enum { FOUR = 4 };
GW_DERIVATIVES(FOUR, "wrt x")
double named(double x) { return x * x; }

GW_DERIVATIVES(2, "wrt x")
GW_DERIVATIVES(4, "wrt x")
double twice(double x) { return x * x; }
// says: direction_requests.cu:4:1: error: cannot read the request '0: wrt x': the number of directions, from 1 to 16, stands before it: 'f: 4: y wrt x' [bad-request]
// says: GW_DERIVATIVES(0, "wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: direction_requests.cu:7:1: error: cannot read the request '17: wrt x': the number of directions, from 1 to 16, stands before it: 'f: 4: y wrt x' [bad-request]
// says: GW_DERIVATIVES(17, "wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: direction_requests.cu:11:1: error: cannot read the request 'FOUR: wrt x': the number of directions, from 1 to 16, stands before it: 'f: 4: y wrt x' [bad-request]
// says: GW_DERIVATIVES(FOUR, "wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: direction_requests.cu:15:1: error: two requests on 'twice' have the name 'twice_jvps' [request-name-taken]
// says: GW_DERIVATIVES(4, "wrt x")
// says: ^
// says:   way out: give each a name of its own
