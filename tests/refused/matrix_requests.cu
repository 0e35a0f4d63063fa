// Requests with extents that cannot be read.
#include <gradwright/gradwright.h>

GW_HESSIAN("y[0:2] wrt x[0:2]")
void several(double *y, const double *x) { y[0] = x[0] * x[1]; }

GW_GRADIENT("y[0:2] wrt x")
void gradient(double *y, const double *x) { y[0] = x[0] * x[1]; }

GW_JACOBIAN("y[1:2] wrt x[0:2]")
void later(double *y, const double *x) { y[1] = x[0] * x[1]; }

GW_GRADIENT("y fresh wrt x")
__global__ void output(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_DERIVATIVE("y wrt x[0:n] fresh")
__global__ void forward(float *y, const float *x, int n) {
    if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];
}
// says: matrix_requests.cu:4:1: error: cannot read the request 'y[0:2] wrt x[0:2]': a Hessian is that of the number that a function returns: 'wrt x[0:n]' [bad-request]
// says: GW_HESSIAN("y[0:2] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:7:1: error: cannot read the request 'y[0:2] wrt x': only a Hessian, a Jacobian and what is 'fresh' have extents [bad-request]
// says: GW_GRADIENT("y[0:2] wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:10:1: error: cannot read the request 'y[1:2] wrt x[0:2]': an extent is written '[0:n]' [bad-request]
// says: GW_JACOBIAN("y[1:2] wrt x[0:2]")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:13:1: error: cannot read the request 'y fresh wrt x': 'fresh' stands behind names that follow 'wrt' [bad-request]
// says: GW_GRADIENT("y fresh wrt x")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: matrix_requests.cu:16:1: error: cannot read the request 'y wrt x[0:n] fresh': only a gradient has adjoints that are new, 'fresh' [bad-request]
// says: GW_DERIVATIVE("y wrt x[0:n] fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
