// A row of a sparse Jacobian that is none.
#include <gradwright/gradwright.h>

GW_JACOBIAN("one_row = sparse y wrt x[0:2]")
void array(double *y, const double *x) { y[0] = x[0] * x[1]; }
// says: sparse_rows.cu:4:1: error: cannot read the request 'one_row = sparse y wrt x[0:2]': an array has an extent: 'x[0:n]' [bad-request]
// says: GW_JACOBIAN("one_row = sparse y wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
