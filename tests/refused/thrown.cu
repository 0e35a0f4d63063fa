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
struct failed {
    double at;
};
struct worse : failed {};
double outside(double);
GW_DERIVATIVE_OF("pullback of outside")
static void outside_back(double, double d_return, double *d_v) { *d_v += d_return; }
struct owner {
    double *p;
    owner(double v) : p(new double(v)) {
        if (v < 0) throw 1;
    }
    ~owner() { delete p; }
};
static double power(double x, int n) {
    if (n < 0) throw 1;
    return n ? x * power(x, n - 1) : 1;
}
static double positive(double x) {
    if (x < 0) throw 1;
    return x;
}
GW_GRADIENT("wrt x") double again(double x) {
    try {
        positive(x);
    } catch (int) {
        throw;
    }
    return x;
}
GW_GRADIENT("wrt x") double ruled(double x) {
    try {
        return outside(x);
    } catch (...) {
        return 0;
    }
}
GW_GRADIENT("wrt x") double recursive(double x, int n) {
    try {
        return power(x, n);
    } catch (...) {
        return 0;
    }
}
GW_GRADIENT("wrt x") double based(double x) {
    try {
        if (x < 0) throw worse{{x}};
    } catch (const failed &e) {
        return e.at * x;
    }
    return x;
}
GW_GRADIENT("wrt x") double unfinished(double x) {
    try {
        owner o(x);
        return x * *o.p;
    } catch (...) {
        return 0;
    }
}
GW_GRADIENT("wrt x") double unclear(double x, double *p) {
    try {
        if (x < 0) throw p;
    } catch (const double *) {
        return 0;
    }
    return x;
}
GW_GRADIENT("wrt x") double conditions(double x) {
    try {
        while (positive(x) > 1) x *= 0.5;
    } catch (int) {
        return 0;
    }
    return x;
}
GW_GRADIENT("wrt x") double skipped(double x) {
    try {
        if (x < 1 && positive(x) > 0.5) x *= 2;
    } catch (int) {
        return 0;
    }
    return x;
}
struct counted {
    counted(int *n) { ++*n; }
    ~counted() { delete new int(1); }
};
GW_GRADIENT("wrt x") double made(double x) {
    int n = 0;
    try {
        if (x < 0) throw counted(&n);
    } catch (...) {
        return n;
    }
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
// says: thrown.cu:49:9: error: an exception cannot be differentiated yet [unsupported]
// says:         throw;
// says:         ^
// says:   way out: return a status instead
// says: thrown.cu:55:16: error: a function that may throw, and is no part of this one, in a try block cannot be differentiated yet [unsupported]
// says:         return outside(x);
// says:                ^
// says:   way out: say noexcept where it throws nothing, or let it return a status
// says: thrown.cu:62:16: error: a function that may throw, and is no part of this one, in a try block cannot be differentiated yet [unsupported]
// says:         return power(x, n);
// says:                ^
// says:   way out: say noexcept where it throws nothing, or let it return a status
// says: thrown.cu:69:26: error: an exception that is caught as a base of it and asked for its members cannot be differentiated yet [unsupported]
// says:         if (x < 0) throw worse{{x}};
// says:                          ^
// says:   way out: catch it by its own class
// says: thrown.cu:33:20: error: an exception out of a constructor of a class with a destructor cannot be differentiated yet [unsupported]
// says:         if (v < 0) throw 1;
// says:                    ^
// says:   way out: check before the object is made
// says: thrown.cu:85:20: error: an exception of which it is not clear who catches it cannot be differentiated yet [unsupported]
// says:         if (x < 0) throw p;
// says:                    ^
// says:   way out: catch it by its own type
// says: thrown.cu:93:9: error: what may throw to a handler of the same function, where it stands in a condition, cannot be differentiated yet [unsupported]
// says:         while (positive(x) > 1) x *= 0.5;
// says:         ^
// says:   way out: assign it to a variable before
// says: thrown.cu:101:13: error: what may throw to a handler of the same function, where it stands in a condition, cannot be differentiated yet [unsupported]
// says:         if (x < 1 && positive(x) > 0.5) x *= 2;
// says:             ^
// says:   way out: assign it to a variable before
// says: thrown.cu:114:26: error: an exception of this class, caught in the same function, cannot be differentiated yet [unsupported]
// says:         if (x < 0) throw counted(&n);
// says:                          ^
// says:   way out: throw an object of a class with plain members, or of std, made where it is thrown
