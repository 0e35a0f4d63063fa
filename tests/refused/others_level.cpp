// Each source has a static variable of a header for itself: what another one's body does with its own.
// args: others/level.cpp
// obeys: unsupported
#include "others/level.h"
#include <gradwright/gradwright.h>
GW_GRADIENT("wrt x") double f(double x) { return level = 3, at_level(x) * level; }
GW_GRADIENT("wrt x") double g(double x) { return levels[1] = 3, at_levels(x) * levels[1]; }
GW_GRADIENT("wrt x") double h(double x) { return at_drawn(x) * x; }
GW_GRADIENT("wrt x") double k(double x) { return scaled(x) * by_header(x); }
GW_GRADIENT("wrt x") double m(double x) { return edge_of_other() == &edge ? x * x : x; }
// says: others_level.cpp:10:50: error: a comparison of addresses of a variable of which each source has its own cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double m(double x) { return edge_of_other() == &edge ? x * x : x; }
// says:                                                  ^
// says:   way out: compare indices, or declare it extern in the header, and define it in one source
// says: ./others/level.h:14:38: error: a variable of which each source has its own cannot be differentiated yet [unsupported]
// says: double scaled(double x) { return x * level; }
// says:                                      ^
// says:   way out: declare it extern in a header of both sources, and define it in one
// says: ./others/level.cpp:7:40: error: a variable of which each source has its own cannot be differentiated yet [unsupported]
// says: double at_level(double x) { return x * level; }
// says:                                        ^
// says:   way out: declare it extern in a header of both sources, and define it in one
// says: ./others/level.cpp:8:41: error: a variable of which each source has its own cannot be differentiated yet [unsupported]
// says: double at_levels(double x) { return x * levels[1]; }
// says:                                         ^
// says:   way out: declare it extern in a header of both sources, and define it in one
// says: ./others/level.cpp:9:40: error: a variable of which each source has its own cannot be differentiated yet [unsupported]
// says: double at_drawn(double x) { return x * drawn; }
// says:                                        ^
// says:   way out: declare it extern in a header of both sources, and define it in one
