// Uses of variables by which several threads compute something else than one.
// source: openmp_uses.cpp
// flags: -fopenmp
// obeys: openmp-meaning
// says: openmp_uses.cpp:14:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:27:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:40:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:53:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:67:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:81:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:95:1: error: 't' of this pragma of OpenMP: each thread changes a copy of its own, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: copy it to a variable that is declared inside the loop
// says: openmp_uses.cpp:110:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for firstprivate(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:126:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:146:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:163:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:179:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:194:1: error: 't' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:223:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:241:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:262:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:285:1: error: 't' of this pragma of OpenMP: in several threads it is as it was before, behind this statement, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:300:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:315:1: error: 't' of this pragma of OpenMP: the loop's last turn may not set it, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for lastprivate(t) reduction(+ : s)
// says: ^
// says:   way out: set it in each turn, first of all
// says: openmp_uses.cpp:329:1: error: ':' of this pragma of OpenMP: it is not read, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for lastprivate(conditional : t) reduction(+ : s)
// says: ^
// says:   way out: name variables alone
// says: openmp_uses.cpp:343:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:355:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:365:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:376:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:387:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:398:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m) reduction(+ : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:413:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:424:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:435:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:446:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:457:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:468:1: error: 'm' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : m)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:479:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s [0:2])
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:575:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:592:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:605:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:622:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:637:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:647:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:661:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:674:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(min : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:684:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:697:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:709:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:721:1: error: 's' of this pragma of OpenMP: in several threads it holds a part of the result, which this statement reads or sets otherwise, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(max : s) reduction(+ : c)
// says: ^
// says:   way out: combine it as the reduction says, and read it behind the statement
// says: openmp_uses.cpp:739:1: error: 'p' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(p) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:751:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:763:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:777:1: error: 'p' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(p) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:789:1: error: 'y' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : y [0:2])
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:798:1: error: 's' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:813:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:828:1: error: 't' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(t) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:844:1: error: 'p' of this pragma of OpenMP: in several threads it has no value before it is set, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for private(p) reduction(+ : s)
// says: ^
// says:   way out: declare it inside the loop
// says: openmp_uses.cpp:859:1: error: 'y' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : y [0:2])
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:870:1: error: 'y' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : y [0:2])
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:881:1: error: 'y' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : y [0:2])
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:894:1: error: 'y' of this pragma of OpenMP: it has another name, which does not lead to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : y [0:2])
// says: ^
// says:   way out: take a variable that is declared inside the loop
// says: openmp_uses.cpp:905:1: error: 's' of this pragma of OpenMP: another parameter leads to it, and not to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: sum to a variable of the function's own, and add that behind this statement
// says: openmp_uses.cpp:917:1: error: 's' of this pragma of OpenMP: another parameter leads to it, and not to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s[:2])
// says: ^
// says:   way out: sum to a variable of the function's own, and add that behind this statement
// says: openmp_uses.cpp:932:1: error: 's' of this pragma of OpenMP: another parameter leads to it, and not to what a thread has, and the derivative is that of one thread [openmp-meaning]
// says: #pragma omp parallel for reduction(+ : s)
// says: ^
// says:   way out: sum to a variable of the function's own, and add that behind this statement
