// What a std::function holds must be seen in the function that declares it.
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
GW_GRADIENT("wrt x") double of_another(double x) {
    std::function<double(double)> f, g = [x](double t) { return t * x; };
    if (x > 0) f = g;
    return f(x);
}
GW_GRADIENT("wrt x") double exchanged(double x) {
    std::function<double(double)> f = twice, g = thrice;
    f.swap(g);
    return f(x);
}
GW_GRADIENT("wrt x") double recursive(double x) {
    std::function<double(int)> f = [&](int n) { return n < 1 ? x : n * f(n - 1); };
    return f(4);
}
GW_GRADIENT("wrt x") double of_a_parameter(double x, std::function<double(double)> f) { return f(x); }
GW_GRADIENT("wrt x") double in_an_array(double x, int n) {
    std::function<double(double)> f[2] = {twice, thrice};
    return f[n](x);
}
typedef std::function<double(double)> held;
static void pick(held &f) { f = thrice; }
GW_GRADIENT("wrt x") double by_reference(double x) {
    held f = twice;
    pick(f);
    return f(x);
}
GW_GRADIENT("wrt x") double one_of_two(double x, int k) {
    held f = twice, g = thrice;
    auto &h = k ? f : g;
    return h(x);
}
GW_NONDIFFERENTIABLE double rate(double x, char c);
GW_NONDIFFERENTIABLE double rate(double x, int k);
GW_GRADIENT("wrt x") double overloaded(double x) { return x * x * rate(x, 'a'); }
#endif
// says: held_functions.cu:23:20: error: a std::function of which nobody sees here what it holds cannot be differentiated yet [unsupported]
// says:     if (x > 0) f = g;
// says:                    ^
// says:   way out: make it of lambdas, functions or objects, in the function that declares it
// says: held_functions.cu:28:5: error: a std::function of which nobody sees here what it holds cannot be differentiated yet [unsupported]
// says:     f.swap(g);
// says:     ^
// says:   way out: make it of lambdas, functions or objects, in the function that declares it
// says: held_functions.cu:32:72: error: '(lambda at held_functions.cu:32:36)::operator()' is recursive and is a member of a class [recursion]
// says:     std::function<double(int)> f = [&](int n) { return n < 1 ? x : n * f(n - 1); };
// says:                                                                        ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
// says: held_functions.cu:35:84: error: a std::function cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double of_a_parameter(double x, std::function<double(double)> f) { return f(x); }
// says:                                                                                    ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: held_functions.cu:37:35: error: a std::function cannot be differentiated yet [unsupported]
// says:     std::function<double(double)> f[2] = {twice, thrice};
// says:                                   ^
// says:   way out: make it of a lambda or function where the variable is declared
// says: held_functions.cu:44:10: error: a std::function given by reference to a function that may change it cannot be differentiated yet [unsupported]
// says:     pick(f);
// says:          ^
// says:   way out: return it, or change it where it is declared
// says: held_functions.cu:49:11: error: a reference to a std::function cannot be differentiated yet [unsupported]
// says:     auto &h = k ? f : g;
// says:           ^
// says:   way out: name the std::function itself
// says: held_functions.cu:54:67: error: a call of an overloaded function with numbers of such types cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double overloaded(double x) { return x * x * rate(x, 'a'); }
// says:                                                                   ^
// says:   way out: give it a name of its own, or parameters of int, unsigned int, long long or double
