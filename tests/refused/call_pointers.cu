#include <gradwright/gradwright.h>

void add(double *sum, const double *x, int n) {
    if (n == 0) return;
    *sum += x[0] * x[0];
    add(sum, x + 1, n - 1);
}

GW_GRADIENT("wrt x")
double one_variable(double x, int n) {
    double s = x;
#ifdef OBEYED
    double own = s;
    add(&s, &own, n);
#else
    add(&s, &s, n);
#endif
    return s;
}

GW_GRADIENT("wrt x")
double nowhere(double x) {
#ifdef OBEYED
    double none = 0;
    add(&x, &none, 0);
#else
    add(&x, nullptr, 0);
#endif
    return x;
}

GW_GRADIENT("wrt x")
double twice(const double *x, int n) {
    double s = x[0], t = x[1];
#ifdef OBEYED
    if (n > 2) add(&s, x, n);
    else add(&t, x, n);
#else
    add(n > 2 ? &s : &t, x, n);
#endif
    return s * t;
}

double from(const double *x, int n, double scale = 2) { return n == 0 ? scale : x[0] * from(x + 1, n - 1, scale); }

GW_GRADIENT("wrt x")
double by_default(const double *x, int n) { return from(x, n); }
// obeys: unsupported
// says: call_pointers.cu:16:5: error: a variable that is passed by two pointers cannot be differentiated yet [unsupported]
// says:     add(&s, &s, n);
// says:     ^
// says:   way out: pass a copy of it
// says: call_pointers.cu:27:13: error: a null pointer that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says:     add(&x, nullptr, 0);
// says:             ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
// says: call_pointers.cu:39:9: error: a pointer to one of several arrays that is passed to a function which stays a call cannot be differentiated yet [unsupported]
// says:     add(n > 2 ? &s : &t, x, n);
// says:         ^
// says:   way out: pass pointers to numbers: into an array that is known where the call stands
