#include <gradwright/gradwright.h>

float table[8];
struct places {
    const float *a, *b;
};

GW_GRADIENT("wrt x") float two_parameters(const float *x, const float *y, int n) {
#ifdef OBEYED
    return n > 1 ? x[1] * x[0] : y[2];
#else
    const float *p = n > 1 ? x : y;
    return p == x ? p[1] * x[0] : p[2];
#endif
}
#ifdef OBEYED
GW_GRADIENT("wrt x") float a_parameter_and_a_variable(const float *x, bool own) { return own ? x[0] : 2 * x[1]; }
#else
GW_GRADIENT("wrt x") float a_parameter_and_a_variable(const float *x) { return x == table ? x[0] : 2 * x[1]; }
#endif
#ifdef OBEYED
GW_GRADIENT("wrt s.a") float two_members(places s) { return s.a + 1 != s.a ? s.a[0] * s.b[0] : s.a[1]; }
#else
GW_GRADIENT("wrt s.a") float two_members(places s) { return s.a != s.b ? s.a[0] * s.b[0] : s.a[1]; }
#endif
GW_GRADIENT("wrt x") float order_of_two(const float *x, int n) {
#ifdef OBEYED
    float of[2] = {*x, x[1]};
    float *p = n ? &of[0] : &of[1];
    return p < &of[1] ? of[0] : of[1];
#else
    float a = *x, b = x[1];
    float *p = n ? &a : &b;
    return p < &b ? a : b;
#endif
}
// obeys: unsupported
// says: compared_pointers.cu:13:12: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says:     return p == x ? p[1] * x[0] : p[2];
// says:            ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:19:80: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") float a_parameter_and_a_variable(const float *x) { return x == table ? x[0] : 2 * x[1]; }
// says:                                                                                ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:24:61: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt s.a") float two_members(places s) { return s.a != s.b ? s.a[0] * s.b[0] : s.a[1]; }
// says:                                                             ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:34:12: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says:     return p < &b ? a : b;
// says:            ^
// says:   way out: compare pointers into one array, or indices
