// Groups exclude each other; inside a group a case falls through.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void choose(float *y, const float *x, int n) {
    float s = x[0];
    switch (n) {
    case 1: s *= 2; break;
    default: s += 1;
    case 2:
    case 3: s *= 3;
    case 4: if (s > 5) break; s *= 4; break;
    case 5: return;
    }
    y[0] = s;
}
