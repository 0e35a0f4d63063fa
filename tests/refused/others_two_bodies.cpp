// Two other sources have a body of one function.
// args: others/body.cpp others/two_bodies.cpp
// obeys: two-bodies
// obeyed-args: others/body.cpp
#include <gradwright/gradwright.h>
double elsewhere(double x);
GW_GRADIENT("wrt x") double f(double x) { return elsewhere(x) * x; }
// says: others_two_bodies.cpp:7:50: error: 'others/body.cpp' and 'others/two_bodies.cpp' both have a body of 'elsewhere' [two-bodies]
// says: GW_GRADIENT("wrt x") double f(double x) { return elsewhere(x) * x; }
// says:                                                  ^
// says:   way out: name the sources of one program
