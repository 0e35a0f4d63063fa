// Updates that are undone by a fast division: those of floats by what is proved to be neither tiny nor huge.
#include <gradwright/gradwright.h>
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Between 0.01 and 254 / 255, by the branch around the update.
GW_GRADIENT("y wrt x")
__global__ void bounded(float *y, const float *x, int n) {
    float t = 1, sum = 0;
    for (int k = 0; k < n; k++) {
        float a = fminf(0.99f, x[k] * x[HERE]);
        if (a < 1 / 255.0f) continue;
        float next = t * (1 - a);
        if (next < 1e-4f) break;
        sum += a * t;
        t = next;
    }
    y[HERE] = sum + t;
}
//= t = gw_overf(t, difference
//! t /=

// Nothing bounds the factor from above: a may be as low as it likes.
GW_GRADIENT("y wrt x")
__global__ void open_above(float *y, const float *x, int n) {
    float t = 1, sum = 0;
    for (int k = 0; k < n; k++) {
        float a = fminf(0.99f, x[k] * x[HERE]), next = t * (1 - a);
        if (next < 1e-4f) break;
        sum += a * t;
        t = next;
    }
    y[HERE] = sum + t;
}
//= t /= difference
//! gw_over

// The other side of the branch bounds it; this one does not.
GW_GRADIENT("y wrt x")
__global__ void other_side(float *y, const float *x, int n) {
    float t = 1, sum = 0;
    for (int k = 0; k < n; k++) {
        float a = fminf(0.99f, x[k] * x[HERE]);
        if (a > -4.0f) continue;
        float next = t * (1 - a);
        if (next < 1e-4f) break;
        sum += a * t;
        t = next;
    }
    y[HERE] = sum + t;
}
//= t /= difference
//! gw_over

// There is no such function of doubles.
GW_GRADIENT("y wrt x")
__global__ void of_doubles(double *y, const double *x, int n) {
    double t = 1, sum = 0;
    for (int k = 0; k < n; k++) {
        double a = fmin(0.99, x[k] * x[HERE]);
        if (a < 1 / 255.0) continue;
        double next = t * (1 - a);
        if (next < 1e-4) break;
        sum += a * t;
        t = next;
    }
    y[HERE] = sum + t;
}
//= t /= difference
//! gw_over

int main() {}
