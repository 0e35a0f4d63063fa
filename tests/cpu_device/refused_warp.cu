// refused: refused_warp.cu:6:67: error
// refused: __shfl_down_sync is not supported by the CPU device yet
// refused: __ballot_sync is not supported by the CPU device yet
// refused: __syncwarp is not supported by the CPU device yet
// refused: __activemask is not supported by the CPU device yet
template <class T> __device__ T next(T v) { return (__syncwarp(), __shfl_down_sync(__activemask(), v, 1)); }
__global__ void f(float *p) { *p = next(*p) + (float)__ballot_sync(~0u, 1); }
int main() { f<<<1, 1>>>(nullptr); }
