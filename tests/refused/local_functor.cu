#include <gradwright/gradwright.h>

template <class F> GW_GRADIENT("f.y wrt f.x") __global__ void forall(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
#ifdef OBEYED
struct square {
    float *y;
    const float *x;
    __device__ void operator()(int i) const { y[i] = x[i] * x[i]; }
};
void launch(float *y, const float *x, int n) {
#else
void launch(float *y, const float *x, int n) {
    struct square {
        float *y;
        const float *x;
        __device__ void operator()(int i) const { y[i] = x[i] * x[i]; }
    };
#endif
    forall<<<n, 1>>>(n, square{y, x});
}
// obeys: unsupported
// says: local_functor.cu:3:79: error: a type that a function declares (line 16) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("f.y wrt f.x") __global__ void forall(int n, F f) {
// says:                                                                               ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and what it captures, by copy, as members
