// What a std::function holds must be seen where its variable is bound.
#include <functional>
#include <gradwright/gradwright.h>

static double twice(double x) { return 2 * x; }
static double thrice(double x) { return 3 * x; }
static double run(double (*f)(double), double x) { return f(x); }

#ifdef OBEYED
GW_GRADIENT("wrt x") double given_another(double x) {
    std::function<double(double)> f = twice, g = thrice;
    return x > 0 ? g(x) : f(x);
}
GW_GRADIENT("wrt x") double recursive(double x) {
    double s = x;
    for (int n = 1; n < 5; n++) s *= n;
    return s;
}
GW_GRADIENT("wrt x") double of_a_parameter(double x) { return run(twice, x); }
#else
GW_GRADIENT("wrt x") double given_another(double x) {
    std::function<double(double)> f = twice;
    if (x > 0) f = thrice;
    return f(x);
}
GW_GRADIENT("wrt x") double empty(double x) {
    std::function<double(double)> f;
    return f ? f(x) : x;
}
GW_GRADIENT("wrt x") double recursive(double x) {
    std::function<double(int)> f = [&](int n) { return n < 1 ? x : n * f(n - 1); };
    return f(4);
}
GW_GRADIENT("wrt x") double of_a_parameter(double x, std::function<double(double)> f) { return f(x); }
GW_GRADIENT("wrt x") double of_one_of_two(double x, int n) {
    double (*const p)(double) = n ? twice : thrice;
    std::function<double(double)> f = p;
    return f(x);
}
#endif
// says: held_functions.cu:23:16: error: a std::function of which nobody sees here what it holds cannot be differentiated yet [unsupported]
// says:     if (x > 0) f = thrice;
// says:                ^
// says:   way out: make it of a lambda, a function or an object where the variable is declared, and give it no other one
// says: held_functions.cu:27:35: error: a std::function cannot be differentiated yet [unsupported]
// says:     std::function<double(double)> f;
// says:                                   ^
// says:   way out: make it of a lambda or function where the variable is declared
// says: held_functions.cu:31:72: error: '(lambda at held_functions.cu:31:36)::operator()' is recursive and is a member of a class [recursion]
// says:     std::function<double(int)> f = [&](int n) { return n < 1 ? x : n * f(n - 1); };
// says:                                                                        ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
// says: held_functions.cu:34:84: error: a std::function cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double of_a_parameter(double x, std::function<double(double)> f) { return f(x); }
// says:                                                                                    ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: held_functions.cu:37:39: error: a std::function of which nobody sees here what it holds cannot be differentiated yet [unsupported]
// says:     std::function<double(double)> f = p;
// says:                                       ^
// says:   way out: make it of a lambda, a function or an object where the variable is declared, and give it no other one
