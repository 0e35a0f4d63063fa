#include <gradwright/gradwright.h>

/* Both pointers lead to one variable: two cells of their own would not see each other's stores. */
static double turned(double *a, double *b, int n) {
    if (n == 0) return *a - *b;
    *a = *a * 2.0;
    return turned(b, a, n - 1) + *b;
}

GW_GRADIENT("wrt x")
double alike(double x, int n) {
    double t = x;
#ifdef OBEYED
    double u = t;
    return turned(&t, &u, n);
#else
    return turned(&t, &t, n);
#endif
}
// obeys: unsupported
// says: two_pointers_to_one.cu:17:12: error: a variable that is passed by two pointers cannot be differentiated yet [unsupported]
// says:     return turned(&t, &t, n);
// says:            ^
// says:   way out: pass a copy of it
