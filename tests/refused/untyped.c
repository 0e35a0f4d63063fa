#define _POSIX_C_SOURCE 200809L
#include <gradwright/gradwright.h>
#include <setjmp.h>
#include <stdlib.h>

static int by(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
static jmp_buf out;
#ifdef OBEYED
#define ANY double
#else
#define ANY void
#endif

GW_GRADIENT("wrt x")
double of_any_type(const double *x, int n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, *b;
    ANY *t = a;
    qsort(t, 4, sizeof *a, by);
    const double *found = bsearch(x, t, 4, sizeof *a, by);
#ifdef OBEYED
    double y;
    switch (n) {
    case 1:
        y = x[0];
#else
    switch (n) {
    case 1: {
        double y = x[0];
#endif
    case 2:
        y = x[1];
        a[n] = y;
#ifndef OBEYED
    }
#endif
    }
#ifdef OBEYED
    b = aligned_alloc(64, 64);
#else
    if (posix_memalign((void **)&b, 64, 64)) return 0;
    if (setjmp(out)) return 1;
#endif
    b[0] = found ? *found : a[n];
    return b[0] * a[1];
}
// obeys: unsupported
// says: untyped.c:18:5: error: a sort of what is not known by its type cannot be differentiated yet [unsupported]
// says:     qsort(t, 4, sizeof *a, by);
// says:     ^
// says:   way out: pass a pointer to the elements and sizeof of one; in C++ call std::sort
// says: untyped.c:19:27: error: a search in what is not known by its type cannot be differentiated yet [unsupported]
// says:     const double *found = bsearch(x, t, 4, sizeof *a, by);
// says:                           ^
// says:   way out: pass a pointer to the elements and sizeof of one; in C++ call std::lower_bound
// says: untyped.c:28:9: error: a declaration that a case label jumps over cannot be differentiated yet [unsupported]
// says:         double y = x[0];
// says:         ^
// says:   way out: declare it in front of the switch
// says: untyped.c:40:9: error: memory without a type cannot be differentiated yet [unsupported]
// says:     if (posix_memalign((void **)&b, 64, 64)) return 0;
// says:         ^
// says:   way out: assign what aligned_alloc gives to a pointer to its elements
// says: untyped.c:41:9: error: a place that longjmp comes back to cannot be differentiated yet [unsupported]
// says:     if (setjmp(out)) return 1;
// says:         ^
// says:   way out: return a status instead
