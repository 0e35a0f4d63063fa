#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double grows(double x, int n) {
    double *t = (double *)malloc(sizeof(double));
    t[0] = x;
    t = (double *)realloc(t, n * sizeof(double));
    return t[0] * t[0];
}
// says: realloc.cu:8:19: error: memory that grows cannot be differentiated yet [unsupported]
// says:     t = (double *)realloc(t, n * sizeof(double));
// says:                   ^
// says:   way out: allocate it in its final size
