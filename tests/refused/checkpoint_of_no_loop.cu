// args: --checkpoint scale:8=25 --checkpoint other:7=25
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x, int n) {
    float v = x[threadIdx.x];
    for (int k = 0; k < n; k++) v *= v;
    y[threadIdx.x] = v;
}
// obeys: no-loop
// obeyed-args: --checkpoint scale:7=25
// says: gradwright: error: 'scale:8=25' names no loop of a function that is differentiated [no-loop]
// says:   way out: LINE is the line of 'for', 'while' or 'do' in the function itself
// says: gradwright: error: 'other:7=25' names no loop of a function that is differentiated [no-loop]
// says:   way out: LINE is the line of 'for', 'while' or 'do' in the function itself
