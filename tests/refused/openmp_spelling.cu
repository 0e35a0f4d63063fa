// Pragmas of OpenMP that are not written as such, or not in the text of the function.
// source: openmp_spelling.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_spelling.cpp:10:1: error: 'include' of this pragma of OpenMP: what it includes is not read, and the derivative is that of one thread [openmp-meaning]
// says: #include "openmp_loop.inc"
// says: ^
// says:   way out: write it out
// says: openmp_spelling.cpp:19:5: error: '[' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     [[omp::directive(parallel for, private(t), reduction(+ : s))]]
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp_spelling.cpp:30:5: error: '[' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     [[using omp: sequence(directive(parallel for, private(t), reduction(+ : s)))]]
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp_spelling.cpp:43:5: error: 'AS' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     AS(omp::directive(parallel for, private(t), reduction(+ : s)))
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp_spelling.cpp:54:5: error: 'IN_PARALLEL' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     IN_PARALLEL
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp_spelling.cpp:65:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: %:pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_spelling.cpp:77:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s) /* the number that
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_spelling.cpp:92:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_spelling.cpp:108:9: error: 'other' of this pragma of OpenMP: each thread has one of its own (threadprivate), and the derivative is that of one thread [openmp-meaning]
// says:     s = USED;
// says:         ^
// says:   way out: take a parameter, or a variable that is declared inside the loop
