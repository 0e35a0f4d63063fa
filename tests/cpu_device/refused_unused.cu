// expect: ran
// What the CPU device lacks is refused where it is used, not where it is only declared.
#include <cstdio>
inline __device__ void unused() {
    __syncwarp();
    __shared__ int x;
    x = 1;
}
template <class T> __device__ T unused_template(T v) {
    __shared__ T x;
    x = v;
    __syncthreads();
    return x;
}
__global__ void run() { printf("ran\n"); }
int main() {
    run<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
