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

// ---- rows behind a stride, in which neighbours are three floats apart: first those in which one thing is
// missing, so that no stride parts the rows ----
#define PIXEL  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

// Rows of eight numbers, of which the stride is a number: what is longer is not known to be shorter.
GW_GRADIENT("y wrt x")
__global__ void rows_of_eight(float *y, const float *x, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[8 * j + 3 * i] * x[8 * j + 3 * i];
}
//= d_x[8 * j + 3 * i] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Pixels of three numbers of which the next one takes the first, however far rows are apart.
GW_GRADIENT("y wrt x")
__global__ void pixels_overlap(float *y, const float *x, int stride, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[j * stride + 3 * i] * x[j * stride + 3 * i + 3];
}
//= d_x[j * stride + 3 * i] +=: atomic
//= d_x[j * stride + 3 * i + 3] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Tiles of two pixels and one more.
GW_GRADIENT("y wrt x")
__global__ void tiles_overlap(float *y, const float *x, int stride, int w, int h) {
    PIXEL if (i >= w || j >= h) return;
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += x[j * stride + 6 * i + 3 * k] * x[j * stride + 6 * i + 3 * k];
    y[j * w + i] = sum;
}
//= d_x[j * stride + 6 * i + 3 * k] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Each row has its own stride, and nobody knows which.
GW_GRADIENT("y wrt x")
__global__ void row_by_row(float *y, const float *x, const int *begin, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[begin[j] + 3 * i] * x[begin[j] + 3 * i];
}
//= d_x[begin[j] + 3 * i] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Two images of one array.
GW_GRADIENT("y wrt x")
__global__ void two_images(float *y, const float *x, int stride, int other, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[j * stride + 3 * i] * x[other + j * stride + 3 * i];
}
//= d_x[j * stride + 3 * i] +=: atomic
//= d_x[other + j * stride + 3 * i] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Neighbouring threads fill sectors: the atomic addition is as fast.
GW_GRADIENT("y wrt x")
__global__ void single_floats(float *y, const float *x, int stride, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[j * stride + i] * x[j * stride + i];
}
//= d_x[j * stride + i] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// It is asked for.
GW_GRADIENT("y wrt x") GW_ACCUMULATE(x, atomic)
__global__ void asked_to_be_atomic(float *y, const float *x, int stride, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[j * stride + 3 * i] * x[j * stride + 3 * i];
}
//= d_x[j * stride + 3 * i] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

GW_GRADIENT("y wrt x")
__global__ void pixels(float *y, const float *x, int stride, int w, int h) {
    PIXEL if (i < w && j < h) y[j * w + i] = x[j * stride + 3 * i] * x[j * stride + 3 * i + 1];
}
//= d_x[j * stride + 3 * i] +=: plain
//= d_x[j * stride + 3 * i] +=: atomic
//= d_x[j * stride + 3 * i + 1] +=: plain
//= d_x[j * stride + 3 * i + 1] +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain
//> d_x[j * stride + 3 * i] +=      plain   one thread per cell where 3 * w <= stride + 1
//> d_x[j * stride + 3 * i] +=      atomic  rows may overlap unless 3 * w <= stride + 1

// What is not bounded by a size is bounded by the launch.
GW_GRADIENT("y wrt x")
__global__ void pixels_of_all_threads(float *y, const float *x, int stride) {
    PIXEL y[j * gridDim.x * blockDim.x + i] = x[j * stride + 3 * i] * x[j * stride + 3 * i];
}
//= d_x[j * stride + 3 * i] +=: plain
//= d_x[j * stride + 3 * i] +=: atomic
//= d_y[j * gridDim.x * blockDim.x + i] =: plain
//= read d_y[j * gridDim.x * blockDim.x + i]: plain
//> and 3 * gridDim.x * blockDim.x <= stride + 2

// Members of a struct that is no pair; the length of a row in bytes of another type.
struct image {
    const float3 *at;
    size_t pitch[2];
};
GW_GRADIENT("y wrt from.at")
__global__ void members_of_pixels(float *y, image from, int w, int h) {
    PIXEL if (i >= w || j >= h) return;
    y[j * w + i] = from.at[j * from.pitch[0] + i].x * from.at[j * from.pitch[0] + i].z;
}
//= d_from.at[j * from.pitch[0] + i].x +=: plain
//= d_from.at[j * from.pitch[0] + i].x +=: atomic
//= d_from.at[j * from.pitch[0] + i].z +=: plain
//= d_from.at[j * from.pitch[0] + i].z +=: atomic
//= d_y[j * w + i] =: plain
//= read d_y[j * w + i]: plain

// Rows of planes: the inner stride is the first that is asked about.
GW_GRADIENT("y wrt x")
__global__ void planes(float *y, const float *x, int plane, int stride, int w, int h) {
    PIXEL int k = blockIdx.z;
    if (i < w && j < h) y[(k * h + j) * w + i] = x[k * plane + j * stride + 3 * i] * 2;
}
//= d_x[k * plane + j * stride + 3 * i] +=: atomic
//= d_y[(k * h + j) * w + i] =: plain
//= read d_y[(k * h + j) * w + i]: plain
