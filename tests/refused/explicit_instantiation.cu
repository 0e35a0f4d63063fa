#include <gradwright/gradwright.h>

// An explicit instantiation is no use: nobody says which one a request means.
template <int N> GW_GRADIENT("wrt x") double f(double x) { return N * x * x; }
template double f<3>(double);
template <class T> struct box {
    T v;
    GW_GRADIENT("wrt x") T times(T x) const { return v * x * x; }
};
template struct box<float>;
// says: explicit_instantiation.cu:4:18: error: no instantiation of the template 'f' is used in this translation unit [no-instance]
// says: template <int N> GW_GRADIENT("wrt x") double f(double x) { return N * x * x; }
// says:                  ^
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
// says: explicit_instantiation.cu:8:5: error: no instantiation of the template 'box::times' is used in this translation unit [no-instance]
// says:     GW_GRADIENT("wrt x") T times(T x) const { return v * x * x; }
// says:     ^
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
