#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double sometimes(double x, int n) {
#ifdef OBEYED
    if (n <= 0) return 0;
    double *t = (double *)malloc(n * sizeof(double));
    t[0] = x;
    const double result = t[0] * t[0];
    free(t);
    return result;
#else
    double *t = nullptr;
    if (n > 0) t = (double *)malloc(n * sizeof(double));
    t[0] = x;
    return t[0] * t[0];
#endif
}
// obeys: unsupported
// says: memory_of_a_branch.cu:16:5: error: memory that is allocated in a branch or loop and used behind it cannot be differentiated yet [unsupported]
// says:     t[0] = x;
// says:     ^
// says:   way out: use it between its allocation and its end
