// Adjoints that cannot be new.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x fresh")
__global__ void no_extent(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x, k[0:1] fresh")
__global__ void number(float *y, const float *x, float k) { y[threadIdx.x] = k * x[threadIdx.x]; }

GW_GRADIENT("x wrt x[0:n] fresh")
__global__ void in_place(float *x, int n) {
    if (threadIdx.x < n) x[threadIdx.x] *= x[threadIdx.x];
}

GW_GRADIENT("wrt x[0:n] fresh")
double on_host(const double *x, int n) { return x[n - 1]; }

struct arrays {
    float *of, k;
};
GW_GRADIENT("y wrt a.k fresh")
__global__ void member(float *y, arrays a, int n) {
    if (threadIdx.x < n) y[threadIdx.x] = a.k * a.of[threadIdx.x];
}

GW_GRADIENT("y wrt x[0:rows()] fresh")
__global__ void called(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says: fresh.cu:4:1: error: cannot read the request 'y wrt x fresh': an array has an extent: 'x[0:n]' [bad-request]
// says: GW_GRADIENT("y wrt x fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: fresh.cu:7:1: error: cannot read the request 'y wrt x, k[0:1] fresh': a number has no extent [bad-request]
// says: GW_GRADIENT("y wrt x, k[0:1] fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: fresh.cu:10:1: error: cannot read the request 'x wrt x[0:n] fresh': the adjoint of an output is given: it is not 'fresh' [bad-request]
// says: GW_GRADIENT("x wrt x[0:n] fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: fresh.cu:15:1: error: cannot read the request 'wrt x[0:n] fresh': adjoints that are new, 'fresh', are those of a kernel [bad-request]
// says: GW_GRADIENT("wrt x[0:n] fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: fresh.cu:21:1: error: cannot read the request 'y wrt a.k fresh': what is 'fresh' is a number, or a pointer, also one in a struct by value [bad-request]
// says: GW_GRADIENT("y wrt a.k fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: fresh.cu:26:1: error: cannot read the request 'y wrt x[0:rows()] fresh': an extent is made of numbers, + - * / % and the function's integer parameters [bad-request]
// says: GW_GRADIENT("y wrt x[0:rows()] fresh")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
