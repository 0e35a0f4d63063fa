#include <gradwright/gradwright.h>

double sum(const double *x, int n) { return n ? *x + sum(x + 1, n - 1) : 0; }
void twice(double *x, int n) {
    if (n) *x *= 2, twice(x, n - 1);
}

GW_GRADIENT("wrt x")
double of_memory(const double *x, GW_NONDIFFERENTIABLE const double *w, int n) { return sum(x, n) * sum(w, n); }
GW_GRADIENT("wrt x")
double of_a_variable(double x) {
    GW_NONDIFFERENTIABLE double v = x;
    twice(&v, 1);
    return x * v;
}
// says: detached_argument.cu:9:105: error: a pointer to what is GW_NONDIFFERENTIABLE, passed to a function which stays a call, cannot be differentiated yet [unsupported]
// says: double of_memory(const double *x, GW_NONDIFFERENTIABLE const double *w, int n) { return sum(x, n) * sum(w, n); }
// says:                                                                                                         ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
// says: detached_argument.cu:13:11: error: a pointer to what is GW_NONDIFFERENTIABLE, passed to a function which stays a call, cannot be differentiated yet [unsupported]
// says:     twice(&v, 1);
// says:           ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
