// What --explain must say of kernels in which a thread owns a row, and of some that look like them.
#include <gradwright/gradwright.h>

// Rows from their first cells and from their last: a cell too far, and the right ones.
GW_GRADIENT("y wrt x")
__global__ void rows_one_too_far(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) y[row * n + k] = x[row * n + k] * x[row * n + n - k];
}
//= d_x[row * n + k] +=: atomic
//= d_x[row * n + n - k] +=: atomic
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void row_before(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) y[row * n + k] = x[row * n + k] * x[row * n - 1 - k];
}
//= d_x[row * n + k] +=: atomic
//= d_x[row * n - 1 - k] +=: atomic
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void two_rows_long(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2 * n; k++) y[2 * row * n + k] = x[row * n + k] * x[row * n + n - 1 - k];
}
//= d_x[row * n + k] +=: atomic
//= d_x[row * n + n - 1 - k] +=: atomic
//= d_y[2 * row * n + k] =: plain
//= read d_y[2 * row * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void both_ways(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) y[row * n + k] = x[row * n + k] * x[row * n + n - 1 - k];
}
//= d_x[row * n + k] +=: plain
//= d_x[row * n + n - 1 - k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

// The reverse sweep runs the last loop downwards, the other upwards.
GW_GRADIENT("y wrt x")
__global__ void softmax(float *y, const float *x, int rows, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float m = -INFINITY, s = 0;
    for (int k = 0; k < n; k++) m = fmaxf(m, x[row * n + k]);
    for (int k = 0; k < n; k++) s += expf(x[row * n + k] - m);
    for (int k = 0; k < n; k++) y[row * n + k] = expf(x[row * n + k] - m) / s;
}
//= d_x[row * n + last] +=: plain
//= d_x[row * n + k] +=: plain
//= d_x[row * n + k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void softmax_by_pointer(float *y, const float *x, int rows, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float *r = x + row * n;
        float m = -INFINITY, s = 0;
        for (int k = 0; k < n; k++) m = fmaxf(m, r[k]);
        for (int k = 0; k < n; k++) s += expf(r[k] - m);
        for (int k = 0; k < n; k++) y[row * n + k] = expf(r[k] - m) / s;
    }
}
//= d_x[row * n + last] +=: plain
//= d_x[row * n + k] +=: plain
//= d_x[row * n + k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

// A block runs over its row in steps of its threads: a cell too many, and the right ones.
GW_GRADIENT("y wrt x")
__global__ void block_row_too_long(float *y, const float *x, const float *mean, int n) {
    for (int k = threadIdx.x; k <= n; k += blockDim.x)
        y[blockIdx.x * (n + 1) + k] = x[blockIdx.x * n + k] * mean[blockIdx.x];
}
//= d_x[blockIdx.x * n + k] +=: atomic
//= d_y[blockIdx.x * (n + 1) + k] =: plain
//= read d_y[blockIdx.x * (n + 1) + k]: plain

GW_GRADIENT("y wrt x")
__global__ void steps_too_short(float *y, const float *x, const float *mean, int n) {
    int row = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x - 1)
        y[(row * n + k) * blockDim.x + threadIdx.x] = x[row * n + k] * mean[row];
}
//= d_x[row * n + k] +=: atomic
//= d_y[(row * n + k) * blockDim.x + threadIdx.x] =: plain
//= read d_y[(row * n + k) * blockDim.x + threadIdx.x]: plain

GW_GRADIENT("y wrt x")
__global__ void block_row(float *y, const float *x, const float *mean, int n) {
    int row = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[row * n + k] = x[row * n + k] * mean[row];
}
//= d_x[row * n + k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void row_of_threads_in_y(float *y, const float *x, int rows, int n) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) y[row * n + k] = x[row * n + k] * x[row * n + k];
}
//= d_x[row * n + k] +=: plain
//= d_y[row * n + k] =: plain
//= read d_y[row * n + k]: plain
