// The text of the gradient would name a type that another source alone has.
// args: others/own_type.cpp
// obeys: others-alone
#ifdef OBEYED
#include "others/cell.h"
#endif
#include <gradwright/gradwright.h>
double in_cells(const double *x, int n);
GW_GRADIENT("wrt x") double f(const double *x, int n) { return in_cells(x, n); }
// says: gradwright: error: the gradient of 'others_type.cpp' names what another source alone knows: unknown type name 'cell' [others-alone]
// says:   way out: declare it in a header that both sources include
