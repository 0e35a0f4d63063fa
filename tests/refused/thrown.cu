// What is thrown where others cannot name its class; beside what is no exception.
#include <gradwright/gradwright.h>

class closed {
    struct own {};
#ifdef OBEYED
public:
#endif
    struct plain {};

public:
    static double checked(double x) {
        if (x < 0) throw plain();
        return x * x;
    }
};
GW_GRADIENT("wrt x") double one(double x) { return closed::checked(x); }
#ifndef OBEYED
GW_GRADIENT("wrt x") double two(double x) {
    if (x < 0) throw;
    return x;
}
#endif
// obeys: other-exception
// says: thrown.cu:13:20: warning: the derivative throws std::runtime_error in place of this [other-exception]
// says:         if (x < 0) throw plain();
// says:                    ^
// says:   way out: throw an object of a class that others can name, made of literals or of one text
// says: thrown.cu:20:16: error: an exception cannot be differentiated yet [unsupported]
// says:     if (x < 0) throw;
// says:                ^
// says:   way out: return a status instead
