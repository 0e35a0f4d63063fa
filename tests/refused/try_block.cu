// What may throw in a try block and is not seen to, or whose way to the handler does more than lead there.
#include <gradwright/gradwright.h>
#include <stdexcept>
#include <vector>

struct failed {
    double at;
};
struct worse : failed {};
struct doubled {
    double v;
    doubled(double a) : v(a) {}
    doubled(const doubled &o) : v(2 * o.v) {}
};
struct owner {
    double *p;
    owner(double v) : p(new double(v)) {}
    ~owner() { delete p; }
};
struct checked {
    double v;
    checked(double a) : v(a) {
        if (a < 0) throw 1;
    }
};
double outside(double);
GW_DERIVATIVE_OF("pullback of outside")
static void outside_back(double, double d_return, double *d_v) { *d_v += d_return; }
static double power(double x, int n) {
    if (n < 0) throw 1;
    return n ? x * power(x, n - 1) : 1;
}
static double positive(double x) {
    if (x < 0) throw 1;
    return x;
}
static double added(double *to, double x) { return *to += x; }
static std::vector<double> list(double x) { return {x, positive(x)}; }

#define TRY(name, body, handler)                                                                               \
    GW_GRADIENT("wrt x") double name(double x, int n, double *p) {                                             \
        (void)n, (void)p;                                                                                      \
        try {                                                                                                  \
            body;                                                                                              \
        } handler return x;                                                                                    \
    }
