// Uses of variables by which several threads compute something else than one.
// source: openmp_uses.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_uses.cpp:12:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:25:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:38:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:51:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:65:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:79:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:93:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:108:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:124:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:144:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:161:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:177:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:192:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:221:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:239:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:260:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:283:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:298:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:313:1: error: 't' of this pragma of OpenMP: the loop's last turn may not set it, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for lastprivate(t) reduction(+ : s)
// says: ^
// says:   way out: set it in each turn, first of all
// says: openmp_uses.cpp:327:1: error: ':' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for lastprivate(conditional : t) reduction(+ : s)
// says: ^
// says:   way out: name variables alone
// says: openmp_uses.cpp:341:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:353:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:362:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:372:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:382:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:392:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m) reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:407:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:417:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:427:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:437:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:447:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:457:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:468:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s[0 : 2])
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:562:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:579:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:591:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:608:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
