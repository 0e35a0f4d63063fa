// Pragmas of OpenMP by which several threads compute something else than one.
// flags: -fopenmp
#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double escapes(const double *x, int n) {
    double s = 0, t = x[0];
#pragma omp parallel for private(t) reduction(+ : s)
    for (int i = 0; i < n; i++) {
        t = 2 * x[i];
        s += t * t;
    }
    return s + t;
}

// Its own index, and a line that goes on.
GW_GRADIENT("wrt x")
double index_escapes(const double *x, int n) {
    double s = 0;
    int i;
#pragma omp parallel for \
    reduction(+ : s)
    for (i = 0; i < n; i++) s += x[i] * x[i];
    return s * i;
}

GW_GRADIENT("wrt x")
double carried(const double *x, int n) {
    double s = 0, t = x[0];
#pragma omp parallel for firstprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) s += t *= x[i];
    return s;
}

GW_GRADIENT("wrt x")
double each(const double *x) {
    double s = 0;
#pragma omp parallel num_threads(4) reduction(+ : s)
    s += x[0] * x[0];
    return s;
}

// In a function that is called.
static double squares(const double *x, int n) {
    double s = 0;
#pragma omp parallel for default(firstprivate) reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
GW_GRADIENT("wrt x")
double calls(const double *x, int n) { return squares(x, n); }

GW_GRADIENT("wrt x")
double tasks(const double *x) {
    double s = x[0];
#pragma omp task
    s *= x[0];
    return s;
}

GW_GRADIENT("wrt x")
double combined(const double *x, int n) {
    double s = 0;
#pragma omp parallel for reduction(mine : s)
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

GW_GRADIENT("wrt x")
double by_operator(const double *x, int n) {
    double s = 0;
    _Pragma("omp parallel for reduction(+ : s)")
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}

// One thread computes the same: these have their gradients.
GW_GRADIENT("wrt x")
double the_same(const double *x, int n) {
    double s = 0, t, most = 0, last = 0;
    int i;
#pragma omp parallel for private(t) reduction(+ : s) schedule(static, 4)
    for (i = 0; i < n; i++) {
        t = x[i] * x[i];
        s += t;
    }
#pragma omp parallel for reduction(max : most) lastprivate(last)
    for (i = 0; i < n; i++) {
        if (x[i] > most) most = x[i];
        last = x[i];
    }
#pragma omp simd reduction(+ : s)
    for (int k = 0; k < n; k++) s += x[k];
    t = most;
    return s * t + last;
}
// says: openmp.cpp:8:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:21:1: error: 'i' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for \
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:30:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp.cpp:38:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs all of the statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel num_threads(4) reduction(+ : s)
// says: ^
// says:   way out: use a parallel for
// says: openmp.cpp:46:1: error: 'default' of this pragma of OpenMP: each thread has copies of variables that no clause names, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for default(firstprivate) reduction(+ : s)
// says: ^
// says:   way out: name them
// says: openmp.cpp:56:1: error: 'task' of this pragma of OpenMP: what several threads make of it is not known to be the same, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp task
// says: ^
// says:   way out: take the pragma away, or use a parallel for with reductions
// says: openmp.cpp:64:1: error: 'reduction' of this pragma of OpenMP: how results of threads are combined is not known, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(mine : s)
// says: ^
// says:   way out: use +, *, min or max
// says: openmp.cpp:72:5: error: '_Pragma' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     _Pragma("omp parallel for reduction(+ : s)")
// says:     ^
// says:   way out: write #pragma
