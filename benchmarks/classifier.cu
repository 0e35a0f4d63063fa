/*
 * classifier.cu - times the rows of workloads/classifier.cuh beside backward passes written by hand: cross
 * entropy, 4,096 rows of 50,257 classes, whose pass finds the row's sum again and stores shares; softmax,
 * 16,384 rows of 1,024, whose pass takes what the primal left.
 *
 * Options: --repeats N
 */
typedef float real;
#include "workloads/classifier.cuh"

#include "classifier.grad.cuh"

#include "support/workload.cuh"

/* Shares of the row, less the target, times the loss's seed. */
__global__ void cross_entropy_by_hand(real *d_logits, const real *d_losses, const real *logits,
                                      const int *targets, int classes) {
    __shared__ real most[32], all[32];
    const size_t first = (size_t)blockIdx.x * (size_t)classes;
    row_sum own = {-1e30f, 0};
    for (int k = threadIdx.x; k < classes; k += blockDim.x) own = with(own, logits[first + k], 1);
    own = over_warp(own);
    if (threadIdx.x % 32 == 0) most[threadIdx.x / 32] = own.most, all[threadIdx.x / 32] = own.all;
    __syncthreads();
    own = {-1e30f, 0};
    for (int w = 0; w < (int)blockDim.x / 32; w++) own = with(own, most[w], all[w]);
    const real scale = d_losses[blockIdx.x] / own.all, seed = d_losses[blockIdx.x];
    const int target = targets[blockIdx.x];
    for (int k = threadIdx.x; k < classes; k += blockDim.x)
        d_logits[first + k] = expf(logits[first + k] - own.most) * scale - (k == target ? seed : 0);
}

__global__ void softmax_by_hand(real *d_x, const real *d_y, const real *y, int rows, int width) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const size_t first = (size_t)r * (size_t)width;
    real along = 0;
    for (int k = lane; k < width; k += 32) along += y[first + k] * d_y[first + k];
    for (int o = 16; o > 0; o /= 2) along += __shfl_xor_sync(0xffffffffu, along, o);
    for (int k = lane; k < width; k += 32) d_x[first + k] = y[first + k] * (d_y[first + k] - along);
}

typedef argument<active_array<real>> active;

static bool measure_cross_entropy(int repeats) {
    const int rows = on_cpu_device ? 3 : 4096, classes = on_cpu_device ? 200 : 50257, threads = 1024;
    const size_t cells = (size_t)rows * (size_t)classes;
    std::vector<int> drawn;
    numbers random(9);
    for (int i = 0; i < rows; i++) drawn.push_back((int)random.next(0, classes - 1));
    const device_array<int> targets(drawn);
    active_array<real> losses(std::vector<real>((size_t)rows), 1, true, false),
        logits(random_reals(2, cells, -4, 4), 3, false, true);
    const dim3 grid((unsigned)rows), block(on_cpu_device ? 64 : threads);
    const timed_run run = {"cross_entropy", (double)rows * block.x, repeats, 1e-2, grid, block};
    if (!measure_arguments(run, KERNEL(cross_entropy), active(losses), active(logits),
                           argument<device_array<int>>(targets), argument<int>(rows), argument<int>(classes)))
        return false;
    losses.refill();
    must(cross_entropy_grad_launch(grid, block, 0, 0, losses.value, logits.value, targets, rows, classes,
                                   losses.d(), logits.d(), nullptr, 0));
    losses.refill();
    return time_by_hand("cross_entropy", repeats, 1e-4, logits, [&] {
        cross_entropy_by_hand<<<grid, block>>>(logits.d(), losses.d(), logits.value, targets, classes);
    });
}

static bool measure_softmax(int repeats) {
    const int rows = on_cpu_device ? 20 : 16384, width = on_cpu_device ? 70 : 1024, threads = 512;
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -4, 4), 3, false, true);
    const dim3 grid((unsigned)(rows + threads / 32 - 1) / (threads / 32)), block(threads);
    const timed_run run = {"softmax_online", (double)rows * 32, repeats, 1e-2, grid, block};
    if (!measure_arguments(run, KERNEL(softmax_online), active(y), active(x), argument<int>(rows),
                           argument<int>(width)))
        return false;
    y.refill();
    must(softmax_online_grad_launch(grid, block, 0, 0, y.value, x.value, rows, width, y.d(), x.d(), nullptr,
                                    0));
    y.refill();
    softmax_online<<<grid, block>>>(y.value, x.value, rows, width);
    return time_by_hand("softmax_online", repeats, 1e-4, x,
                        [&] { softmax_by_hand<<<grid, block>>>(x.d(), y.d(), y.value, rows, width); });
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 21);
    const bool holds = measure_cross_entropy(repeats);
    return measure_softmax(repeats) && holds ? 0 : 1;
}
