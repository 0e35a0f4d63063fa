// What is refused seldom, each in a function of its own: message, place and way out are in rare_refusals.cu.out.
#include <gradwright/gradwright.h>

#include <array>
#include <atomic>
#include <map>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

struct polymorphic {
    virtual ~polymorphic() = default;
};
struct refers {
    float &x;
};
struct many {
    float f[2];
};
struct unnamed {
    float x;
    int : 3;
};
struct kept {
    float scale;
    auto copies() const {
        return [*this](float v) { return v * scale; };
    }
};
typedef float wide __attribute__((vector_size(16)));
struct base {
    float x;
};
struct derived : base {
    float y;
};
struct squared {
    float x;
    template <class T> squared(T v) : x(v * v) {}
};
struct inheriting : squared {
    using squared::squared;
};
struct flexible {
    int n;
    float v[];
};
struct holder {
    const float *at[2];
};
struct iterator {
    const float *p;
    const float &operator*() const { return *p; }
    iterator &operator++() { ++p; return *this; }
    bool operator!=(const iterator &o) const { return p != o.p; }
};
struct range {
    const float *p;
    iterator begin() const { return {p}; }
    iterator end() const { return {p + 3}; }
};
static const float *somewhere;
extern const float table[];
float elsewhere(float x, float y = 2);
GW_DERIVATIVE_OF("pullback of elsewhere") void elsewhere_pullback(float x, float y, float d, float *d_x, float *d_y);

#define REFUSED(name) GW_GRADIENT("wrt x") float name(float x, float *p, const float *q, int n)

