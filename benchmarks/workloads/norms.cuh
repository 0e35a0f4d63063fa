/*
 * norms.cuh - rows that a warp each normalises: by mean and deviation, by the mean square, by the length;
 * and a softmax. The first beside a backward pass written by hand.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <gradwright/gradwright.h>

/* y = (x - mean) / deviation * gain + bias along each row of `width`. */
GW_GRADIENT("y wrt x, gain, bias")
GW_GRADIENT("layer_norm_new = y wrt x[0:rows * width] fresh, gain[0:width] fresh, bias[0:width] fresh")
GW_DERIVATIVE("y wrt x, gain, bias")
__global__ void layer_norm_rows(real *y, real *means, real *scales, const real *x, const real *gain,
                                const real *bias, int rows, int width) {
    namespace cg = cooperative_groups;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int r = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (r >= rows) return;
    const real *row = x + r * width;
    real sum = 0, squares = 0;
    for (int k = warp.thread_rank(); k < width; k += warp.size()) sum += row[k];
    const real mean = cg::reduce(warp, sum, cg::plus<real>()) / width;
    for (int k = warp.thread_rank(); k < width; k += warp.size()) squares += (row[k] - mean) * (row[k] - mean);
    const real scale = 1 / sqrt(cg::reduce(warp, squares, cg::plus<real>()) / width + (real)1e-5);
    if (warp.thread_rank() == 0) means[r] = mean, scales[r] = scale;
    for (int k = warp.thread_rank(); k < width; k += warp.size())
        y[r * width + k] = scale * (row[k] - mean) * gain[k] + bias[k];
}

/* y = x / sqrt(mean of squares) * gain, with the warp told by the thread's number. */
GW_GRADIENT("y wrt x, gain")
GW_DERIVATIVE("y wrt x, gain")
__global__ void rms_norm_rows(real *y, const real *x, const real *gain, int rows, int width) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    real sum = 0;
    for (int k = lane; k < width; k += 32) sum += x[r * width + k] * x[r * width + k];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    const real scale = 1 / sqrt(sum / width + (real)1e-5);
    for (int k = lane; k < width; k += 32) y[r * width + k] = x[r * width + k] * scale * gain[k];
}

/* y = x / |x|. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
__global__ void unit_rows(real *y, const real *x, int rows, int width) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    real sum = 0;
    for (int k = lane; k < width; k += 32) sum += x[r * width + k] * x[r * width + k];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    const real length = sqrt(sum);
    for (int k = lane; k < width; k += 32) y[r * width + k] = x[r * width + k] / length;
}

/* y = exp(x - most) / sum of it. */
GW_GRADIENT("y wrt x")
GW_DERIVATIVE("y wrt x")
__global__ void softmax_rows(real *y, const real *x, int rows, int width) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    real most = -1e30, sum = 0;
    for (int k = lane; k < width; k += 32) most = fmax(most, x[r * width + k]);
    for (int o = 16; o > 0; o /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, o));
    for (int k = lane; k < width; k += 32) sum += exp(x[r * width + k] - most);
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    for (int k = lane; k < width; k += 32) y[r * width + k] = exp(x[r * width + k] - most) / sum;
}
