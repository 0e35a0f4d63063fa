// Without a seed the order is natural. A seed gives a permutation of blocks and of each block's
// threads, the same one every time, and another one for another seed.
#include "check.h"
#include <string>
#include <vector>

__device__ int clock_;
__global__ void when(int *time) {
    time[blockIdx.x * blockDim.x + threadIdx.x] = clock_;
    clock_ = clock_ + 1;
}

static std::vector<int> order(const char *seed) {
    const int blocks = 50, threads = 100, n = blocks * threads, zero = 0;
    int *time;
    if (seed)
        setenv("GW_CPU_SEED", seed, 1);
    else
        unsetenv("GW_CPU_SEED");
    OK(cudaMallocManaged(&time, n * sizeof(int)));
    OK(cudaMemcpyToSymbol(clock_, &zero, sizeof zero));
    when<<<blocks, threads>>>(time);
    OK(cudaDeviceSynchronize());
    std::vector<int> thread_at(n, -1);
    for (int i = 0; i < n; ++i) {
        CHECK(time[i] >= 0 && time[i] < n && thread_at[time[i]] == -1);
        thread_at[time[i]] = i;
    }
    for (int b = 0; b < blocks; ++b) // blocks stay together
        for (int t = 0; t < threads; ++t)
            CHECK(thread_at[b * threads + t] / threads == thread_at[b * threads] / threads);
    OK(cudaFree(time));
    return thread_at;
}

int main() {
    const std::vector<int> natural = order(nullptr), zero = order("0"), one = order("1"), two = order("2");
    for (size_t i = 0; i < natural.size(); ++i)
        CHECK(natural[i] == (int)i);
    CHECK(zero == natural && one != natural && two != natural && one != two);
    bool blocks_moved = false, threads_moved = false, blocks_differ = false;
    for (size_t b = 0; b < 50; ++b) {
        blocks_moved |= one[b * 100] / 100 != (int)b;
        for (size_t t = 0; t < 100; ++t) {
            threads_moved |= one[b * 100 + t] % 100 != (int)t;
            blocks_differ |= one[b * 100 + t] % 100 != one[t] % 100;
        }
    }
    CHECK(blocks_moved && threads_moved && blocks_differ);
}
