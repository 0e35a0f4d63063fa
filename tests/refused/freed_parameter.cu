#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double takes(double *x) {
    double y = x[0] * x[0];
#ifndef OBEYED
    free(x);
#endif
    return y;
}
// obeys: unsupported
// says: freed_parameter.cu:8:5: error: freeing what the function did not allocate cannot be differentiated yet [unsupported]
// says:     free(x);
// says:     ^
// says:   way out: free it in the caller
