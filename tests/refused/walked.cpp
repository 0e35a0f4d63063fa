// Loops over tables that change, and iterators that nobody can follow.
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gradwright/gradwright.h>

typedef std::map<int, double> table;
typedef std::map<int, std::string> names;
struct tables {
    mutable table changing;
};
static table variable;
static double behind(table::const_iterator it) { return (++it)->second; }
static const table::const_iterator &same(const table::const_iterator &it) { return it; }

#define REFUSED(name, ...) GW_GRADIENT("wrt x") double name(double x, __VA_ARGS__)

REFUSED(swapped, const table &m) {
    auto it = m.begin(), last = m.end();
    --last;
    std::swap(it, last);
    return it->second * x;
}
REFUSED(two_tables, const table &m, const table &n) {
    auto it = m.begin();
    if (x > 0) it = n.begin();
    return it->second * x;
}
REFUSED(two_rows, const std::map<int, table> &m) {
    auto it = m.at(1).begin();
    it = m.at(2).begin();
    return it->second * x;
}
REFUSED(by_value, const table &m) {
    auto it = m.begin();
    const double next = behind(it);
    ++it;
    return next * it->second * x;
}
REFUSED(captured, const table &m) {
    auto it = m.begin();
    auto next = [it]() mutable { return (++it)->second; };
    const double first = next();
    ++it;
    return first * next() * it->second * x;
}
REFUSED(of_several, const table &m) {
    auto it = m.begin(), other = m.begin();
    auto &one = x > 0 ? it : other;
    ++one;
    return it->second * x;
}
REFUSED(returned, const table &m) {
    auto it = m.begin();
    const auto &other = same(it);
    ++it;
    return other->second * x;
}
REFUSED(of_step, const table &m) {
    auto it = m.begin();
    auto &&other = ++it;
    ++it;
    return other->second * x;
}
REFUSED(pointed, const table &m) {
    auto it = m.begin();
    auto *to = &it;
    ++*to;
    return it->second * x;
}
REFUSED(moved, const table &m) {
    auto it = m.begin();
    auto next = std::move(it);
    ++next;
    return next->second * x;
}
REFUSED(changed, table &m) {
    double s = 0;
    for (auto &each : m) each.second = x, s += each.second;
    return s;
}
REFUSED(changed_copy, table m) {
    m[1] = 3;
    double s = 0;
    for (auto &each : m) s += each.second * x;
    return s;
}
REFUSED(changed_member, const tables &t) {
    double s = 0;
    for (auto &each : t.changing) each.second *= 2, s += each.second * x;
    return s;
}
REFUSED(changed_by_cast, const table &m) {
    double s = 0;
    for (auto &each : m) const_cast<double &>(each.second) *= 2, s += each.second * x;
    return s;
}
REFUSED(changed_variable, int) {
    double s = 0;
    for (auto &each : variable) s += each.second * x;
    return s;
}
REFUSED(changed_name, const names &m) {
    double s = 0;
    for (auto [at, name] : m) {
        name += "a";
        if (name == "aa") s += x * at;
    }
    return s;
}
REFUSED(changed_names, const names &m) {
    double s = 0;
    for (auto each : m) {
        each.second += "a";
        if (each.second == "aa") s += x;
    }
    return s;
}
REFUSED(changed_letters, std::string m) {
    double s = 0;
    for (char &c : m) {
        c = 'b';
        s += x * c;
    }
    return s;
}
typedef std::vector<std::string> words;
struct lists {
    words names;
    mutable words noted;
    std::array<std::string, 2> pair;
    std::map<int, std::vector<double>> curves;
};
static void rename(words &v) { v[0] = "b"; }
REFUSED(changed_word, lists &l) {
    l.names[0] = "b";
    return l.names[0] == "a" ? x * x : x;
}
REFUSED(added_word, lists &l) {
    l.names.push_back("b");
    return l.names.size() > 1 ? x * x : x;
}
REFUSED(renamed, lists &l) {
    rename(l.names);
    return l.names[0] == "a" ? x * x : x;
}
REFUSED(noted, const lists &l) {
    l.noted.push_back("a");
    return l.noted[0] == "a" ? x * x : x;
}
REFUSED(by_copy, lists l) {
    l.pair[0] = "b";
    return l.pair[0] == "a" ? x * x : x;
}
REFUSED(moved_words, lists &l) {
    words moved = static_cast<words &&>(l.names);
    return l.names.size() ? x * x : x;
}
REFUSED(cast_curve, const lists &l) {
    const_cast<std::vector<double> &>(l.curves.at(1))[0] = x;
    return l.curves.at(1)[0] * x;
}
REFUSED(copied_curve, const lists &l) {
    std::vector<double> copy = l.curves.at(1);
    copy[0] *= x;
    return copy[0];
}
REFUSED(changed_curve, lists &l) {
    auto &curve = l.curves.at(1);
    curve[0] = x;
    return l.curves.at(1)[0] * x;
}
// says: walked.cpp:15:14: error: a std::map cannot be differentiated yet [unsupported]
// says: static table variable;
// says:              ^
// says:   way out: use a std::vector; a table that nobody changes may be const at file scope
// says: walked.cpp:24:5: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     std::swap(it, last);
// says:     ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: walked.cpp:29:16: error: this change of an iterator cannot be differentiated yet [unsupported]
// says:     if (x > 0) it = n.begin();
// says:                ^
// says:   way out: step a local one through one table that nobody changes, or ask by find or at
// says: walked.cpp:34:5: error: this change of an iterator cannot be differentiated yet [unsupported]
// says:     it = m.at(2).begin();
// says:     ^
// says:   way out: step a local one through one table that nobody changes, or ask by find or at
// says: walked.cpp:39:25: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     const double next = behind(it);
// says:                         ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: walked.cpp:45:17: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     auto next = [it]() mutable { return (++it)->second; };
// says:                 ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: walked.cpp:53:5: error: this change of an iterator cannot be differentiated yet [unsupported]
// says:     ++one;
// says:     ^
// says:   way out: step a local one through one table that nobody changes, or ask by find or at
// says: walked.cpp:58:25: error: a reference to an iterator that a call gives cannot be differentiated yet [unsupported]
// says:     const auto &other = same(it);
// says:                         ^
// says:   way out: name the iterator itself
// says: walked.cpp:64:20: error: a reference to an iterator that a call gives cannot be differentiated yet [unsupported]
// says:     auto &&other = ++it;
// says:                    ^
// says:   way out: name the iterator itself
// says: walked.cpp:70:11: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     auto *to = &it;
// says:           ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: walked.cpp:76:10: error: a std::_Rb_tree_const_iterator cannot be differentiated yet [unsupported]
// says:     auto next = std::move(it);
// says:          ^
// says:   way out: ask the table by find or at, or give the function a std::vector
// says: walked.cpp:80:1: error: a std::map cannot be differentiated yet [unsupported]
// says: REFUSED(changed, table &m) {
// says: ^
// says:   way out: pass it by reference to const
// says: walked.cpp:85:1: error: a std::map cannot be differentiated yet [unsupported]
// says: REFUSED(changed_copy, table m) {
// says: ^
// says:   way out: pass it by reference to const
// says: walked.cpp:93:35: error: a store to a temporary copy cannot be differentiated yet [unsupported]
// says:     for (auto &each : t.changing) each.second *= 2, s += each.second * x;
// says:                                   ^
// says:   way out: assign to a variable, in the branches of an if
// says: walked.cpp:98:26: error: a store to a temporary copy cannot be differentiated yet [unsupported]
// says:     for (auto &each : m) const_cast<double &>(each.second) *= 2, s += each.second * x;
// says:                          ^
// says:   way out: assign to a variable, in the branches of an if
// says: walked.cpp:108:5: error: a std::basic_string cannot be differentiated yet [unsupported]
// says:     for (auto [at, name] : m) {
// says:     ^
// says:   way out: pass the numbers that it holds
// says: walked.cpp:116:5: error: a std::basic_string cannot be differentiated yet [unsupported]
// says:     for (auto each : m) {
// says:     ^
// says:   way out: pass the numbers that it holds
// says: walked.cpp:124:5: error: a range-for over anything but an array or a class whose begin() and end() are pointers cannot be differentiated yet [unsupported]
// says:     for (char &c : m) {
// says:     ^
// says:   way out: loop over an index
// says: walked.cpp:140:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return l.names[0] == "a" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: walked.cpp:144:12: error: what std::vector::size gives here cannot be differentiated yet [unsupported]
// says:     return l.names.size() > 1 ? x * x : x;
// says:            ^
// says:   way out: ask for a number, by whole numbers and literals, or outside of the function
// says: walked.cpp:148:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return l.names[0] == "a" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: walked.cpp:152:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return l.noted[0] == "a" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: walked.cpp:156:12: error: what std::operator== gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     return l.pair[0] == "a" ? x * x : x;
// says:            ^
// says:   way out: call it outside of the function, and pass what it gives
// says: walked.cpp:159:11: error: a std::basic_string cannot be differentiated yet [unsupported]
// says:     words moved = static_cast<words &&>(l.names);
// says:           ^
// says:   way out: pass the numbers that it holds
// says: walked.cpp:163:5: error: a copy of a sequence in a table cannot be differentiated yet [unsupported]
// says:     const_cast<std::vector<double> &>(l.curves.at(1))[0] = x;
// says:     ^
// says:   way out: refer to it by const auto &, or copy element after element
// says: walked.cpp:167:32: error: a copy of a sequence in a table cannot be differentiated yet [unsupported]
// says:     std::vector<double> copy = l.curves.at(1);
// says:                                ^
// says:   way out: refer to it by const auto &, or copy element after element
// says: walked.cpp:172:19: error: a std::_Rb_tree_iterator cannot be differentiated yet [unsupported]
// says:     auto &curve = l.curves.at(1);
// says:                   ^
// says:   way out: ask the table by find or at, or give the function a std::vector
