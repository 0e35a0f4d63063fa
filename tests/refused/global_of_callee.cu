// The gradient does not store to the variable, and would call the recursive function with what it holds otherwise.
#include <gradwright/gradwright.h>

static double rate;

#ifdef OBEYED
static double grown(double x, double rate, int n) { return n > 0 ? grown(x * rate, rate, n - 1) : x; }
#else
static double grown(double x, int n) { return n > 0 ? grown(x * rate, n - 1) : x; }
#endif

GW_GRADIENT("y wrt x")
void growth(double *y, const double *x, int n) {
    rate = x[1];
#ifdef OBEYED
    y[0] = grown(x[0], rate, n);
#else
    y[0] = grown(x[0], n);
#endif
}
// obeys: unsupported
// says: global_of_callee.cu:14:5: error: a store to a variable that a called function uses cannot be differentiated yet [unsupported]
// says:     rate = x[1];
// says:     ^
// says:   way out: pass it to that function
