/*
 * norms.cu - times the rows of workloads/norms.cuh, 16,384 of 768 (softmax: 1,024), and the layer normalisation
 * beside a backward pass written by hand: a warp a row, sums of the weights in the block's shared memory, means
 * and scales as the primal left them. Both once more with adjoints that are new.
 *
 * Options: --repeats N
 */
typedef float real;
#include "workloads/norms.cuh"

#include "norms.grad.cuh"

#include "support/workload.cuh"

enum { threads = 512 };

__device__ static float over_warp(float v) {
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

/* Adds to d_gain and d_bias, and to d_x, or stores there. Shared memory: 2 * width floats. */
template <bool is_new>
__global__ void layer_norm_by_hand(float *d_x, float *d_gain, float *d_bias, const float *d_y, const float *x,
                                   const float *gain, const float *means, const float *scales, int rows,
                                   int width) {
    extern __shared__ float sums[];
    const int lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    for (int k = threadIdx.x; k < 2 * width; k += blockDim.x) sums[k] = 0;
    __syncthreads();
    for (int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32; r < rows; r += warps) {
        const float *row = x + (size_t)r * width, *seed = d_y + (size_t)r * width;
        const float mean = means[r], scale = scales[r];
        float all = 0, along = 0;
        for (int k = lane; k < width; k += 32) {
            const float n = (row[k] - mean) * scale, d = seed[k] * gain[k];
            all += d;
            along += d * n;
        }
        all = over_warp(all) / (float)width;
        along = over_warp(along) / (float)width;
        for (int k = lane; k < width; k += 32) {
            const float n = (row[k] - mean) * scale, s = seed[k];
            atomicAdd(&sums[k], s);
            atomicAdd(&sums[width + k], s * n);
            const float before = is_new ? 0 : d_x[(size_t)r * width + k];
            d_x[(size_t)r * width + k] = before + (s * gain[k] - all - n * along) * scale;
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < width; k += blockDim.x) {
        atomicAdd(&d_bias[k], sums[k]);
        atomicAdd(&d_gain[k], sums[width + k]);
    }
}

struct layer_norm_data {
    active_array<real> y, x, gain, bias;
    device_array<real> means, scales;
    int rows, width;
};

template <bool is_new> static bool time_by_hand(layer_norm_data &d, int repeats) {
    const int blocks = on_cpu_device ? 2 : 264;
    const size_t shared = 2 * (size_t)d.width * sizeof(float);
    const auto run = [&] {
        if (is_new) must(cudaMemsetAsync(d.gain.d(), 0, (size_t)d.width * sizeof(float)));
        if (is_new) must(cudaMemsetAsync(d.bias.d(), 0, (size_t)d.width * sizeof(float)));
        layer_norm_by_hand<is_new><<<blocks, threads, shared>>>(
            d.x.d(), d.gain.d(), d.bias.d(), d.y.d(), d.x.value, d.gain.value, d.means, d.scales, d.rows,
            d.width);
    };
    const auto refill = [&] { d.x.refill(), d.y.refill(), d.gain.refill(), d.bias.refill(); };
    /* its sums beside the generated ones, which the dot product has shown right */
    const std::vector<real> x = d.x.adjoint.get(), gain = d.gain.adjoint.get();
    refill();
    run();
    must(cudaDeviceSynchronize());
    double error = 0;
    const std::vector<real> x_hand = d.x.adjoint.get(), gain_hand = d.gain.adjoint.get();
    for (size_t i = 0; i < x.size(); i++) error = std::fmax(error, std::fabs(x[i] - x_hand[i]));
    for (size_t i = 0; i < gain.size(); i++)
        error = std::fmax(error, 1e-2 * std::fabs(gain[i] - gain_hand[i]));
    std::printf("by hand: layer_norm_%s %.4f ms\n", is_new ? "new" : "rows", median_ms(repeats, refill, run));
    return check("by hand against generated", error, 1e-3);
}

static bool measure_layer_norm(int rows, int width, int repeats) {
    const dim3 grid((unsigned)(rows + threads / 32 - 1) / (threads / 32)), block(threads);
    const size_t cells = (size_t)rows * (size_t)width, n = (size_t)width;
    layer_norm_data d = {{std::vector<real>(cells), 1, true, false},
                         {random_reals(2, cells, -1, 1), 3, false, true},
                         {random_reals(4, n, 0.5, 1.5), 5, false, true},
                         {random_reals(6, n, -1, 1), 7, false, true},
                         device_array<real>((size_t)rows),
                         device_array<real>((size_t)rows),
                         rows,
                         width};
    const timed_run run = {"layer_norm_rows", (double)rows * 32, repeats, 1e-2, grid, block};
    bool holds = measure_kernel(run, KERNEL(layer_norm_rows), d.y, d.means, d.scales, d.x, d.gain, d.bias, rows,
                                width) &&
                 time_by_hand<false>(d, repeats);
    d.y.direction.set(std::vector<real>(cells)); /* seeds that are kept are no adjoints of an input */
    const timed_run anew = {"layer_norm_new", (double)rows * 32, repeats, 1e-2, grid, block};
    const auto functions = functions_of(
        "layer_norm_rows", [](dim3 g, dim3 b, auto... a) { layer_norm_rows<<<g, b>>>(a...); },
        [](auto... a) -> decltype(layer_norm_new_launch(a...)) { return layer_norm_new_launch(a...); },
        [](auto... a) -> decltype(layer_norm_new_workspace_bytes(a...)) {
            return layer_norm_new_workspace_bytes(a...);
        },
        [](auto... a) -> decltype(layer_norm_new_measure_launch(a...)) {
            return layer_norm_new_measure_launch(a...);
        },
        [](auto... a) { return layer_norm_new_workspace_bytes_measured(a...); },
        [](auto... a) -> decltype(layer_norm_rows_jvp_launch(a...)) {
            return layer_norm_rows_jvp_launch(a...);
        });
    holds = measure_kernel(anew, functions, d.y, d.means, d.scales, d.x, d.gain, d.bias, rows, width) && holds;
    return time_by_hand<true>(d, repeats) && holds;
}

template <class K> static bool measure_rows(const char *name, const K &k, int rows, int width, int repeats) {
    const dim3 grid((unsigned)(rows + threads / 32 - 1) / (threads / 32)), block(threads);
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -1, 1), 3, false, true);
    const timed_run run = {name, (double)rows * 32, repeats, 1e-2, grid, block};
    return measure_kernel(run, k, y, x, rows, width);
}

