// A model that is not there.
#include <gradwright/gradwright.h>

GW_ERROR("wrt x by nobody") double missing(double x) { return x * x; }
// says: rounding_model.cu:4:1: error: cannot read the request 'wrt x by nobody': behind 'by' stands a function, double model(double adjoint, double value, const gw_error_row *row) [bad-request]
// says: GW_ERROR("wrt x by nobody") double missing(double x) { return x * x; }
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
