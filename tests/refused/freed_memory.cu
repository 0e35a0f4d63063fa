#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double late(const double *x, int n) {
    double *t = (double *)malloc(n * sizeof(double));
    t[0] = x[0];
#ifdef OBEYED
    const double y = t[0] * t[0];
    free(t);
    return y;
#else
    free(t);
    return t[0] * t[0];
#endif
}
// obeys: unsupported
// says: freed_memory.cu:14:12: error: memory that was freed cannot be differentiated yet [unsupported]
// says:     return t[0] * t[0];
// says:            ^
// says:   way out: use it between its allocation and its end
