// Derivatives that are lost where a number is rounded, each with its way to the output.
#include <gradwright/gradwright.h>

// Two requests, one warning.
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
__global__ void converted(float *y, const float *x, int n) {
    int i = threadIdx.x + n / 2;
    int whole = (int)x[i];
    float scaled = whole * 2 + 1;
    y[i] = x[i] * scaled;
}

GW_GRADIENT("wrt x")
__device__ float rounded(float x) { return floorf(x) * x + lroundf(x); }

GW_DERIVATIVE("y wrt x")
__global__ void by_loop_and_array(float *y, const float *x, int n) {
    float kept[2];
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += (int)x[k];
    kept[n & 1] = sum;
    y[0] = x[0] > 1 ? kept[0] : x[0];
}

// The host's functions as well.
GW_GRADIENT("wrt x")
double host(double x) { return trunc(x) * x; }

// A fraction, an index, a condition, a bound: nothing is lost. Nor are integers that never were real numbers.
GW_GRADIENT("y wrt x, t")
__global__ void looks_up(float *y, const float *x, const float *t, int n) {
    int i = threadIdx.x, k = (int)x[i];
    float f = x[i] - k, g = x[i] - floorf(x[i]);
    for (int j = 0; j < (int)x[0]; j++) g += t[j];
    y[i] = t[k] * (1 - f) + t[k + 1] * f + (k > 3 ? g : 0) + n * i;
}

// Rounded, but not what the request is about.
GW_GRADIENT("y wrt x")
__global__ void other(float *y, int *bins, const float *x, const float *z) {
    int i = threadIdx.x;
    bins[i] = (int)x[i];
    y[i] = x[i] * floorf(z[i]);
}

// The user said so.
GW_NONDIFFERENTIABLE __device__ float step_of(float x) { return floorf(x * 4) / 4; }
GW_GRADIENT("y wrt x") GW_DERIVATIVE("y wrt x")
__global__ void meant(float *y, const float *x) { y[threadIdx.x] = step_of(x[threadIdx.x]) * x[threadIdx.x]; }

// Fractions as they are taken in practice: of a clamped cell, across a periodic box, from the next cell.
GW_GRADIENT("y wrt x, t")
__global__ void interpolates(float *y, const float *x, const float *t, float size, float step, int n) {
    int i = threadIdx.x;
    float at = x[i] / step, d = x[i] - x[i + 1], wrapped = x[i] - size * floorf(x[i] / size);
    int k = (int)floorf(at);
    if (k > n - 2) k = n - 2;
    int j = min(max((int)at, 0), n - 2);
    y[i] = t[k] * (k + 1 - at) + t[j] * (at - j) + (d - size * rintf(d / size)) * wrapped;
}

// Not a fraction: what is taken away is no part of what was rounded.
GW_GRADIENT("wrt x, z")
__device__ float apart(float x, float z) { return x * (z - floorf(x)); }