REFUSED(a_range_over_a_map) {
    std::map<int, float> m;
    for (auto &e : m) x += e.second;
    return x;
}
REFUSED(a_range_of_ones_own) { for (float e : range{q}) x += e; return x; }
REFUSED(a_lambda_in_a_struct) { struct { float (*f)(float); } s = {[](float v) { return v; }}; return s.f(x); }
REFUSED(a_generic_lambda_by_pointer) { float (*f)(float) = [](auto v) { return v * v; }; return f(x); }
REFUSED(pointers_in_an_array) { std::array<float *, 2> s = {p, p}; return x * s[n][0]; }
REFUSED(names_of_a_tie) { auto [a, b] = std::tie(x, n); return a * b; }
REFUSED(a_store_to_a_temporary) { float &&r = x * 2; r += 1; return r; }
REFUSED(a_type_of_null) { decltype(nullptr) t = nullptr; return t ? x : 1; }
REFUSED(a_copied_object) { return kept{2}.copies()(x); }
REFUSED(an_exception) { if (n > 3) throw; return x; }
REFUSED(a_handler) { try { if (n > 3) throw 1; } catch (...) { throw; } return x; }
REFUSED(a_dynamic_cast) { polymorphic t; return dynamic_cast<polymorphic *>(&t) ? x : 1; }
REFUSED(a_type_id) { return typeid(x) == typeid(n) ? x : 1; }
REFUSED(reinterpreted_pointer) { return x + *(const float *)reinterpret_cast<const char *>(q); }
REFUSED(bits_of_a_number) { return x + __builtin_bit_cast(float, n); }
REFUSED(a_made_up_pointer) { return x + *reinterpret_cast<const float *>(n + 4l); }
REFUSED(a_pointer_of_a_number) { const float *r = (const float *)(long)n; return x * *r; }
REFUSED(a_reinterpreted_number) { return reinterpret_cast<const float &>(n) * x; }
REFUSED(a_table_of_unknown_size) { return x * table[n]; }
REFUSED(a_flexible_array) { flexible f{n}; return x * f.n; }
REFUSED(a_pointer_to_a_member) { float base::*m = &base::x; base b{x}; return b.*m; }
REFUSED(a_cast_to_a_derived_class) { base b{x}; return static_cast<derived &>(b).y; }
REFUSED(an_inherited_constructor) { inheriting d(x); return d.x; }
REFUSED(an_inherited_constructor_of_a_list) { inheriting d{x}; return d.x; }
REFUSED(a_pair_made_piecewise) {
    std::pair<float, std::array<float, 2>> t(std::piecewise_construct, std::make_tuple(x), std::make_tuple());
    return t.first;
}
REFUSED(beyond_a_table_of_pointers) { holder h{{p, q}}; return x * h.at[3][0]; }
REFUSED(a_range_of_elements) { float t[8] = {[2 ... 4] = x}; return t[3]; }
REFUSED(a_type_of_run_time_size) { typedef float row[n]; row t; t[0] = x; return t[0]; }
REFUSED(vectors_of_run_time_number) { std::vector<float> t[n]; return x; }
REFUSED(a_string) { const char *s = "abc"; return x * s[n]; }
REFUSED(a_pointer_as_a_number) { return x * (float)(unsigned long)q; }
GW_GRADIENT("wrt x") float a_struct_that_refers(float x, refers &t) { return x * t.x; }
REFUSED(half_precision) { __fp16 t = x; return t; }
REFUSED(half_precision_2) { _Float16 t = x; return t; }
REFUSED(brain_float) { __bf16 t = x; return t; }
REFUSED(quadruple_precision) { __float128 t = x; return t; }
REFUSED(wide_integer) { __int128 t = n; return x * t; }
REFUSED(wide_unsigned) { unsigned __int128 t = n; return x * t; }
REFUSED(a_vector_of_the_compiler) { wide t = {x, x, x, x}; return t[0]; }
REFUSED(an_atomic_type) { _Atomic(int) t = n; return x * t; }
REFUSED(a_complex_number) { _Complex int t = 1; return x; }
REFUSED(no_elements) { std::array<float, 0> t; return x + t.size(); }
REFUSED(packed_bools) { std::vector<bool> t(3); return t[1] ? x : 1; }
REFUSED(file_scope_pointer) { return x * *somewhere; }
REFUSED(a_default_argument) { return elsewhere(x); }
GW_GRADIENT("wrt x") float nothing_known(float x, void *p) { return x * (p != nullptr); }
GW_GRADIENT("wrt x") float *a_returned_pointer(float *x) { return x; }
struct doubling {
    float x;
    explicit doubling(float v) : x(v) {}
    doubling(const doubling &o) : x(2 * o.x) {}
    doubling &operator=(const doubling &o) { return x = 3 * o.x, *this; }
};
struct folded {
    int a : 4 = 1 + 2;
    float w;
};
struct modes {
    enum { A, B } e[2];
    float w;
};
REFUSED(a_vector_whose_elements_copy_themselves) { std::vector<doubling> v; v.push_back(doubling(x)); return v[0].x; }
REFUSED(a_bit_field_with_a_computed_default) { folded f; return x * f.a; }
REFUSED(unnamed_enumerators_in_an_array) { modes m; m.w = x; return m.w; }
REFUSED(text_behind_a_zero) { char s[4] = "a\0b"; return x * s[n]; }
REFUSED(a_new_with_its_type_in_brackets) { float *t = new (float)(x); return *t; }
REFUSED(a_vector_of_another_size) { std::vector<float> a(2), b(n); b[0] = x; a = b; return a[0]; }
REFUSED(a_vector_that_is_assigned_a_range) { std::vector<float> a(1), b(2, x); a.assign(b.begin(), b.end()); return a[0]; }
template <class T> constexpr float row_of[2] = {1, 2};
REFUSED(a_row_of_a_variable_template) { return x * row_of<modes>[n]; }
GW_GRADIENT("wrt x") float a_list_as_a_parameter(float x, std::initializer_list<float> list) { return x * *list.begin(); }
GW_GRADIENT("wrt x") float a_parameter_that_grows(float x, std::vector<float> &v) { v.push_back(x); return x; }
GW_GRADIENT("wrt x") float a_shrunk_parameter(float x, std::vector<float> &v) { v.pop_back(); return x; }
GW_GRADIENT("wrt x") float a_cleared_parameter(float x, std::vector<float> &v) { std::vector<float> &w = v; w.clear(); return x; }
REFUSED(a_variable_of_the_thread) { thread_local float sum = 0; sum += x; return sum; }
REFUSED(a_label_in_a_loop) { switch (n) { for (; n > 0; n--) { case 2: x *= 2; } } return x; }
REFUSED(a_label_in_a_block) { switch (n) { case 1: { x *= 2; default: x *= 3; } } return x; }
GW_GRADIENT("wrt x") float a_swapped_parameter(float x, std::vector<float> &v) { std::vector<float> w(3); w.swap(v); return x; }
struct made_of_one {
    float v;
    made_of_one(float u) : v(u * u) {}
};
REFUSED(a_range_of_made_objects) { float t[2] = {x, x}, s = 0; for (made_of_one m : t) s += m.v; return s; }
REFUSED(a_vector_of_pointers) { std::vector<float *> t(n); t[0] = &x; return *t[0]; }
REFUSED(a_huge_array) { float t[1l << 31]; for (float e : t) x += e; return x; }
REFUSED(a_huge_library_array) { std::array<float, 1ul << 31> t; for (float e : t) x += e; return x; }
struct __attribute__((packed)) close_by { char c; float x; };
GW_GRADIENT("wrt x") float a_packed_struct(float x, const close_by *t) { return x * t->x; }
struct four { float x, y, z, w; } __attribute__((aligned(16)));
typedef four aligned_less __attribute__((aligned(4)));
GW_GRADIENT("wrt x") float a_loose_pointer(float x, const aligned_less *t) { return x * t->x; }
REFUSED(a_vector_that_a_list_comes_into) { std::vector<float> t{x}; t.insert(t.begin(), {x, x}); return t[0]; }
#define SWITCHED switch (x *= 2; n)
REFUSED(an_init_in_a_macro) { SWITCHED { case 1: x += 1; } return x; }
