// sources: two_files_second.cu two_files_c.c
// Files with kernels, statics, inline functions and device variables of the same name do not mix.
#include "check.h"

inline __host__ __device__ int which() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
static __device__ int state = 100;
static __global__ void same_name(int *out) { *out = state + which(); }
int second_file();
int second_host();
extern "C" int plain_c(int *device, int value);

int main() {
    int *out;
    OK(cudaMallocManaged(&out, sizeof *out));
    same_name<<<1, 1>>>(out);
    CHECK(*out == 101);
    CHECK(second_file() == 201);
    CHECK(which() == 2 && second_host() == 2);
    const int seven = 7;
    OK(cudaMemcpyToSymbol(state, &seven, sizeof seven));
    same_name<<<1, 1>>>(out);
    CHECK(*out == 8);
    CHECK(second_file() == 201);
    int *device;
    OK(cudaMalloc(&device, sizeof *device));
    CHECK(plain_c(device, 31) == 31);
}
