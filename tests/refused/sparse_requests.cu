// Requests of sparse matrices that cannot be read.
#include <gradwright/gradwright.h>

GW_HESSIAN("sparse x wrt x[0:2]")
double hessian(const double *x) { return x[0] * x[1]; }

GW_GRADIENT("sparse y wrt x")
void gradient(double *y, const double *x) { y[0] = x[0]; }

GW_JACOBIAN("sparse wrt x[0:2]")
double one(const double *x) { return x[0] * x[1]; }
// says: sparse_requests.cu:4:1: error: cannot read the request 'sparse x wrt x[0:2]': only a Jacobian can be sparse [bad-request]
// says: GW_HESSIAN("sparse x wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: sparse_requests.cu:7:1: error: cannot read the request 'sparse y wrt x': only a Jacobian can be sparse [bad-request]
// says: GW_GRADIENT("sparse y wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: sparse_requests.cu:10:1: error: cannot read the request 'sparse wrt x[0:2]': a sparse Jacobian has several rows: 'sparse y[0:m] wrt x[0:n]' [bad-request]
// says: GW_JACOBIAN("sparse wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
