#include <gradwright/gradwright.h>
#include <cstdlib>

GW_GRADIENT("wrt x")
double of_a_loop(double x, int n) {
    double *t = nullptr;
#ifdef OBEYED
    t = (double *)malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) t[0] = x * i;
#else
    for (int i = 0; i < n; i++) t = (double *)malloc(n * sizeof(double)), t[0] = x * i;
#endif
    return t[0] * t[0];
}
GW_GRADIENT("wrt x")
double of_a_number_made_there(double x, int *n) {
    double *t = nullptr;
#ifdef OBEYED
    const int size = *n += 2;
#else
    if (x > 0) *n += 2;
#define size *n
#endif
    if (x > 0) t = (double *)malloc(size * sizeof(double));
    if (x > 0) t[0] = x;
    return x > 0 ? t[0] * t[0] : x;
}
// obeys: unsupported
// says: memory_of_a_branch.cu:11:33: error: a pointer that may lead to two objects cannot be differentiated yet [unsupported]
// says:     for (int i = 0; i < n; i++) t = (double *)malloc(n * sizeof(double)), t[0] = x * i;
// says:                                 ^
// says:   way out: use the objects in the branches of an if; keep lists in arrays, by numbers of elements
// says: memory_of_a_branch.cu:25:16: error: memory that is allocated in a branch or loop and used behind it cannot be differentiated yet [unsupported]
// says:     if (x > 0) t[0] = x;
// says:                ^
// says:   way out: use it between its allocation and its end
