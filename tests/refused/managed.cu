// Variables that the host and kernels share, of which a program can have no adjoint.
#include <gradwright/gradwright.h>

__managed__ double *where;
__global__ void follow(double *y, const double *x) { y[0] = where[0] * x[0]; }
GW_GRADIENT("y wrt x") void led(double *y, double *x) {
    where = x;
    follow<<<1, 1>>>(y, x);
}

GW_NONDIFFERENTIABLE __managed__ double total;
__global__ void times(double *y, const double *x) { y[0] = total * x[0]; }
GW_GRADIENT("y wrt x") void passive(double *y, const double *x) {
    total = 2;
    times<<<1, 1>>>(y, x);
}
// says: managed.cu:4:21: error: a pointer at file scope cannot be differentiated yet [unsupported]
// says: __managed__ double *where;
// says:                     ^
// says:   way out: pass the pointer as a parameter
// says: managed.cu:11:41: error: a managed variable without a derivative, which a program names, cannot be differentiated yet [unsupported]
// says: GW_NONDIFFERENTIABLE __managed__ double total;
// says:                                         ^
// says:   way out: leave out GW_NONDIFFERENTIABLE
