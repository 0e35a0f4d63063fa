// Tables of rows have no parameters, by which overloads could be told apart.
#include <gradwright/gradwright.h>

GW_ERROR("wrt x") double square(double x) { return x * x; }
GW_ERROR("wrt x") float square(float x) { return x * x; }
// says: rounding_overloads.cu:5:1: error: derivatives of 'square' and of 'square' are both called 'square_error' and cannot be told apart [name-collision]
// says: GW_ERROR("wrt x") float square(float x) { return x * x; }
// says: ^
// says:   way out: name one of the requests: 'NAME = outputs wrt inputs'
