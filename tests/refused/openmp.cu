// Pragmas of OpenMP by which several threads compute something else than one.
// source: openmp.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp.cpp:14:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:33:1: error: 'i' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for \
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:52:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp.cpp:65:1: error: 'parallel' of this pragma of OpenMP: each of several threads runs what stands outside of its loops, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel num_threads(4) reduction(+ : s)
// says: ^
// says:   way out: use a parallel for, or put it behind omp single
// says: openmp.cpp:77:1: error: 'default' of this pragma of OpenMP: each thread has copies of variables that no clause names, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for default(firstprivate) reduction(+ : s)
// says: ^
// says:   way out: name them
// says: openmp.cpp:89:1: error: 'task' of this pragma of OpenMP: what several threads make of it is not known to be the same, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp task
// says: ^
// says:   way out: take the pragma away, or use a parallel for with reductions
// says: openmp.cpp:101:1: error: 'reduction' of this pragma of OpenMP: how results of threads are combined is not known, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(mine : s)
// says: ^
// says:   way out: use +, *, min or max
// says: openmp.cpp:118:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp.cpp:139:1: error: 'level' of this pragma of OpenMP: other functions, or other calls, have it too, and not what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(level) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp.cpp:163:9: error: 'room' of this pragma of OpenMP: each thread has one of its own (threadprivate), and the derivative is that of one thread [openmp-meaning]
// says:         room += x[i];
// says:         ^
// says:   way out: take a parameter, or a variable that is declared inside the loop
// says: openmp.cpp:182:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:199:5: error: '_Pragma' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     _Pragma("omp parallel for reduction(+ : s)")
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp.cpp:214:5: error: 'IN_PARALLEL' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     IN_PARALLEL
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp.cpp:227:5: error: 'TEXT' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says:     TEXT(omp parallel for private(t) reduction(+ : s))
// says:     ^
// says:   way out: write #pragma omp in this function
// says: openmp.cpp:243:1: error: 'DEFINED' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says: DEFINED(whole, omp parallel for private(t) reduction(+ : s))
// says: ^
// says:   way out: write #pragma omp in this function
// says: openmp.cpp:257:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:275:1: error: 'OWN' of this pragma of OpenMP: what stands in the macro is not read, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(OWN) reduction(+ : s)
// says: ^
// says:   way out: write it without the macro
// says: openmp.cpp:289:1: error: 'i' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:306:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:323:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:338:1: error: 'j' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for collapse(2)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:353:1: error: 'j' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for ordered(BOTH)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp.cpp:368:1: error: 'j' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for collapse(2)
// says: ^
// says:   way out: declare it inside the loop
