// Two sources include a header that has no include guard.
// args: others/unguarded.cpp
// obeys: no-guard
#include "others/unguarded.h"
#include <gradwright/gradwright.h>
GW_GRADIENT("wrt x") double f(double x) { return marked(mark{x}) * x; }
// says: ./others/unguarded.h:4:8: error: './others/unguarded.h' has no include guard, so another source that includes it cannot be read behind 'others_guard.cpp' [no-guard]
// says: struct mark {
// says:        ^
// says:   way out: begin it with #pragma once
