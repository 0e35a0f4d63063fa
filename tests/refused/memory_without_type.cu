#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double untyped(double x) {
#ifdef OBEYED
    double *t = (double *)malloc(8);
    *t = x;
    return *t * x;
#else
    void *t = malloc(8);
    *(double *)t = x;
    return *(double *)t * x;
#endif
}
// obeys: unsupported
// says: memory_without_type.cu:11:15: error: memory without a type cannot be differentiated yet [unsupported]
// says:     void *t = malloc(8);
// says:               ^
// says:   way out: assign it to a pointer to its elements at once
