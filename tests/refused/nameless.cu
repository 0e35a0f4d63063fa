#include <gradwright/gradwright.h>

template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}
void launch(float *y, const float *x, int n, float scale) {
    const float w[2] = {1, 2};
    forall<<<n, 1>>>(n, [=] __device__(int i) { y[i] = scale * x[i] * x[i]; });
    forall<<<n, 1>>>(n, [=] __device__(int i) { y[i] = w[i & 1] * x[i] * x[i]; });
}

// One that takes arguments of any type, and one of the host that changes what it holds.
template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
double both(double x, double k) {
    return twice(x, [k](auto v) { return k * v; }) +
           twice(x, [k](double v) mutable -> double { return (k += 1) * v; });
}
// says: nameless.cu:3:75: error: a lambda (line 9) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
// says:                                                                           ^
// says:   way out: give the type a name at file scope: struct body { float *y; float scale; const float *x; __device__ void operator()(int i) const { ... } }; and pass body{y, scale, x}
// says: nameless.cu:3:75: error: a lambda (line 10) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
// says:                                                                           ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and its captures as members
// says: nameless.cu:14:66: error: a lambda (line 16) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
// says:                                                                  ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and its captures as members
// says: nameless.cu:14:66: error: a lambda (line 17) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
// says:                                                                  ^
// says:   way out: give the type a name at file scope: struct body { double k; double operator()(double v) { ... } }; and pass body{k}
