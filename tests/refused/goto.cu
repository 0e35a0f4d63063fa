#include <gradwright/gradwright.h>

// A jump into a loop.
GW_GRADIENT("y wrt x")
__global__ void jumps(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    float s = 0;
#ifdef OBEYED
    for (; k < 3; k++) s += x[i];
#else
    if (n) goto inside;
again:
    s += x[i];
inside:
    if (++k < 3) goto again;
#endif
    y[i] = s * x[i] * n;
}

#ifndef OBEYED
// A jump into a block, and one to a label that a number chooses.
GW_GRADIENT("wrt x")
double jumps_into(double x, int n) {
    if (n) goto inside;
    x = 2;
    if (x > 3) {
    inside:
        x *= x;
    }
    return x;
}
GW_GRADIENT("wrt x")
double chooses(double x, int n) {
    goto *(n ? &&one : &&two);
one:
    x *= 2;
two:
    return x;
}
#endif
// obeys: unsupported
// says: goto.cu:11:12: error: a goto into a block or loop cannot be differentiated yet [unsupported]
// says:     if (n) goto inside;
// says:            ^
// says:   way out: use loops, break and continue
// says: goto.cu:24:12: error: a goto into a block or loop cannot be differentiated yet [unsupported]
// says:     if (n) goto inside;
// says:            ^
// says:   way out: use loops, break and continue
// says: goto.cu:34:5: error: a goto to a computed label cannot be differentiated yet [unsupported]
// says:     goto *(n ? &&one : &&two);
// says:     ^
// says:   way out: use loops, break and continue
