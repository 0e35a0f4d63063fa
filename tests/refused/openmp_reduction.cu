// A sum of one's own.
// source: openmp_reduction.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_reduction.cpp:12:1: error: 'reduction' of this pragma of OpenMP: how results of threads are combined is not known, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: use +, *, min or max
