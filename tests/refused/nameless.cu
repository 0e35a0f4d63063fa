#include <gradwright/gradwright.h>

template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
void launch(float *y, const float *x, int n) {
    forall<<<n, 1>>>(n, [=] __device__(int i) { y[i] = x[i] * x[i]; });
}
// says: nameless.cu:3:75: error: a lambda as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
// says:                                                                           ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and its captures as members
