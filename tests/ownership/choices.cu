// What --explain must say of kernels whose index is one of two by a condition: first those in which threads do
// meet.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void clamped(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i < n ? i : n - 1];
}
//= d_x[...] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void reflected(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i;
    if (j >= n) j = 2 * n - 1 - j;
    if (i < 2 * n) y[i] = x[j];
}
//= d_x[j] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void neighbours_pair(float *y, const float *x, const int *flag, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[flag[i] ? 2 * i : 2 * i + 2];
}
//= d_x[...] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void rotated_too_far(float *y, const float *x, int n, int s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && s >= 0 && s < n) y[i] = x[i + s < n ? i + s : i + s - n + 1];
}
//= d_x[...] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

// One layout in some threads, the other in others.
GW_GRADIENT("y wrt x")
__global__ void both_layouts(float *y, const float *x, int n, int m, const int *flag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m) y[j * n + i] = x[flag[i] ? i * m + j : j * n + i];
}
//= d_x[...] +=: atomic
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain

GW_GRADIENT("y wrt x")
__global__ void its_own_part_and_one_more(float *y, const float *x, int n, int c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, from = t * c, to = from + c < n ? from + c + 1 : n;
    for (int i = from; i < to; i++) y[i + t] = x[i];
}
//= d_x[i] +=: atomic
//= d_y[i + t] =: plain
//= read d_y[i + t]: plain

// The same conditions, and nobody meets.
GW_GRADIENT("y wrt x")
__global__ void left_or_right(float *y, const float *x, const int *flag, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = flag[i] ? 2 * i : 2 * i + 1;
    if (i < n) y[i] = x[j];
}
//= d_x[j] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void rotated(float *y, const float *x, int n, int s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && s >= 0 && s < n) y[i] = x[i + s < n ? i + s : i + s - n];
}
//= d_x[...] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void rotated_by_branch(float *y, const float *x, int n, int s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && s >= 0 && s < n) {
        int j = i + s;
        if (j >= n) j -= n;
        y[i] = x[j];
    }
}
//= d_x[j] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void periodic(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i == 0 ? n - 1 : i - 1];
}
//= d_x[...] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void one_layout(float *y, const float *x, int n, int m, int transposed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int row = transposed ? m : 1, column = transposed ? 1 : n;
    if (i < n && j < m) y[j * n + i] = x[i * row + j * column];
}
//= d_x[i * row + j * column] +=: plain
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain

GW_GRADIENT("y wrt x")
__global__ void its_own_part(float *y, const float *x, int n, int c) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, from = t * c, to = from + c < n ? from + c : n;
    for (int i = from; i < to; i++) y[i] = x[i] * x[i];
}
//= d_x[i] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain
