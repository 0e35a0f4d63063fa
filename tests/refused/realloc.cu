#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double grows(double x, int n) {
#ifdef OBEYED
    double *t = (double *)malloc(n * sizeof(double));
#else
    double *t = (double *)malloc(sizeof(double));
#endif
    t[0] = x;
#ifndef OBEYED
    t = (double *)realloc(t, n * sizeof(double));
#endif
    return t[0] * t[0];
}
// obeys: unsupported
// says: realloc.cu:13:19: error: memory that grows cannot be differentiated yet [unsupported]
// says:     t = (double *)realloc(t, n * sizeof(double));
// says:                   ^
// says:   way out: allocate it in its final size
