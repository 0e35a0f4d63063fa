// OpenMP, but the pragmas of simd alone.
// source: openmp_simd.c
// flags: -fopenmp-simd
// obeys: openmp-meaning
// says: openmp_simd.c:11:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp simd private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
