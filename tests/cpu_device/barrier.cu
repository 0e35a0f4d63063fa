// seeds: 1 2 3
// Barriers: in loops and branches that all threads take alike, with predicates, with threads that have ended,
// and in blocks of every shape; launches from several host threads at once.
#include "check.h"
#include <thread>
#include <vector>

__global__ void predicates(int *out, unsigned limit) {
    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int some = __syncthreads_count(t < limit) * 100 + __syncthreads_and(t < limit) * 10;
    out[t] = some + __syncthreads_or(t < limit);
}

__global__ void ended(int *out, int rounds) {
    __shared__ int total[2];
    if (threadIdx.x < 2) total[threadIdx.x] = 0;
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        if ((int)threadIdx.x <= round) return; // fewer threads each time
        atomicAdd(&total[round & 1], 1);
        __syncthreads();
        if ((int)threadIdx.x == round + 1) out[round] = total[round & 1];
        __syncthreads();
        if ((int)threadIdx.x == round + 1) total[round & 1] = 0;
        __syncthreads();
    }
}

__global__ void scan(const float *in, float *out, unsigned n) { // Hillis-Steele, two buffers
    extern __shared__ float buffers[];
    const unsigned t = threadIdx.x;
    unsigned from = 0;
    buffers[t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (unsigned step = 1; step < n; step *= 2) {
        buffers[(1 - from) * n + t] = buffers[from * n + t] + (t >= step ? buffers[from * n + t - step] : 0.0f);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = buffers[from * n + t];
}

static void run_scan(unsigned n, unsigned blocks) {
    float *in, *out;
    OK(cudaMallocManaged(&in, n * blocks * sizeof(float)));
    OK(cudaMallocManaged(&out, n * blocks * sizeof(float)));
    for (unsigned i = 0; i < n * blocks; ++i)
        in[i] = (float)(i * 7 % 11);
    scan<<<blocks, n, 2 * n * sizeof(float)>>>(in, out, n);
    OK(cudaDeviceSynchronize());
    for (unsigned b = 0; b < blocks; ++b) {
        float sum = 0;
        for (unsigned i = 0; i < n; ++i)
            CHECK(out[b * n + i] == (sum += in[b * n + i]));
    }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

int main() {
    int *out;
    OK(cudaMallocManaged(&out, 1024 * sizeof(int)));
    for (const dim3 size : {dim3(1), dim3(33), dim3(4, 5, 6), dim3(1024), dim3(64, 1, 3)}) {
        const int n = (int)(size.x * size.y * size.z);
        for (const int limit : {0, 1, n / 2, n}) {
            predicates<<<2, size>>>(out, (unsigned)limit);
            OK(cudaDeviceSynchronize());
            for (int i = 0; i < n; ++i)
                CHECK(out[i] == limit * 100 + (limit == n) * 10 + (limit > 0));
        }
    }
    ended<<<1, 40>>>(out, 39);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 39; ++i)
        CHECK(out[i] == 39 - i);
    std::vector<std::thread> hosts;
    for (unsigned i = 0; i < 4; ++i)
        hosts.emplace_back([i] {
            for (unsigned n = 1; n <= 1024; n *= 2)
                run_scan(n, 3 + i);
        });
    for (std::thread &host : hosts)
        host.join();
}
