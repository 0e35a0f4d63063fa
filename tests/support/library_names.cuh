/*
 * support/library_names.cuh - functions of a program's own, in a header of its own, whose names the C library
 * has too: they are what they do.
 */
#ifndef GRADWRIGHT_TESTS_LIBRARY_NAMES_CUH
#define GRADWRIGHT_TESTS_LIBRARY_NAMES_CUH

inline void rewind(double *v, int n) {
    for (int i = 0; i < n; i++)
        v[i] = 1;
}
inline void sleep(double *by) { *by *= 2; }
void setbuf(double *by); // defined elsewhere

#endif
