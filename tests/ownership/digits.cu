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

// Digits of one number from the top down: each is what the one before has left.
#define FROM_THE_TOP                                                                                           \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                             \
    if (i >= B * H * W * C) return;                                                                            \
    int b = i / (H * W * C), rest = i % (H * W * C), h = rest / (W * C);                                       \
    rest = rest % (W * C);                                                                                     \
    int w = rest / C, c = rest % C;
GW_GRADIENT("y, z wrt x")
__global__ void from_the_top(float *y, float *z, const float *x, int B, int H, int W, int C) {
    FROM_THE_TOP
    const int at = b * W * 2 * H * C + w * 2 * H * C + h * C + c;
    y[i] = x[at] * x[at];
    z[i] = x[at + H * C];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_z[i] =: plain
//= read d_z[i]: plain
//= d_x[at] +=: plain
//= d_x[at + H * C] +=: plain

// One of them is left out; one is taken of what is below 0 for some; one has less room than it takes.
GW_GRADIENT("y wrt x")
__global__ void one_digit_less(float *y, const float *x, int B, int H, int W, int C) {
    FROM_THE_TOP
    y[i] = x[(b * W + w) * C + c] * h;
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[(b * W + w) * C + c] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void top_below_0(float *y, const float *x, int n, int W, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int k = i - n, b = k / (W * C), rest = k % (W * C);
    y[i] = x[n + (rest / C * n + b) * C + rest % C];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[n + (rest / C * n + b) * C + rest % C] +=: atomic

GW_GRADIENT("y wrt x")
__global__ void top_too_narrow(float *y, const float *x, int B, int H, int W, int C) {
    FROM_THE_TOP
    y[i] = x[((b * W + w) * (H - 1) + h) * C + c];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[((b * W + w) * (H - 1) + h) * C + c] +=: atomic
