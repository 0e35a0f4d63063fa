/*
 * rows.cuh - kernels of one block a row, which meets to sum up: layer normalisation, softmax with a running
 * maximum, a sum of squares, and a scan.
 *
 * `real` and the constant `threads`, the size of a block and a power of 2, are the including file's; it
 * includes the gradients as well.
 */
#include <gradwright/gradwright.h>

#ifdef WITHOUT_COPIES /* another way to add is asked for */
#define ROW_SUMS
#else
#define ROW_SUMS GW_ACCUMULATE(gain, copies) GW_ACCUMULATE(bias, copies)
#endif

/* y = (x - mean) / deviation * gain + bias along each row of `width`. */
GW_GRADIENT("y wrt x, gain, bias")
GW_DERIVATIVE("y wrt x, gain, bias")
ROW_SUMS
__global__ void layer_norm(real *y, const real *x, const real *gain, const real *bias, int width) {
    __shared__ real part[threads];
    int t = threadIdx.x;
    const real *row = x + blockIdx.x * width;
    real sum = 0;
    for (int k = t; k < width; k += threads) sum += row[k];
    part[t] = sum;
    __syncthreads();
    for (int o = threads / 2; o > 0; o /= 2) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    real mean = part[0] / width;
    __syncthreads();
    real squares = 0;
    for (int k = t; k < width; k += threads) squares += (row[k] - mean) * (row[k] - mean);
    part[t] = squares;
    __syncthreads();
    for (int o = threads / 2; o > 0; o /= 2) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    real scale = 1 / sqrt(part[0] / width + (real)1e-5);
    for (int k = t; k < width; k += threads)
        y[blockIdx.x * width + k] = (row[k] - mean) * scale * gain[k] + bias[k];
}

/* y = exp(x - max) / sum of it along each row; maximum and sum are found in one sweep over the row. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
__global__ void softmax(real *y, const real *x, int width) {
    __shared__ real most[threads], total[threads];
    int t = threadIdx.x;
    const real *row = x + blockIdx.x * width;
    real high = -100000, sum = 0;
    for (int k = t; k < width; k += threads) {
        real next = fmax(high, row[k]);
        sum = sum * exp(high - next) + exp(row[k] - next);
        high = next;
    }
    most[t] = high;
    total[t] = sum;
    __syncthreads();
    for (int o = threads / 2; o > 0; o /= 2) {
        if (t < o) {
            real next = fmax(most[t], most[t + o]);
            total[t] = total[t] * exp(most[t] - next) + total[t + o] * exp(most[t + o] - next);
            most[t] = next;
        }
        __syncthreads();
    }
    for (int k = t; k < width; k += threads) y[blockIdx.x * width + k] = exp(row[k] - most[0]) / total[0];
}

/* y[block] = sum of x * x over the cells that fall to the block, in strides of the grid. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
__global__ void sum_of_squares(real *y, const real *x, int n) {
    __shared__ real part[threads];
    int t = threadIdx.x;
    real sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += x[i] * x[i];
    part[t] = sum;
    __syncthreads();
    for (int o = threads / 2; o > 0; o /= 2) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}

/* Inclusive sums of x * x within each block, after Hillis and Steele: two buffers in turn. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
__global__ void scan(real *y, const real *x, int n) {
    __shared__ real s[2][threads];
    int t = threadIdx.x, i = blockIdx.x * threads + t, from = 0;
    s[0][t] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    for (int o = 1; o < threads; o *= 2) {
        s[1 - from][t] = t >= o ? s[from][t] + s[from][t - o] : s[from][t];
        from = 1 - from;
        __syncthreads();
    }
    if (i < n) y[i] = s[from][t];
}
