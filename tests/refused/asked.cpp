// Text and tables that nobody can ask.
#include <cstring>
#include <map>
#include <string>

#include <gradwright/gradwright.h>

struct options {
    std::string mode;
};
static std::map<int, double> changing;

GW_GRADIENT("wrt x") double by_reference(double x, std::string &mode) {
    mode = "b";
    return x * x;
}
GW_GRADIENT("wrt x") double changed_member(double x, options &o) {
    o.mode = "b";
    return o.mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double changed_copy(double x, std::string mode) {
    mode += "b";
    return mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double changed_table(double x, std::map<int, double> m) {
    m[3] = x;
    return m.at(3) * x;
}
GW_GRADIENT("wrt x") double by_pointer(double x, const std::string &a, const std::string *b) {
    return a == *b ? x * x : x;
}
GW_GRADIENT("wrt x") double stepped(double x, const std::map<int, double> &m) {
    double s = 0;
    for (auto it = m.rbegin(); it != m.rend(); ++it) s += it->second * x;
    return s;
}
GW_GRADIENT("wrt x") double at_file_scope(double x) { return changing.count(3) ? x * x : x; }
GW_GRADIENT("wrt x") double of_pointers(double x, const std::map<int, double *> &m) { return *m.at(0) * x; }
GW_GRADIENT("wrt x") double by_real(double x, const std::map<double, double> &m) { return m.at(x) * x; }
struct changed {
    mutable std::string last;
    mutable char name[8];
};
GW_GRADIENT("wrt x") double by_mutable(double x, const changed &o) {
    o.last = "b";
    return o.last == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double by_letters(double x, const changed &o) {
    o.name[0] = 'b';
    return strcmp(o.name, "b") ? x * x : x;
}
GW_GRADIENT("wrt x") double by_cast(double x, const std::string &m) {
    const_cast<std::string &>(m) += "z";
    return m == "z" ? x * x : x;
}
struct gives {
    std::string mode;
    mutable std::string last;
    mutable int calls = 0;
    const std::string &counted() const {
        calls++;
        return mode;
    }
    const std::string &noted() const {
        last = "b";
        return last;
    }
    virtual const std::string &name() const { return mode; }
    std::string copy() const { return mode; }
    const gives &next() const {
        calls++;
        return *this;
    }
};
struct outer {
    gives inner;
};
static std::string variable;
static const std::string &global() { return variable; }
GW_GRADIENT("wrt x") double counts(double x, const gives &o) { return o.counted() == "a" ? x : x * o.calls; }
GW_GRADIENT("wrt x") double notes(double x, const gives &o) { return o.noted() == "a" ? x * x : x; }
GW_GRADIENT("wrt x") double by_virtual(double x, const gives &o) { return o.name() == "a" ? x * x : x; }
GW_GRADIENT("wrt x") double by_copy(double x, const gives &o) { return o.copy() == "a" ? x * x : x; }
GW_GRADIENT("wrt x") double twice(double x, const gives &o) { return o.next().mode.at(0) == 'a' ? x : 2 * x; }
GW_GRADIENT("wrt x") double by_global(double x, const std::string &m) { return m == global() ? x * x : x; }
GW_GRADIENT("wrt x") double assigned(double x, options o) {
    o = options();
    return o.mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double captured(double x, options o) {
    [&] { o.mode = "b"; }();
    return o.mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double moved_from(double x, options o) {
    const options other = static_cast<options &&>(o);
    return o.mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double referred(double x, outer o) {
    gives &inner = o.inner;
    inner.mode = "b";
    return o.inner.mode == "b" ? x * x : x;
}
GW_GRADIENT("wrt x") double made_here(double x, const std::string &m) {
    static const std::string first = m;
    const std::string cut("abc", 2);
    return m == first || m == cut ? x * x : x;
}
// says: asked.cpp:11:30: error: a std::map cannot be differentiated yet [unsupported]
// says: static std::map<int, double> changing;
// says:                              ^
// says:   way out: use a std::vector; a table that nobody changes may be const at file scope
// says: asked.cpp:13:65: error: a std::basic_string cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_reference(double x, std::string &mode) {
// says:                                                                 ^
// says:   way out: pass it by reference to const
// says: asked.cpp:19:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return o.mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:23:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:25:75: error: a std::map cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double changed_table(double x, std::map<int, double> m) {
// says:                                                                           ^
// says:   way out: pass it by reference to const
// says: asked.cpp:29:91: error: a std::basic_string cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_pointer(double x, const std::string &a, const std::string *b) {
// says:                                                                                           ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: asked.cpp:34:15: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     for (auto it = m.rbegin(); it != m.rend(); ++it) s += it->second * x;
// says:               ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: asked.cpp:38:95: error: what std::map::at gives here cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double of_pointers(double x, const std::map<int, double *> &m) { return *m.at(0) * x; }
// says:                                                                                               ^
// says:   way out: ask for a number, by whole numbers and literals, or outside of the function
// says: asked.cpp:39:91: error: what std::map::at gives here cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_real(double x, const std::map<double, double> &m) { return m.at(x) * x; }
// says:                                                                                           ^
// says:   way out: ask for a number, by whole numbers and literals, or outside of the function
// says: asked.cpp:45:7: error: a change of text in a function whose result depends on text cannot be differentiated yet [unsupported]
// says:     o.last = "b";
// says:       ^
// says:   way out: change a local copy, or do it outside of the function
// says: asked.cpp:49:5: error: a change of text in a function whose result depends on text cannot be differentiated yet [unsupported]
// says:     o.name[0] = 'b';
// says:     ^
// says:   way out: change a local copy, or do it outside of the function
// says: asked.cpp:53:5: error: a change of text in a function whose result depends on text cannot be differentiated yet [unsupported]
// says:     const_cast<std::string &>(m) += "z";
// says:     ^
// says:   way out: change a local copy, or do it outside of the function
// says: asked.cpp:80:71: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double counts(double x, const gives &o) { return o.counted() == "a" ? x : x * o.calls; }
// says:                                                                       ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:81:70: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double notes(double x, const gives &o) { return o.noted() == "a" ? x * x : x; }
// says:                                                                      ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:82:75: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_virtual(double x, const gives &o) { return o.name() == "a" ? x * x : x; }
// says:                                                                           ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:83:72: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_copy(double x, const gives &o) { return o.copy() == "a" ? x * x : x; }
// says:                                                                        ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:84:70: error: what std::basic_string::at gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double twice(double x, const gives &o) { return o.next().mode.at(0) == 'a' ? x : 2 * x; }
// says:                                                                      ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:85:80: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double by_global(double x, const std::string &m) { return m == global() ? x * x : x; }
// says:                                                                                ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:88:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return o.mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:92:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return o.mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:96:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return o.mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:101:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return o.inner.mode == "b" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: asked.cpp:106:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return m == first || m == cut ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