#define ANY catch (...) { return 0; }
TRY(again, positive(x), catch (int) { throw; })
TRY(ruled, return outside(x), ANY)
TRY(recursive, return power(x, n), ANY)
TRY(based, if (x < 0) throw worse{{x}}, catch (const failed &e) { return e.at * x; })
TRY(unclear, if (x < 0) throw "x", catch (const void *) { return 0; })
TRY(copied, if (x < 0) throw doubled(x), catch (doubled d) { return d.v; })
typedef std::pair<double, int> two;
TRY(paired, if (x < 0) throw two(x, 1), catch (const two &d) { return d.first; })
TRY(object, owner o(x); return x * *o.p, ANY)
TRY(sized, std::vector<double> v(n); return x, ANY)
TRY(allocated, double *q = new double(x); x = *q; delete q, ANY)
TRY(constructed, checked c(x); return c.v, ANY)
TRY(returned, return list(x)[0], ANY)
TRY(looped, while (positive(x) > 1) x *= 0.5, ANY)
TRY(skipped, if (x < 1 && positive(x) > 0.5) x *= 2, ANY)
TRY(twice, return positive(x) * positive(x - 1), ANY)
TRY(beside, return positive(x) + added(p, x), ANY)
TRY(chosen, x = x > 1 ? throw 1 : x, ANY)
TRY(declared, if (double v = positive(x)) x = v, ANY)
static double tried(double x) try {
    return positive(x);
} ANY
static double sure(double x) noexcept { return positive(x); }
static failed made(double x) {
    failed f{x};
    f.at = positive(x);
    return f;
}
static double limited(double x, double limit = 0) { return positive(x - limit); }
#define FOUR(text) text text text text
static double large(double x) {
    double y = positive(x);
    FOUR(FOUR(FOUR(y = y * x + y / (x + 1);)))
    return y;
}
TRY(called, return large(x), ANY)
TRY(of_whole, return tried(x), ANY)
TRY(never, return sure(x), ANY)
TRY(no_number, failed f = made(x); return f.at, ANY)
TRY(left_out, return limited(x), ANY)
TRY(held, auto f = [y = positive(x)] { return y; }; return f(), ANY)
TRY(kept, static double last = 1; return x * last, ANY)
TRY(local, struct own { double v; }; own o{x}; return o.v, ANY)
TRY(by_pointer, if (n) throw &x; x *= 2, catch (double *q) { *q *= 3; })
TRY(inner, try { x = positive(x); } catch (int) { throw; }, ANY)
TRY(jumped, if (n) goto out; x = 2; out: x *= 2, ANY)
GW_GRADIENT("wrt x") double begun(double x, int n) {
    try {
        switch (int k = n; k) {
        case 1:
            x = 2;
        }
    }
    ANY
    return x;
}
GW_GRADIENT("wrt x") double whole(double x) try {
    return positive(x);
}
ANY
// says: try_block.cu:31:20: error: a recursive function in a try block cannot be differentiated yet [unsupported]
// says:     return n ? x * power(x, n - 1) : 1;
// says:                    ^
// says:   way out: call it before the block
// says: try_block.cu:38:45: error: a result that is no number or plain struct, in a try block, cannot be differentiated yet [unsupported]
// says: static std::vector<double> list(double x) { return {x, positive(x)}; }
// says:                                             ^
// says:   way out: return it behind the block
// says: try_block.cu:48:1: error: an exception cannot be differentiated yet [unsupported]
// says: TRY(again, positive(x), catch (int) { throw; })
// says: ^
// says:   way out: return a status instead
// says: try_block.cu:49:1: error: what may throw in a try block, and nobody sees whether it does, cannot be differentiated yet [unsupported]
// says: TRY(ruled, return outside(x), ANY)
// says: ^
// says:   way out: do it before or behind the block, or say noexcept where it throws nothing
// says: try_block.cu:51:1: error: an exception that is caught as a base of it and asked for its members cannot be differentiated yet [unsupported]
// says: TRY(based, if (x < 0) throw worse{{x}}, catch (const failed &e) { return e.at * x; })
// says: ^
// says:   way out: catch it by its own class
// says: try_block.cu:52:1: error: an exception of which it is not clear who catches it cannot be differentiated yet [unsupported]
// says: TRY(unclear, if (x < 0) throw "x", catch (const void *) { return 0; })
// says: ^
// says:   way out: catch it by its own type
// says: try_block.cu:53:1: error: what may throw in a try block, and nobody sees whether it does, cannot be differentiated yet [unsupported]
// says: TRY(copied, if (x < 0) throw doubled(x), catch (doubled d) { return d.v; })
// says: ^
// says:   way out: do it before or behind the block, or say noexcept where it throws nothing
// says: try_block.cu:55:1: error: an exception of this class, caught in the same function, cannot be differentiated yet [unsupported]
// says: TRY(paired, if (x < 0) throw two(x, 1), catch (const two &d) { return d.first; })
// says: ^
// says:   way out: throw an object of a class with plain members, or of std, made where it is thrown
// says: try_block.cu:56:1: error: an object that is made or destroyed by code, in a try block, cannot be differentiated yet [unsupported]
// says: TRY(object, owner o(x); return x * *o.p, ANY)
// says: ^
// says:   way out: make it before the block
// says: try_block.cu:57:1: error: an object that is made or destroyed by code, in a try block, cannot be differentiated yet [unsupported]
// says: TRY(sized, std::vector<double> v(n); return x, ANY)
// says: ^
// says:   way out: make it before the block
// says: try_block.cu:58:1: error: such an expression in a try block cannot be differentiated yet [unsupported]
// says: TRY(allocated, double *q = new double(x); x = *q; delete q, ANY)
// says: ^
// says:   way out: do it before or behind the block
// says: try_block.cu:59:1: error: a constructor that throws in a try block cannot be differentiated yet [unsupported]
// says: TRY(constructed, checked c(x); return c.v, ANY)
// says: ^
// says:   way out: check before the object is made
// says: try_block.cu:61:1: error: what may throw in a try block, in such a place of an expression, cannot be differentiated yet [unsupported]
// says: TRY(looped, while (positive(x) > 1) x *= 0.5, ANY)
// says: ^
// says:   way out: assign it to a variable before, in a statement of its own
// says: try_block.cu:62:1: error: what may throw in a try block, in such a place of an expression, cannot be differentiated yet [unsupported]
// says: TRY(skipped, if (x < 1 && positive(x) > 0.5) x *= 2, ANY)
// says: ^
// says:   way out: assign it to a variable before, in a statement of its own
// says: try_block.cu:63:1: error: what may throw in a try block, in an expression that does something else, cannot be differentiated yet [unsupported]
// says: TRY(twice, return positive(x) * positive(x - 1), ANY)
// says: ^
// says:   way out: assign it to a variable before
// says: try_block.cu:64:1: error: what may throw in a try block, in an expression that does something else, cannot be differentiated yet [unsupported]
// says: TRY(beside, return positive(x) + added(p, x), ANY)
// says: ^
// says:   way out: assign it to a variable before
// says: try_block.cu:65:1: error: such an expression in a try block cannot be differentiated yet [unsupported]
// says: TRY(chosen, x = x > 1 ? throw 1 : x, ANY)
// says: ^
// says:   way out: do it before or behind the block
// says: try_block.cu:66:1: error: a declaration in a condition, in a try block, cannot be differentiated yet [unsupported]
// says: TRY(declared, if (double v = positive(x)) x = v, ANY)
// says: ^
// says:   way out: write it before the statement
// says: try_block.cu:67:31: error: a function try block cannot be differentiated yet [unsupported]
// says: static double tried(double x) try {
// says:                               ^
// says:   way out: write the block inside of the body
// says: try_block.cu:83:1: error: a function that may throw, and is no part of this one, in a try block cannot be differentiated yet [unsupported]
// says: TRY(called, return large(x), ANY)
// says: ^
// says:   way out: say noexcept where it throws nothing, or let it return a status
// says: try_block.cu:85:1: error: a throw in a function that says noexcept, in a try block cannot be differentiated yet [unsupported]
// says: TRY(never, return sure(x), ANY)
// says: ^
// says:   way out: leave noexcept out
// says: try_block.cu:86:1: error: a function that throws in a try block and returns no number cannot be differentiated yet [unsupported]
// says: TRY(no_number, failed f = made(x); return f.at, ANY)
// says: ^
// says:   way out: let it write to what a parameter leads to
// says: try_block.cu:87:1: error: an argument that is left out, in a try block, cannot be differentiated yet [unsupported]
// says: TRY(left_out, return limited(x), ANY)
// says: ^
// says:   way out: write it
// says: try_block.cu:88:1: error: an object that is made or destroyed by code, in a try block, cannot be differentiated yet [unsupported]
// says: TRY(held, auto f = [y = positive(x)] { return y; }; return f(), ANY)
// says: ^
// says:   way out: make it before the block
// says: try_block.cu:89:1: error: a static variable in a try block cannot be differentiated yet [unsupported]
// says: TRY(kept, static double last = 1; return x * last, ANY)
// says: ^
// says:   way out: declare it before the block
// says: try_block.cu:90:1: error: such a declaration in a try block cannot be differentiated yet [unsupported]
// says: TRY(local, struct own { double v; }; own o{x}; return o.v, ANY)
// says: ^
// says:   way out: write it before the block
// says: try_block.cu:91:1: error: an exception that is a pointer cannot be differentiated yet [unsupported]
// says: TRY(by_pointer, if (n) throw &x; x *= 2, catch (double *q) { *q *= 3; })
// says: ^
// says:   way out: throw an object
// says: try_block.cu:92:1: error: an exception that is thrown again cannot be differentiated yet [unsupported]
// says: TRY(inner, try { x = positive(x); } catch (int) { throw; }, ANY)
// says: ^
// says:   way out: throw an object, or return a status
// says: try_block.cu:93:1: error: such a statement in a try block cannot be differentiated yet [unsupported]
// says: TRY(jumped, if (n) goto out; x = 2; out: x *= 2, ANY)
// says: ^
// says:   way out: write it before or behind the block
// says: try_block.cu:96:9: error: an init statement in a try block cannot be differentiated yet [unsupported]
// says:         switch (int k = n; k) {
// says:         ^
// says:   way out: write it before the statement
// says: try_block.cu:104:29: error: a function try block cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double whole(double x) try {
// says:                             ^
// says:   way out: write the block inside of the body
