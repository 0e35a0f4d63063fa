#include <gradwright/gradwright.h>

int calls;

float counted(float v, int n) {
#ifndef OBEYED
    calls++;
#endif
    return n == 0 ? v : v * counted(v, n - 1);
}

GW_GRADIENT("wrt x")
float counts(float x, int n) { return counted(x, n); }
// obeys: unsupported
// says: recursion_with_global.cu:5:7: error: a recursive function that writes global variables cannot be differentiated yet [unsupported]
// says: float counted(float v, int n) {
// says:       ^
// says:   way out: return the values, or rewrite the recursion as a loop