static bool measure_rms_norm(int rows, int width, int repeats) {
    const dim3 grid((unsigned)(rows + threads / 32 - 1) / (threads / 32)), block(threads);
    const size_t cells = (size_t)rows * (size_t)width;
    active_array<real> y(std::vector<real>(cells), 1, true, false),
        x(random_reals(2, cells, -1, 1), 3, false, true),
        gain(random_reals(4, (size_t)width, 0.5, 1.5), 5, false, true);
    const timed_run run = {"rms_norm_rows", (double)rows * 32, repeats, 1e-2, grid, block};
    return measure_kernel(run, KERNEL(rms_norm_rows), y, x, gain, rows, width);
}

int main(int argc, char **argv) {
    const int repeats = (int)option(argc, argv, "--repeats", on_cpu_device ? 1 : 21),
              rows = on_cpu_device ? 20 : 16384, width = on_cpu_device ? 70 : 768;
    bool holds = measure_layer_norm(rows, width, repeats);
    holds = measure_rms_norm(rows, width, repeats) && holds;
    holds = measure_rows("unit_rows", KERNEL(unit_rows), rows, width, repeats) && holds;
    return measure_rows("softmax_rows", KERNEL(softmax_rows), rows, on_cpu_device ? 70 : 1024, repeats) && holds
               ? 0
               : 1;
}
