// Parallel regions of which each thread runs a part that changes something, or reads what is its own.
// source: openmp_regions.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_regions.cpp:9:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:27:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:42:1: error: 'v' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel private(v)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:65:1: error: 'w' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel private(w)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:77:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:91:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:104:1: error: 'v' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:124:1: error: 'v' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_regions.cpp:140:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:161:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:175:1: error: 's' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_regions.cpp:192:1: error: 'reduction' of this pragma of OpenMP: the region holds parts of the result until it ends, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel reduction(+ : s)
// says: ^
// says:   way out: name it at the loop that sums
// says: openmp_regions.cpp:210:1: error: 'v' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel private(v)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:228:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:242:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp_regions.cpp:257:1: error: 'c' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:280:1: error: 'c' of this pragma of OpenMP: not all that is done with it is read, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_regions.cpp:296:1: error: 'c' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_regions.cpp:318:1: error: 'c' of this pragma of OpenMP: the loop's last turn may not set it, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for lastprivate(c)
// says: ^
// says:   way out: set it in each turn, first of all
// says: openmp_regions.cpp:336:1: error: 'num_threads' of this pragma of OpenMP: what it changes is not read, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for num_threads(k++)
// says: ^
// says:   way out: change it before
