// part of two_files.cu
inline __host__ __device__ int which() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
static __device__ int state = 200;
static __global__ void same_name(int *out) { *out = state + which(); }

int second_host() { return which(); }

int second_file() {
    int *out, result;
    if (cudaMalloc(&out, sizeof *out) != cudaSuccess) return -1;
    same_name<<<1, 1>>>(out);
    if (cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return -2;
    cudaFree(out);
    return result;
}
