// Digits of a thread's number in the grid, in arrays of the block: what all its threads have in that number
// cancels. By rules alone (--smt=off), and no launch is asked for blocks that a width divides (rows.cu).
#include <gradwright/gradwright.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define STAGED                                                                                            \
    __shared__ float s[96];                                                                               \
    int i = HERE, t = threadIdx.x;                                                                        \
    for (int k = 0; k < 3; k++) s[3 * t + k] = x[3 * i + k] * x[3 * i + k];                               \
    __syncthreads();

GW_GRADIENT("y wrt x")
__global__ void of_number(float *y, const float *x) {
    STAGED
    y[i] = s[3 * t + i % 3] * s[3 * t + i % 3];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[3 * t + i % 3] +=: plain
//= d_s[3 * t + k] =: plain
//= read d_s[3 * t + k]: plain
//= d_x[3 * i + k] +=: plain

GW_GRADIENT("y wrt x")
__global__ void of_square(float *y, const float *x) {
    STAGED
    y[i] = s[3 * t + i * i % 3] * s[3 * t] * (t % 3);
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[3 * t + i * i % 3] +=: plain
//= d_s[3 * t] +=: plain
//= d_s[3 * t + k] =: plain
//= read d_s[3 * t + k]: plain
//= d_x[3 * i + k] +=: plain

// A digit more than there is room for, and one of a number that may be below 0.
GW_GRADIENT("y wrt x")
__global__ void too_wide(float *y, const float *x) {
    STAGED
    y[i] = s[3 * t + i % 4] * s[3 * t + i % 4];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[3 * t + i % 4] +=: atomic
//= d_s[3 * t + k] =: plain
//= read d_s[3 * t + k]: plain
//= d_x[3 * i + k] +=: plain

GW_GRADIENT("y wrt x")
__global__ void below_0(float *y, const float *x, int n) {
    STAGED
    y[i] = s[3 * t + (i - n) % 3] * s[3 * t + (i - n) % 3];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[3 * t + (i - n) % 3] +=: atomic
//= d_s[3 * t + k] =: plain
//= read d_s[3 * t + k]: plain
//= d_x[3 * i + k] +=: plain
