#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double twice(double x) {
    double *t = new double(x);
    double y = *t * x;
#ifdef OBEYED
    delete t;
#else
    delete t;
    delete t;
#endif
    return y;
}
// obeys: unsupported
// says: freed_twice.cu:11:5: error: memory that was freed cannot be differentiated yet [unsupported]
// says:     delete t;
// says:     ^
// says:   way out: use it between its allocation and its end
