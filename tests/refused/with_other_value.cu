// What the output holds is made of the needed value, is written a second time, or in a loop.
#include <gradwright/gradwright.h>

__device__ float power(float v, const float *x) {
    for (int k = 0; k < 3; k++) v = v * x[k] + 0.5f;
    return v;
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_SPLIT_GRADIENT("y wrt x with end")
#endif
__global__ void scaled(float *y, float *end, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = power(x[i], x);
    end[i] = 2 * v;
    y[i] = v * v;
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_SPLIT_GRADIENT("y wrt x with end")
#endif
__global__ void twice(float *y, float *end, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = power(x[i], x);
    end[i] = v;
    y[i] = v * v;
    if (i == 0) end[n] = 1;
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_SPLIT_GRADIENT("y wrt x with end")
#endif
__global__ void in_loop(float *y, float *end, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = power(x[i], x);
    for (int k = 0; k < n; k++) end[i] = v;
    y[i] = v * v;
}

#ifdef OBEYED
GW_SPLIT_GRADIENT("y wrt x")
#else
GW_SPLIT_GRADIENT("y wrt x with end, other")
#endif
__global__ void unknown(float *y, float *end, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = power(x[i], x);
    end[i] = v;
    y[i] = v * v;
}
// obeys: kept-output
// says: with_other_value.cu:12:1: error: 'end' cannot stand for the tape: the gradient needs no value that it is known to hold when 'scaled' has ended [kept-output]
// says: GW_SPLIT_GRADIENT("y wrt x with end")
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_other_value.cu:24:1: error: 'end' cannot stand for the tape: the gradient needs no value that it is known to hold when 'twice' has ended [kept-output]
// says: GW_SPLIT_GRADIENT("y wrt x with end")
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_other_value.cu:37:1: error: 'end' cannot stand for the tape: the gradient needs no value that it is known to hold when 'in_loop' has ended [kept-output]
// says: GW_SPLIT_GRADIENT("y wrt x with end")
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
// says: with_other_value.cu:49:1: error: 'other' cannot stand for the tape: the gradient needs no value that it is known to hold when 'unknown' has ended [kept-output]
// says: GW_SPLIT_GRADIENT("y wrt x with end, other")
// says: ^
// says:   way out: name outputs that one store alone writes, outside of loops, with the needed value itself; or leave it out behind 'with'
