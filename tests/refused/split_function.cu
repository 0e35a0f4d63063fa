#include <gradwright/gradwright.h>

GW_SPLIT_GRADIENT("wrt x")
float square(float x) { return x * x; }
// says: split_function.cu:3:1: error: a function that is no kernel, in two halves, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("wrt x")
// says: ^
// says:   way out: ask for GW_GRADIENT, which runs both in one call
