#include <gradwright/gradwright.h>

void add(double *sum, const double *x, int n) {
    if (n == 0) return;
    *sum += x[0] * x[0];
    add(sum, x + 1, n - 1);
}

GW_GRADIENT("wrt x")
double one_variable(double x, int n) {
    double s = x;
    add(&s, &s, n);
    return s;
}

GW_GRADIENT("wrt x")
double nowhere(double x) {
    add(&x, nullptr, 0);
    return x;
}

GW_GRADIENT("wrt x")
double twice(const double *x, int n) {
    double s = x[0], t = x[1];
    add(n > 2 ? &s : &t, x, n);
    return s * t;
}

double from(const double *x, int n, double scale = 2) { return n == 0 ? scale : x[0] * from(x + 1, n - 1, scale); }

GW_GRADIENT("wrt x")
double by_default(const double *x, int n) { return from(x, n); }
// says: call_pointers.cu:12:5: error: a variable that is passed by two pointers cannot be differentiated yet [unsupported]
// says:     add(&s, &s, n);
// says:     ^
// says:   way out: pass a copy of it
// says: call_pointers.cu:18:13: error: a null pointer that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says:     add(&x, nullptr, 0);
// says:             ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
// says: call_pointers.cu:25:9: error: a pointer to one of several arrays that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says:     add(n > 2 ? &s : &t, x, n);
// says:         ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
