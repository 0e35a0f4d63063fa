// refused: refused_shared.cu:5:22: error: '__shared__' variable 'tile' is not supported by the CPU device yet
// refused: refused_shared.cu:10:29: error: '__shared__' variable 'dynamic' is not supported by the CPU device yet
// refused: refused_shared.cu:14:18: error: '__shared__' variable 'x' is not supported by the CPU device yet
__global__ void f(float *p) {
    __shared__ float tile[32];
    tile[threadIdx.x] = *p;
    *p = tile[0];
}
__global__ void g(float *p) {
    extern __shared__ float dynamic[];
    *p = dynamic[0];
}
template <class T> __global__ void h(T *p) {
    __shared__ T x;
    x = *p;
}
int main() { h<<<1, 1>>>((int *)nullptr); }
