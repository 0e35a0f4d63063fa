/*
 * algorithms.cu - times gradients of Thrust's algorithms in programs, over 100 M numbers: beside the program
 * itself, and as bytes a second beside a copy.
 *
 * Options: --count N, --repeats N
 */
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct wave {
    float by;
    __host__ __device__ float operator()(float x) const { return by * x * (1 - x); }
};

GW_GRADIENT("y wrt x")
void transformed(float *y, const float *x, float by, size_t n) {
    thrust::transform(thrust::device, x, x + n, y, wave{by});
}
GW_GRADIENT("sum wrt x")
void reduced(float *sum, const float *x, size_t n) {
    *sum = thrust::reduce(thrust::device, x, x + n, 0.0f, thrust::plus<float>());
}
GW_GRADIENT("y wrt x")
void scanned(float *y, const float *x, size_t n) { thrust::inclusive_scan(thrust::device, x, x + n, y); }
GW_GRADIENT("keys, values wrt keys, values")
void sorted(float *keys, float *values, size_t n) {
    thrust::sort_by_key(thrust::device, keys, keys + n, values);
}
GW_GRADIENT("sums wrt x")
void summed(float *sums, int *found, const int *key, const float *x, size_t n) {
    thrust::reduce_by_key(thrust::device, key, key + n, x, found, sums);
}

#include "algorithms.grad.cuh"

namespace {

size_t option(int argc, char **argv, const char *name, size_t otherwise) {
    for (int i = 1; i + 1 < argc; i++)
        if (std::strcmp(argv[i], name) == 0) return (size_t)std::atoll(argv[i + 1]);
    return otherwise;
}

template <class F> double milliseconds(int repeats, const F &run) {
    cudaEvent_t from, to;
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    std::vector<float> times;
    run();
    for (int i = 0; i < repeats; i++) {
        float time = 0;
        cudaEventRecord(from);
        run();
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&time, from, to);
        times.push_back(time);
    }
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

__global__ void make(float *x, float *keys, int *key, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = (float)(i % 1000) / 1000;
    keys[i] = (float)(i * 2654435761u % 4294967291u) / 4294967296.0f;
    key[i] = (int)(i / 10);
}

bool all_good = true;

/* bytes: what primal and reverse must move at least, a number. */
template <class P, class G>
void report(const char *name, size_t n, int repeats, double copy, double bytes, const P &primal,
            const G &gradient) {
    gw_pool *pool;
    if (gw_pool_make(&pool) != GW_OK) std::exit(1);
    bool good = true;
    const double alone = milliseconds(repeats, primal),
                 both = milliseconds(repeats, [&] { good &= gradient(pool) == GW_OK; });
    const size_t held = gw_pool_held(pool);
    good &= gradient(pool) == GW_OK && cudaDeviceSynchronize() == cudaSuccess && gw_pool_held(pool) == held;
    if (!good) printf("%s: %s\n", name, gw_last_error());
    all_good &= good;
    gw_pool_free(pool);
    printf("%-12s program %8.3f ms, gradient %8.3f ms, %.2f of it; ", name, alone, both, both / alone);
    printf("backward %.2f of it; moves %.0f%% of what a copy does\n", (both - alone) / alone,
           100 * (bytes * (double)n / both) / (8.0 * (double)n / copy));
}

} // namespace

int main(int argc, char **argv) {
#ifdef GW_CPU_DEVICE
    const bool small = true;
#else
    const bool small = false;
#endif
    const size_t n = option(argc, argv, "--count", small ? 5000 : 100000000);
    const int repeats = (int)option(argc, argv, "--repeats", small ? 1 : 7);
    float *x, *y, *keys, *values, *d_x, *d_y, *d_keys, *d_values, sum, d_sum;
    int *key, *found;
    for (float **p : {&x, &y, &keys, &values, &d_x, &d_y, &d_keys, &d_values})
        if (cudaMalloc((void **)p, n * sizeof(float)) != cudaSuccess ||
            cudaMemset(*p, 0, n * sizeof(float)) != cudaSuccess)
            return 1;
    if (cudaMalloc((void **)&key, n * sizeof(int)) != cudaSuccess ||
        cudaMalloc((void **)&found, n * sizeof(int)) != cudaSuccess)
        return 1;
    make<<<(unsigned)((n + 255) / 256), 256>>>(x, keys, key, n);
    const double copy =
        milliseconds(repeats, [&] { cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDefault); });
    printf("%zu numbers; a copy %.3f ms, %.0f GB/s\n", n, copy, 8e-6 * (double)n / copy);
    report(
        "transform", n, repeats, copy, 8 + 20, [&] { transformed(y, x, 2, n); },
        [&](gw_pool *pool) { return transformed_grad_in(pool, y, x, 2, n, d_y, d_x); });
    report(
        "reduce", n, repeats, copy, 4 + 8, [&] { reduced(&sum, x, n); },
        [&](gw_pool *pool) { return d_sum = 1, reduced_grad_in(pool, &sum, x, n, &d_sum, d_x); });
    report(
        "scan", n, repeats, copy, 8 + 16, [&] { scanned(y, x, n); },
        [&](gw_pool *pool) { return scanned_grad_in(pool, y, x, n, d_y, d_x); });
    report(
        "sort_by_key", n, repeats, copy, 0, [&] { sorted(keys, values, n); },
        [&](gw_pool *pool) { return sorted_grad_in(pool, keys, values, n, d_keys, d_values); });
    report(
        "reduce_by_key", n, repeats, copy, 0, [&] { summed(y, found, key, x, n); },
        [&](gw_pool *pool) { return summed_grad_in(pool, y, found, key, x, n, d_y, d_x); });
    return !all_good;
}
