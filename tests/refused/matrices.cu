// Matrices that cannot be made.
#include <gradwright/gradwright.h>

GW_HESSIAN("wrt x")
double without(const double *x) { return x[0] * x[0]; }

GW_HESSIAN("wrt x[0:n]")
double with(double x, int n) { return x * n; }

GW_JACOBIAN("y[0:length()] wrt x[0:2]")
void called(double *y, const double *x) { y[0] = x[0]; }

GW_JACOBIAN("y[0:2] wrt y[0:2]")
void turned(double *y) { y[0] *= y[1]; }

GW_JACOBIAN("y[0:2] wrt x[0:2]")
void mixed(double *y, const float *x) { y[0] = x[0]; }

GW_JACOBIAN("y[0:n] wrt x[0:n]")
__global__ void kernel(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }
// says: matrices.cu:4:1: error: cannot read the request 'wrt x': an array has an extent: 'x[0:n]' [bad-request]
// says: GW_HESSIAN("wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrices.cu:7:1: error: cannot read the request 'wrt x[0:n]': a number has no extent [bad-request]
// says: GW_HESSIAN("wrt x[0:n]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrices.cu:10:1: error: cannot read the request 'y[0:length()] wrt x[0:2]': an extent is made of numbers, + - * / % and the function's integer parameters [bad-request]
// says: GW_JACOBIAN("y[0:length()] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrices.cu:13:1: error: cannot read the request 'y[0:2] wrt y[0:2]': what is an output and an input has no Jacobian: write to another array [bad-request]
// says: GW_JACOBIAN("y[0:2] wrt y[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrices.cu:16:1: error: cannot read the request 'y[0:2] wrt x[0:2]': rows and columns have one type, float or double [bad-request]
// says: GW_JACOBIAN("y[0:2] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrices.cu:19:1: error: the matrix of a kernel, device function or template cannot be differentiated yet [unsupported]
// says: GW_JACOBIAN("y[0:n] wrt x[0:n]")
// says: ^
// says:   way out: ask for GW_HVP, GW_DERIVATIVE or GW_GRADIENT, and run it for each direction
