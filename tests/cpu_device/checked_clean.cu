// flags: --checked
// seeds: 1 2 3
// What is in order passes the checked build: synchronised warps, atomics together, several readers, padding.
#include "check.h"

struct padded {
    char tag;
    double value;
};

__global__ void clean(double *out) {
    __shared__ int tile[64], count, largest;
    __shared__ padded records[64];
    extern __shared__ int dynamic[];
    const int t = (int)threadIdx.x;
    tile[t] = t;
    if (t == 0) count = largest = 0;
    __syncwarp();
    int sum = tile[t ^ 1];
    __syncwarp();
    tile[t] = 2 * t;
    __syncwarp(t % 32 < 16 ? 0xffffu : 0xffff0000u);
    sum += tile[t ^ 15];
    __syncthreads();
    atomicAdd(&count, 1);
    atomicMax(&largest, t);
    sum += tile[7]; // everybody reads one cell
    __syncthreads();
    sum += count + largest;
    padded mine;
    mine.tag = 'a';
    mine.value = t;
    records[t] = mine;
    __syncthreads();
    mine = records[63 - t];
    dynamic[t] = 0; // once more in the next block
    for (int i = 0; i < 3; ++i) {
        __syncthreads();
        dynamic[(t + i) % 64] += i;
    }
    if (t == 0) {
        __threadfence_block();
        atomicExch(&count, 5);
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum + mine.value + dynamic[t] + count;
}

int main() {
    double *out;
    OK(cudaMallocManaged(&out, 4 * 64 * sizeof(double)));
    clean<<<4, 64, 64 * sizeof(int)>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 256; ++i) {
        const int t = i % 64;
        CHECK(out[i] == (t ^ 1) + 2 * (t ^ 15) + 14 + 64 + 63 + (63 - t) + 3 + 5);
    }
}
