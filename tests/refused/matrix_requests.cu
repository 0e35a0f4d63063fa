// Requests of matrices that cannot be read.
#include <gradwright/gradwright.h>

GW_HESSIAN("y[0:2] wrt x[0:2]")
void several(double *y, const double *x) { y[0] = x[0] * x[1]; }

GW_GRADIENT("y[0:2] wrt x")
void gradient(double *y, const double *x) { y[0] = x[0] * x[1]; }

GW_JACOBIAN("y[1:2] wrt x[0:2]")
void later(double *y, const double *x) { y[1] = x[0] * x[1]; }
// says: matrix_requests.cu:4:1: error: cannot read the request 'y[0:2] wrt x[0:2]': a Hessian is that of the number that a function returns: 'wrt x[0:n]' [bad-request]
// says: GW_HESSIAN("y[0:2] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:7:1: error: cannot read the request 'y[0:2] wrt x': only a Hessian and a Jacobian have extents [bad-request]
// says: GW_GRADIENT("y[0:2] wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:10:1: error: cannot read the request 'y[1:2] wrt x[0:2]': an extent is written '[0:n]' [bad-request]
// says: GW_JACOBIAN("y[1:2] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
