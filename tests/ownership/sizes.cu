// What --explain must say of indices that are taken apart by sizes of which the kernel does not say that they
// are positive, and put together again: first those that are put together wrongly.
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void digits_of_other_sizes(float *y, const float *x, int N, int C, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * C * H * W) return;
    int w = i % W, h = (i / W) % H, c = (i / (W * H)) % C, b = i / (W * H * C);
    y[i] = x[((b * H + w) * W + h) * C + c];
}
//= d_x[((b * H + w) * W + h) * C + c] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void halves_overlap(float *y, const float *x, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * d) return;
    int r = i / d, c = i % d;
    y[i] = x[r * d + c] * x[r * d + d + c];
}
//= d_x[r * d + c] +=: atomic
//= d_x[r * d + d + c] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void windows_overlap(float *y, const float *x, int n, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int ow = i % W, oh = (i / W) % H, c = i / (W * H);
    float s = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) s += x[(c * 2 * H + oh * 2 + a) * 2 * W + ow * 2 + b];
    y[i] = s;
}
//= d_x[(c * ... * H + oh * 2 + a) * 2 * W + ow * 2 + b] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void one_component_more(float *y, const float *x, int n, int C, int V) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int c = 0; c <= C; c++) s += x[(i / V) * V * C + c * V + i % V];
    y[i] = s;
}
//= d_x[i / V * V * C + c * V + i % V] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt a, b")
__global__ void concatenated_too_short(float *y, const float *a, const float *b, int n, int da, int db) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, d = da + db;
    if (i >= n * d) return;
    int r = i / d, c = i % d;
    y[i] = c <= da ? a[r * da + c] : b[r * db + c - 2 * da];
}
//= d_a[r * da + c] +=: atomic
//= d_b[r * db + c - 2 * da] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// Nobody divides by w where it is 0, and all threads meet at x[0]: the kernel asks.
GW_GRADIENT("y wrt x")
__global__ void zero_or_rest(float *y, const float *x, int n, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (w == 0 || i % w < 3)) y[i] = x[i * w] * x[-1 - i * w] * x[-2 - i * w];
}
//= d_x[i * w] +=: atomic
//= d_x[i * w] +=: plain
//= d_x[-1 - i * w] +=: atomic
//= d_x[-1 - i * w] +=: plain
//= d_x[-2 - i * w] +=: atomic
//= d_x[-2 - i * w] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// A size that may be negative and that nobody divides by says nothing where less of it is more.
GW_GRADIENT("y wrt x")
__global__ void less_of_a_size(float *y, const float *x, int n, int g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) y[j * n + i] = x[j * (n - 2 * g) + i + g];
}
//= d_x[j * (n - 2 * g) + i + g] +=: atomic
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain

// Else it is supposed not to be, and checked.
GW_GRADIENT("y wrt x")
__global__ void no_size(float *y, const float *x, int n, int g) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) y[j * n + i] = x[j * (n + 2 * g) + i + g];
}
//= d_x[j * (n + 2 * g) + i + g] +=: plain
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain

//> assumes g >= 0 (a size of the kernel): checked at the launch
//> assumes W >= 0 (a size in the index of 'd_x'): checked at the launch

// The right ones.
GW_GRADIENT("y wrt x")
__global__ void channels_last(float *y, const float *x, int N, int C, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * C * H * W) return;
    int w = i % W, h = (i / W) % H, c = (i / (W * H)) % C, b = i / (W * H * C);
    y[i] = x[((b * H + h) * W + w) * C + c];
}
//= d_x[((b * H + h) * W + w) * C + c] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void two_halves_of_a_row(float *y, const float *x, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * d) return;
    int r = i / d, c = i % d;
    y[i] = x[r * 2 * d + c] * x[r * 2 * d + d + c];
}
//= d_x[r * 2 * d + c] +=: plain
//= d_x[r * 2 * d + d + c] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void windows(float *y, const float *x, int n, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int ow = i % W, oh = (i / W) % H, c = i / (W * H);
    float s = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) s += x[(c * 2 * H + oh * 2 + a) * 2 * W + ow * 2 + b];
    y[i] = s;
}
//= d_x[(c * ... * H + oh * 2 + a) * 2 * W + ow * 2 + b] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void arrays_of_vectors(float *y, const float *x, int n, int C, int V) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int c = 0; c < C; c++) s += x[(i / V) * V * C + c * V + i % V];
    y[i] = s;
}
//= d_x[i / V * V * C + c * V + i % V] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void butterfly_stage(float *y, const float *x, int n, int half) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    int k = t % half, g = t / half, a = g * 2 * half + k, b = a + half;
    y[a] = x[a] + x[b];
    y[b] = x[a] - x[b];
}
//= d_x[a] +=: plain
//= d_x[b] +=: plain
//= d_y[a] =: plain
//= read d_y[a]: plain
//= d_y[b] =: plain
//= read d_y[b]: plain

GW_GRADIENT("y wrt x")
__global__ void rows_turned_round(float *y, const float *x, int n, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * d) y[i] = x[(i / d) * d + (d - 1 - i % d)];
}
//= d_x[i / d * d + (d - 1 - i % d)] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt a, b")
__global__ void concatenated(float *y, const float *a, const float *b, int n, int da, int db) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, d = da + db;
    if (i >= n * d) return;
    int r = i / d, c = i % d;
    y[i] = c < da ? a[r * da + c] : b[r * db + c - da];
}
//= d_a[r * da + c] +=: plain
//= d_b[r * db + c - da] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// Products of blockIdx.x and an int are unsigned: a size again.
GW_GRADIENT("y wrt x")
__global__ void tiles_overlap(float *y, const float *x, int n, int tile) {
    int start = blockIdx.x * tile, end = min(start + tile + 1, n);
    for (int i = start + threadIdx.x; i < end; i += blockDim.x) y[i + blockIdx.x] = x[i] * x[i];
}
//= d_x[i] +=: atomic
//= d_y[i + blockIdx.x] =: plain
//= read d_y[i + blockIdx.x]: plain

GW_GRADIENT("y wrt x")
__global__ void tiles(float *y, const float *x, int n, int tile) {
    int start = blockIdx.x * tile, end = min(start + tile, n);
    for (int i = start + threadIdx.x; i < end; i += blockDim.x) y[i] = x[i] * x[i];
}
//= d_x[i] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

GW_GRADIENT("y wrt x")
__global__ void row_of_a_block(float *y, const float *x, const float *mean, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        y[blockIdx.x * n + k] = x[blockIdx.x * n + k] * mean[blockIdx.x];
}
//= d_x[blockIdx.x * n + k] +=: plain
//= d_y[blockIdx.x * n + k] =: plain
//= read d_y[blockIdx.x * n + k]: plain

GW_GRADIENT("y wrt x")
__global__ void halves_of_a_head(float *y, const float *x, const float *c, const float *s, int D) {
    const float *p = x + (blockIdx.x * gridDim.y + blockIdx.y) * D;
    for (int k = threadIdx.x; k < D / 2; k += blockDim.x)
        y[(blockIdx.x * gridDim.y + blockIdx.y) * D + k] = p[k] * c[k] - p[k + D / 2] * s[k];
}
//= d_x[(blockIdx.x * gridDim.y + blockIdx.y) * D + k] +=: plain
//= d_x[(blockIdx.x * gridDim.y + blockIdx.y) * D + (k + D / 2)] +=: plain
//= d_y[(blockIdx.x * gridDim.y + blockIdx.y) * D + k] =: plain
//= read d_y[(blockIdx.x * gridDim.y + blockIdx.y) * D + k]: plain
