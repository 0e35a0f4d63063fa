// refused: refused_barrier.cu:5:5: error: call to '__syncthreads'
// refused: __syncthreads is not supported by the CPU device yet
__global__ void f(float *p) {
    p[threadIdx.x] = 1;
    __syncthreads();
}
int main() { f<<<1, 1>>>(nullptr); }
