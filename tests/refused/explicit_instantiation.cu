#include <gradwright/gradwright.h>

// An explicit instantiation that a macro writes is not seen; a class's overloaded members are not told apart.
#define INSTANCE(n) template double f<n>(double)
template <int N> GW_GRADIENT("wrt x") double f(double x) { return N * x * x; }
INSTANCE(3);
template <class T> struct box {
    T v;
    GW_GRADIENT("wrt x") T times(T x) const { return v * x * x; }
    T times(T x, T y) const { return x * y; }
};
template struct box<float>;
// says: explicit_instantiation.cu:5:18: error: no instantiation of the template 'f' is used in this translation unit [no-instance]
// says: template <int N> GW_GRADIENT("wrt x") double f(double x) { return N * x * x; }
// says:                  ^
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
// says: explicit_instantiation.cu:9:5: error: no instantiation of the template 'box::times' is used in this translation unit [no-instance]
// says:     GW_GRADIENT("wrt x") T times(T x) const { return v * x * x; }
// says:     ^
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
