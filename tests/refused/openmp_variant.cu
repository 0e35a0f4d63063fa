// A function in whose place OpenMP calls another.
// source: openmp_variant.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_variant.cpp:6:13: error: 'variant' of this pragma of OpenMP: another function may be called in its place, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp declare variant(thrice) match(user = {condition(1)})
// says:             ^
// says:   way out: call the function that is meant
