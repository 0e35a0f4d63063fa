// Who sets where random numbers begin must do it in the gradient too, if a function draws them that is called there.
#include <cstdlib>
#include <gradwright/gradwright.h>

GW_NONDIFFERENTIABLE double noise() { return rand() / (double)RAND_MAX; }
GW_GRADIENT("wrt x") double noisy(double x) {
#ifndef OBEYED
    srand(42);
#endif
    return x * noise();
}
// obeys: no-rule
// says: seeded.cu:8:5: error: function 'srand' has neither a body nor a derivative rule [no-rule]
// says:     srand(42);
// says:     ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
