// Clang makes `copy` in the place of the result, GCC copies it.
#include <gradwright/gradwright.h>

struct tripling {
    double v;
    explicit tripling(double x) : v(x) {}
    tripling(const tripling &o) : v(3 * o.v) {}
};
tripling either(double x) {
#ifdef OBEYED
    tripling one(x > 1 ? x : -x);
    return one;
#else
    if (x > 1) {
        tripling copy(x);
        return copy;
    }
    return tripling(-x);
#endif
}

GW_GRADIENT("wrt x")
double value(double x) {
    tripling t = either(x);
    return t.v;
}
// obeys: unsupported
// says: returned_variable.cu:16:16: error: a returned variable that a constructor may copy or not cannot be differentiated yet [unsupported]
// says:         return copy;
// says:                ^
// says:   way out: return one variable everywhere
