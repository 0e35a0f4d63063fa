// What the front end refuses, each in a function of its own: message, place and way out are in refusals.cu.out.
#include <gradwright/gradwright.h>
#include <math.h>

union both {
    int i;
    float f;
};
struct bits {
    unsigned a : 3;
};
struct base {
    float x;
};
struct derived : base {
    float y;
};
struct owner {
    float x;
    ~owner() {}
};
struct shape {
    virtual float area() const { return 1; }
};
struct linked {
    float *data;
};
struct made {
    float x;
    made(float v) : x(v) {}
};
struct holder {
    made m;
};
float elsewhere(float x);
float again(float x) { return x > 0 ? again(x - 1) : x; }

#define REFUSED(name) GW_GRADIENT("wrt x") float name(float x, float *p, const float *q, int n)

REFUSED(two_objects) { const float *t = n > 2 ? p : q; return x * t[0]; }
REFUSED(two_objects_in_a_loop) {
    const float *t = p;
    for (int i = 0; i < n; i++) t = q;
    return x * *t;
}
REFUSED(unset_pointer) { float *t; return x + *t; }
REFUSED(null_pointer) { float *t = nullptr; return x + t[0]; }
REFUSED(tested_pointer) { return p ? x : 1; }
REFUSED(compared_pointers) { return p == q ? x : 1; }
REFUSED(array_of_pointers) { float *t[2] = {p, p}; return x + t[0][0]; }
REFUSED(cast_pointer) { return x + (float)((const int *)q)[0]; }
REFUSED(reinterpreted) { return x + *reinterpret_cast<const float *>(&n); }
REFUSED(scalar_as_array) { float t = 1; return x + (&t)[n]; }
REFUSED(choice_as_target) { float a = 1, b = 2; (n > 0 ? a : b) = x; return a; }
REFUSED(a_union) { both t; t.f = x; return t.f; }
REFUSED(a_bit_field) { bits t{}; return x * t.a; }
REFUSED(a_base_class) { derived t{}; return x * t.y; }
REFUSED(a_destructor) { owner t{x}; return t.x; }
REFUSED(a_virtual_function) { shape t; return x * t.area(); }
REFUSED(a_list_of_a_class) { holder t = {{x}}; return t.m.x; }
REFUSED(a_variable_array) { float t[n]; return x; }
REFUSED(a_static_variable) { static float t = 0; return t += x; }
REFUSED(a_volatile_variable) { volatile float t = x; return t; }
REFUSED(a_complex_number) { _Complex float t = x; return x; }
REFUSED(a_copy_in_a_lambda) { auto f = [=](float v) { return v * n; }; return f(x); }
REFUSED(a_label) { again: if (n > 0) goto again; return x; }
REFUSED(an_allocation) { float *t = new float[2]; return x + t[0]; }
REFUSED(a_statement_expression) { return ({ float t = x; t * 2; }); }
REFUSED(a_conditional_with_one_arm) { return x * (n ?: 3); }
REFUSED(init_in_switch) { switch (int t = n; t) { case 1: return x; } return 1; }
REFUSED(a_range_of_cases) { switch (n) { case 1 ... 3: return x; } return 1; }
REFUSED(a_case_inside) { switch (n) { case 1: if (x > 0) { case 2: return x; } } return 1; }
REFUSED(no_rule) { return elsewhere(x); }
REFUSED(a_library_function) { return tgammaf(x); }
REFUSED(recursion) { return again(x); }
REFUSED(a_call_through_a_pointer) { return ((float (*)(float))p)(x); }
GW_GRADIENT("wrt x") float variable_arguments(float x, ...) { return x; }
GW_GRADIENT("wrt x") float a_struct_with_a_pointer(float x, linked t) { return x * t.data[0]; }
GW_GRADIENT("y wrt x") void a_pointer_to_an_array(float (*y)[3], const float *x) { y[0][0] = *x; }
GW_GRADIENT("y wrt x") void volatile_memory(volatile float *y, const float *x) { *y = *x; }
GW_GRADIENT("wrt x") base a_returned_struct(float x) { return {x}; }
GW_GRADIENT("y wrt x") __global__ void a_kernel(float *y, const float *x) { y[0] = x[0]; }
GW_GRADIENT("y wrt x") void a_launch(float *y, const float *x) { a_kernel<<<1, 1>>>(y, x); }
