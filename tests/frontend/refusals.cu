// What the front end refuses, each in a function of its own: message, place and way out are in refusals.cu.out.
#include <gradwright/gradwright.h>
#include <array>
#include <complex>
#include <functional>
#include <map>
#include <math.h>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

union both {
    int i;
    float f;
};
union rows {
    float v[4], m[2][2];
};
struct base {
    float x;
};
struct hiding : base {
    float x;
};
struct shared : virtual base {
    float y;
};
struct owner {
    float x;
    ~owner() { x = 0; }
};
struct shape {
    virtual float area() const { return 1; }
    virtual float volume() const = 0;
};
struct linked {
    float *data;
    linked *next;
    volatile float *port;
};
struct set {
    float x;
    set() : x(1) {}
};
struct made {
    float x;
    made(float v, int k) : x(v * k) {}
    made(int v, int k) : x(v + k) {}
};
struct fixed {
    const float x;
};
struct holder {
    made m;
};
float elsewhere(float x);
float again(const base *b) { return b->x > 0 ? again(b + 1) : b->x; }

#define REFUSED(name) GW_GRADIENT("wrt x") float name(float x, float *p, const float *q, int n)

REFUSED(unset_pointer) { float *t; return x + *t; }
REFUSED(null_pointer) { float *t = nullptr; return x + t[0]; }
REFUSED(tested_unset_pointer) { float *t; return t ? x : 1; }
REFUSED(compared_pointers) { return p == q ? x : 1; }
REFUSED(cast_pointer) { return x + (float)((const int *)q)[0]; }
REFUSED(reinterpreted) { return x + *reinterpret_cast<const float *>(&n); }
REFUSED(scalar_as_array) { float t = 1; return x + (&t)[n]; }
REFUSED(a_union) { both t; t.f = x; return t.f; }
REFUSED(a_row_of_a_second_name) { rows t = {}; t.v[n] = x; return t.m[n % 2][1]; }
REFUSED(a_hidden_member) { hiding t; t.x = x; return t.x; }
REFUSED(a_virtual_base) { shared t; t.y = x; return t.y; }
REFUSED(a_destructor) { for (owner t{x};;) return t.x; }
REFUSED(a_list_that_may_mean_two) { holder t = {{n > 0, 2}}; return x * t.m.x; }
REFUSED(a_pointer_to_rows) { float t[n][n]; return x + (t + 1)[0][0]; }
REFUSED(a_static_variable) { static float t = 0; return t += x; }
REFUSED(a_complex_number) { _Complex int t = 1; return x; }
REFUSED(a_copied_reference) { auto f = [&t = x](float v) { return v * t; }; return f(x); }
REFUSED(a_jump_out_of_an_expression) { return ({ if (n > 0) return x; x * 2; }); }
REFUSED(an_init_statement) { int t = 1; switch (t = n; t) { case 1: return x; } return 1; }
REFUSED(a_map) { std::map<int, float> t; return x * t[n]; }
REFUSED(a_function_of_the_library) { std::unique_ptr<float> t; t.get_deleter(); return x; }
REFUSED(a_tuple_of_references) { auto t = std::forward_as_tuple(x); return std::get<0>(t); }
REFUSED(a_vector_that_grows_somewhere) { std::vector<float> t{x}; t.insert(t.begin(), 2, x); return t[0]; }
REFUSED(a_vector_that_grows_for_long) { std::vector<float> t; while (x > 1) { x /= 2; t.push_back(x); } return t[0]; }
REFUSED(a_vector_that_grows_row_by_row) { std::vector<float> t; for (int i = 0; i < n; i++) for (int k = 0; k < i; k++) t.push_back(x); return t[0]; }
REFUSED(one_of_two_vectors_that_grows) { std::vector<float> t, s; std::vector<float> &r = n ? t : s; r.push_back(x); return t[0]; }
REFUSED(a_vector_of_vectors) { std::vector<std::vector<float>> t(2); return x * t[0][0]; }
REFUSED(an_optional_of_an_array) { std::optional<std::array<float, 2>> t; return t ? x : 1; }
REFUSED(an_owner) { std::unique_ptr<float, void (*)(float *)> t(nullptr, nullptr); return x; }
REFUSED(owned_objects) { auto t = std::make_unique<set[]>(n); return t[0].x; }
REFUSED(a_function_of_any_kind) { std::function<float(float)> t[1]; return t[0](x); }
REFUSED(a_label) { if (n > 0) goto in; while (n < 5) { n++; in: x *= x; } return x; }
REFUSED(an_allocation) { float *t = new float[2]{1, x}; return x + t[0]; }
REFUSED(a_case_inside) { switch (n) { case 1: if (x > 0) { case 2: return x; } } return 1; }
REFUSED(no_rule) { return elsewhere(x); }
REFUSED(a_library_function) { return significandf(x); }
REFUSED(recursion) { base b = {x}; return again(&b); }
REFUSED(a_call_through_a_pointer) { return ((float (*)(float))p)(x); }
GW_GRADIENT("wrt x") float a_virtual_call(float x, const shape &of) { return x * of.area(); }
GW_GRADIENT("wrt x") float a_vector_by_value(float x, std::vector<float> t) { return x * t[0]; }
GW_GRADIENT("wrt x") float a_whole_vector(float x, std::vector<float> &t) { t = std::vector<float>(2); return x * t[0]; }
GW_GRADIENT("wrt x") float a_vector_inside(float x, const std::pair<int, std::vector<float>> &t) { return x * t.second[0]; }
GW_GRADIENT("wrt x") float an_array_by_value(float x, std::array<float, 2> t) { return x * t[0]; }
GW_GRADIENT("wrt x") float a_tuple(float x, const std::tuple<float, int> &t) { return x * std::get<0>(t); }
GW_GRADIENT("wrt x") float variable_arguments(float x, ...) { return x; }
GW_GRADIENT("wrt x") float a_stored_pointer(float x, linked *t, float *p) { t->data = p; return x * t->data[0]; }
GW_GRADIENT("wrt x") float a_stored_row(float x, float **rows) { rows[0]++; return x * rows[0][0]; }
GW_GRADIENT("wrt x") float a_list(float x, const linked *t) { return x * t->next->data[0]; }
GW_GRADIENT("wrt x") float a_volatile_member(float x, linked t) { return x * *t.port; }
GW_GRADIENT("wrt t.dat") float an_unknown_member(linked t) { return t.data[0]; }
GW_GRADIENT("y wrt x") void volatile_memory(volatile float *y, const float *x) { *y = *x; }
GW_GRADIENT("y wrt x") float *a_returned_pointer(float *y, float x) { *y = x; return y; }
GW_GRADIENT("wrt x") linked returned_pointers(float *x) { return {x, nullptr, nullptr}; }
GW_GRADIENT("wrt x") std::tuple<float, int> a_returned_tuple(float x) { return {x, 1}; }
GW_GRADIENT("wrt x") both a_returned_union(float x) { both t; t.f = x; return t; }
GW_DERIVATIVE("wrt x") fixed a_struct_to_be_set(float x) { return {x}; }
GW_DERIVATIVE("wrt x") made a_class_to_be_set(float x) { return {x, 1}; }
GW_DERIVATIVE("wrt x") base beside_an_array(float x, int n) { float t[n]; for (int i = 0; i < n; i++) t[i] = x; return {t[0]}; }
GW_GRADIENT("y wrt x") __global__ void a_kernel(float *y, const float *x) { y[0] = x[0]; }
