// seeds: 1 2 3
// A tiled matrix product and a histogram by shared atomics, against sequential ones.
#include "check.h"
#include <vector>

template <int Tile> __global__ void multiply(float *c, const float *a, const float *b, int n) {
    __shared__ float tile_a[Tile][Tile], tile_b[Tile][Tile + 1];
    const int row = (int)blockIdx.y * Tile + (int)threadIdx.y,
              column = (int)blockIdx.x * Tile + (int)threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += Tile) {
        tile_a[threadIdx.y][threadIdx.x] =
            row < n && k + (int)threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
        tile_b[threadIdx.y][threadIdx.x] =
            k + (int)threadIdx.y < n && column < n ? b[(k + (int)threadIdx.y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < Tile; ++i)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < n && column < n) c[row * n + column] = sum;
}

__global__ void histogram(unsigned *counts, const unsigned char *data, int n) {
    __shared__ unsigned mine[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (unsigned)n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        if (mine[i]) atomicAdd(&counts[i], mine[i]);
}

static void test_multiply(int n) {
    float *a, *b, *c;
    const size_t size = (size_t)n * (size_t)n * sizeof(float);
    OK(cudaMallocManaged(&a, size));
    OK(cudaMallocManaged(&b, size));
    OK(cudaMallocManaged(&c, size));
    for (int i = 0; i < n * n; ++i)
        a[i] = (float)(i % 13 - 6), b[i] = (float)(i % 7 - 3);
    const unsigned tiles = (unsigned)(n + 15) / 16;
    multiply<16><<<dim3(tiles, tiles), dim3(16, 16)>>>(c, a, b, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a[i * n + k] * b[k * n + j];
            CHECK(c[i * n + j] == sum);
        }
}

int main() {
    test_multiply(16);
    test_multiply(53);
    const int n = 20000;
    unsigned char *data;
    unsigned *counts;
    OK(cudaMallocManaged(&data, n));
    OK(cudaMallocManaged(&counts, 256 * sizeof(unsigned)));
    std::vector<unsigned> expected(256);
    for (int i = 0; i < 256; ++i)
        counts[i] = 0;
    for (int i = 0; i < n; ++i)
        ++expected[data[i] = (unsigned char)(i * i % 251)];
    histogram<<<7, 96>>>(counts, data, n);
    OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < 256; ++i)
        CHECK(counts[i] == expected[i]);
}
