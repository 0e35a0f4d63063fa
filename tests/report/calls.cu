// Calls of a program as the report tells of them: in macros, over several lines, with brackets in the shape, of
// templates; without a derivative; measured; between host and device.
#include <gradwright/gradwright.h>
#include <gradwright/program.h>

#define CHECK(call)                                                                                            \
    if ((call) != cudaSuccess) return
#define LAUNCH(kernel, ...) kernel<<<1, 32, 0, stream>>>(__VA_ARGS__)

__global__ void chains(float *out, const float *x, const int *first, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++)
        v = sinf(v) * x[k % n] + 0.5f * v;
    out[i] = v;
}
template <int K> __global__ void scale(float *u, float factor, int n) {
    if (threadIdx.x < n) u[threadIdx.x] *= factor * K;
}
__global__ void count(int *list, int n) {
    if (threadIdx.x <= n) list[threadIdx.x] = 2 * threadIdx.x;
}

GW_GRADIENT("y wrt x, factor")
void calls(float *y, const float *x, float factor, int n, cudaStream_t stream) {
    float *u;
    int *list;
    CHECK(cudaMalloc(&u, n * sizeof(float)));
    cudaMalloc(&list, (n + 1) * sizeof(int));
    cudaMemsetAsync(list, 0, (n + 1) * sizeof(int), stream);
    LAUNCH(count, list, n);
    for (int t = 0; t < 3; t++) {
        // clang-format off
        chains<<<(n + 31) / 32,
                 32, 0, stream>>>(u, x,
                                  list, n);
        // clang-format on
        for (int s = 0; s < t; s++)
            scale<2><<<dim3((n + 31) / 32, 1), 32, 0, stream>>>(u, 2 * factor, n);
    }
    cudaStreamSynchronize(stream);
    cudaMemcpy(y, u, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(list);
    cudaFree(u);
}
