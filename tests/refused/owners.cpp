// Vectors in parameters where their sizes have no name, or would change.
#include <gradwright/gradwright.h>
#include <deque>
#include <memory>
#include <vector>

struct model {
    std::vector<double> w;
};
struct constant {
    const std::vector<double> w;
};
struct rows {
    std::vector<std::vector<double>> w;
};
struct node {
    std::vector<node> children;
    double x;
};
struct cell {
    double a, b;
};
struct converts {
    double a;
    converts(double v) : a(v) {}
};
struct of_cells {
    std::vector<cell> all;
};
struct of_converts {
    std::vector<converts> all;
};
GW_GRADIENT("wrt x") double by_value(model m, double x) { return m.w[0] * x; }
GW_GRADIENT("wrt x") double which_is_constant(const constant &m, double x) { return m.w[0] * x; }
GW_GRADIENT("wrt x") double of_itself(const node &m, double x) { return m.x * x; }
GW_GRADIENT("wrt x") double which_grows(model &m, double x) {
    m.w.push_back(x);
    return m.w[0] * x;
}
GW_GRADIENT("wrt x") double which_is_swapped(model &m, double x) {
    std::vector<double> t(3);
    t.swap(m.w);
    return t[0] * x;
}
GW_GRADIENT("m wrt m") void which_is_assigned(model &m, const model &from) { m = from; }
GW_GRADIENT("wrt x") double whose_row_grows(rows &m, double x) {
    m.w[1].push_back(x);
    return m.w[1][0] * x;
}
GW_GRADIENT("m wrt m") void whose_row_is_assigned(rows &m) { m.w[1] = m.w[0]; }
GW_GRADIENT("wrt x") double whose_own_row_grows(double x, int n) {
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    m[0].push_back(x);
    return m[0][n] * x;
}
GW_GRADIENT("wrt x") double whose_own_row_is_longer(double x, int n) {
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    m[0] = std::vector<double>(n + 1, x);
    return m[0][n] * x;
}
GW_GRADIENT("wrt x") double whose_rows_are_iterated(double x, int n) {
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    (*m.begin())[0] = x;
    return m[0][0] * x;
}
GW_GRADIENT("wrt x") double with_one_row_more(double x, int n) {
    std::vector<std::vector<double>> m(n, std::vector<double>(n));
    m.push_back(std::vector<double>(n, x));
    return m[n][0] * x;
}
GW_GRADIENT("wrt x") double of_a_copy(const rows &m, double x) {
    rows copy = m;
    return copy.w[0][0] * x;
}
GW_GRADIENT("wrt x") model as_a_result(double x) {
    model m;
    m.w.push_back(x);
    return m;
}
GW_GRADIENT("wrt x") double a_size_and_a_cell(double x) {
    of_cells m{{2, cell{x, 3}}};
    return m.all[0].a * m.all[1].b;
}
GW_GRADIENT("wrt x") double what_converts(double x) {
    of_converts m{{2, x}};
    return m.all[0].a * m.all[1].a;
}
static double unsure(double x) noexcept(sizeof x == 4) {
    if (x < 0) throw 1;
    return x;
}
GW_GRADIENT("wrt x") double behind_a_condition(double x) { return unsure(x) * x; }
struct room {
    double *p;
};
struct rooms {
    room each[2];
};
GW_GRADIENT("wrt x") double which_stays(room &r, double x) {
    r.p = new double[2];
    r.p[0] = x;
    return r.p[0] * r.p[0];
}
GW_GRADIENT("wrt x") double which_moves(room &r, double x) {
    r.p++;
    return r.p[0] * x;
}
GW_GRADIENT("wrt x") double one_of_several(rooms &r, double x, int i) {
    r.each[i].p = new double(x);
    x *= *r.each[0].p;
    r.each[i].p = nullptr;
    return x;
}
GW_GRADIENT("wrt x") double of_an_array(room *r, double x, int i) {
    r->p = new double(x);
    x *= *r[i].p;
    r->p = nullptr;
    return x;
}
static void forget(double *p) { *p = 0; }
struct at_its_end {
    double *to;
    ~at_its_end() { *to *= 2; }
};
GW_GRADIENT("wrt x") double with_a_deleter(double x) {
    std::shared_ptr<double> p(new double(x), forget);
    return *p * x;
}
GW_GRADIENT("wrt x") double of_a_destructor(double x) {
    { std::shared_ptr<at_its_end> p(new at_its_end{&x}); }
    return x * x;
}
GW_GRADIENT("wrt x") double counted(double x) {
    auto p = std::make_shared<double>(x);
    return *p * (double)p.use_count();
}
GW_GRADIENT("wrt x") double at_the_front(double x) {
    std::deque<double> d{x, 2};
    double &first = d.front();
    d.push_front(x);
    return first * d[0];
}
GW_GRADIENT("wrt x") double in_the_middle(double x) {
    std::deque<double> d{1, x, 3};
    double &last = d.back();
    d.erase(d.begin());
    return last * d[0];
}
GW_GRADIENT("wrt x") double by_the_square(double x, int n) {
    std::vector<double> v;
    for (int i = 0; i < n; i++) v.resize(i * i + 1), v[i * i] = x;
    return v[0] * x;
}
// says: owners.cpp:33:44: error: a std::vector inside of a parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_value(model m, double x) { return m.w[0] * x; }
// says:                                            ^
// says:   way out: pass a struct of plain members
// says: owners.cpp:34:63: error: a std::vector inside of a parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double which_is_constant(const constant &m, double x) { return m.w[0] * x; }
// says:                                                               ^
// says:   way out: pass a struct of plain members
// says: owners.cpp:35:51: error: a class that holds objects of its own type cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double of_itself(const node &m, double x) { return m.x * x; }
// says:                                                   ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: owners.cpp:37:5: error: a change of the size of a std::vector parameter cannot be differentiated yet [unsupported]
// says:     m.w.push_back(x);
// says:     ^
// says:   way out: do it before the call
// says: owners.cpp:42:5: error: a change of the size of a std::vector parameter cannot be differentiated yet [unsupported]
// says:     t.swap(m.w);
// says:     ^
// says:   way out: do it before the call
// says: owners.cpp:45:78: error: an assignment to a whole std::vector parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("m wrt m") void which_is_assigned(model &m, const model &from) { m = from; }
// says:                                                                              ^
// says:   way out: assign its elements
// says: owners.cpp:47:5: error: a change of the size of a std::vector parameter cannot be differentiated yet [unsupported]
// says:     m.w[1].push_back(x);
// says:     ^
// says:   way out: do it before the call
// says: owners.cpp:50:62: error: an assignment to a whole std::vector parameter cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("m wrt m") void whose_row_is_assigned(rows &m) { m.w[1] = m.w[0]; }
// says:                                                              ^
// says:   way out: assign its elements
// says: owners.cpp:53:5: error: a change of the size of a row of a std::vector of vectors cannot be differentiated yet [unsupported]
// says:     m[0].push_back(x);
// says:     ^
// says:   way out: make the row with its size, or use one std::vector for all rows
// says: owners.cpp:58:5: error: an assignment that may change the size of a std::vector cannot be differentiated yet [unsupported]
// says:     m[0] = std::vector<double>(n + 1, x);
// says:     ^
// says:   way out: assign its elements, or make a new vector of them
// says: owners.cpp:63:7: error: a std::vector of vectors, but for its elements cannot be differentiated yet [unsupported]
// says:     (*m.begin())[0] = x;
// says:       ^
// says:   way out: index it, loop over it by a range-for, or use one std::vector for all rows
// says: owners.cpp:68:5: error: a std::vector of vectors, but for its elements cannot be differentiated yet [unsupported]
// says:     m.push_back(std::vector<double>(n, x));
// says:     ^
// says:   way out: index it, loop over it by a range-for, or use one std::vector for all rows
// says: owners.cpp:72:17: error: a std::vector of vectors cannot be differentiated yet [unsupported]
// says:     rows copy = m;
// says:                 ^
// says:   way out: use one std::vector for all rows, or a std::vector of std::array
// says: owners.cpp:75:28: error: a returned std::tuple or std::vector cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") model as_a_result(double x) {
// says:                            ^
// says:   way out: return a scalar or a struct of such, or write through a pointer parameter
// says: owners.cpp:81:16: error: a list that may be elements of a std::vector, or a size and a value cannot be differentiated yet [unsupported]
// says:     of_cells m{{2, cell{x, 3}}};
// says:                ^
// says:   way out: write std::vector<T>(n, value), or T{...} for each element
// says: owners.cpp:85:19: error: a list that may be elements of a std::vector, or a size and a value cannot be differentiated yet [unsupported]
// says:     of_converts m{{2, x}};
// says:                   ^
// says:   way out: write std::vector<T>(n, value), or T{...} for each element
// says: owners.cpp:89:16: error: a throw in a function that says noexcept(...) cannot be differentiated yet [unsupported]
// says:     if (x < 0) throw 1;
// says:                ^
// says:   way out: write noexcept alone, or leave it out
// says: owners.cpp:100:5: error: a store to a pointer in memory that leads there still when the function ends cannot be differentiated yet [unsupported]
// says:     r.p = new double[2];
// says:     ^
// says:   way out: set it to null before, or let the caller set it
// says: owners.cpp:105:5: error: a store to a pointer in memory that leads there still when the function ends cannot be differentiated yet [unsupported]
// says:     r.p++;
// says:     ^
// says:   way out: set it to null before, or let the caller set it
// says: owners.cpp:109:5: error: a store to a pointer in memory cannot be differentiated yet [unsupported]
// says:     r.each[i].p = new double(x);
// says:     ^
// says:   way out: set a local pointer, or let the caller set the one in memory
// says: owners.cpp:115:5: error: a store to a pointer in one of several structs cannot be differentiated yet [unsupported]
// says:     r->p = new double(x);
// says:     ^
// says:   way out: set a local pointer, or let the caller set the one in memory
// says: owners.cpp:126:29: error: a std::shared_ptr with a deleter of its own cannot be differentiated yet [unsupported]
// says:     std::shared_ptr<double> p(new double(x), forget);
// says:                             ^
// says:   way out: use std::unique_ptr
// says: owners.cpp:130:35: error: a std::shared_ptr cannot be differentiated yet [unsupported]
// says:     { std::shared_ptr<at_its_end> p(new at_its_end{&x}); }
// says:                                   ^
// says:   way out: use a std::vector or a local variable
// says: owners.cpp:135:25: error: std::__shared_ptr::use_count cannot be differentiated yet [unsupported]
// says:     return *p * (double)p.use_count();
// says:                         ^
// says:   way out: use the operations that docs/guide/library.md lists
// says: owners.cpp:140:5: error: std::deque::push_front cannot be differentiated yet [unsupported]
// says:     d.push_front(x);
// says:     ^
// says:   way out: use the operations that docs/guide/library.md lists
// says: owners.cpp:146:5: error: std::deque::erase cannot be differentiated yet [unsupported]
// says:     d.erase(d.begin());
// says:     ^
// says:   way out: use the operations that docs/guide/library.md lists
// says: owners.cpp:151:33: error: a std::vector that grows in a loop of which nobody knows the length where the vector is made cannot be differentiated yet [unsupported]
// says:     for (int i = 0; i < n; i++) v.resize(i * i + 1), v[i * i] = x;
// says:                                 ^
// says:   way out: make it with its size and assign the elements, or make it in the loop
