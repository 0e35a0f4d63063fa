// Early returns become else; exits that depend on more become flags.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void control(float *y, const float *x, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int j = 0; j < n; j++) {
        if (x[j] < 0) continue;
        if (x[j] > 9) {
            s += 1;
            if (s > 5) break;
        }
        s += x[j];
    }
    if (s == 0) {
        y[i] = 1;
        return;
    }
    y[i] = s;
}
