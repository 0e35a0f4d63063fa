#include <gradwright/gradwright.h>

float table[8];
struct places {
    const float *a, *b;
};

GW_GRADIENT("wrt x") float two_parameters(const float *x, const float *y, int n) {
    const float *p = n > 1 ? x : y;
    return p == x ? p[1] * x[0] : p[2];
}
GW_GRADIENT("wrt x") float a_parameter_and_a_variable(const float *x) { return x == table ? x[0] : 2 * x[1]; }
GW_GRADIENT("wrt s.a") float two_members(places s) { return s.a != s.b ? s.a[0] * s.b[0] : s.a[1]; }
GW_GRADIENT("wrt x") float order_of_two(const float *x, int n) {
    float a = *x, b = x[1];
    float *p = n ? &a : &b;
    return p < &b ? a : b;
}
// says: compared_pointers.cu:10:12: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says:     return p == x ? p[1] * x[0] : p[2];
// says:            ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:12:80: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") float a_parameter_and_a_variable(const float *x) { return x == table ? x[0] : 2 * x[1]; }
// says:                                                                                ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:13:61: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt s.a") float two_members(places s) { return s.a != s.b ? s.a[0] * s.b[0] : s.a[1]; }
// says:                                                             ^
// says:   way out: compare pointers into one array, or indices
// says: compared_pointers.cu:17:12: error: this comparison of pointers cannot be differentiated yet [unsupported]
// says:     return p < &b ? a : b;
// says:            ^
// says:   way out: compare pointers into one array, or indices
