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

// One that refers to what is around it, and one that holds another.
template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
double both(double x, double k) {
    auto by_reference = [&k](double v) { return k * v; };
    auto inner = [k](double v) { return k * v; };
    auto outer = [inner](double v) { return inner(v) * v; };
    return twice(x, by_reference) + twice(x, outer);
}
// Two of one name.
double again(double x, double k) {
    auto line = [k](double v) { return k * v; };
    return twice(x, line);
}
double and_again(double x, double k) {
    auto line = [k](double v) { return k * v * v; };
    return twice(x, line);
}
// says: nameless.cu:3:75: error: a lambda (line 10) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("f wrt f") __global__ void forall(int n, F f) {
// says:                                                                           ^
// says:   way out: 'forall_captures' stands for another: let the lambda initialize a variable with a name of its own, and pass that; or give the type a name at file scope: of a lambda, a struct with operator() and what it captures, by copy, as members
// says: nameless.cu:14:66: error: a lambda (line 16) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
// says:                                                                  ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and what it captures, by copy, as members
// says: nameless.cu:14:66: error: a lambda (line 18) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
// says:                                                                  ^
// says:   way out: give the type a name at file scope: of a lambda, a struct with operator() and what it captures, by copy, as members
// says: nameless.cu:14:66: error: a lambda (line 27) as a parameter cannot be differentiated yet [unsupported]
// says: template <class F> GW_GRADIENT("wrt x") double twice(double x, F f) { return f(f(x)); }
// says:                                                                  ^
// says:   way out: 'line_captures' stands for another: let the lambda initialize a variable with a name of its own, and pass that; or give the type a name at file scope: struct body { double k; double operator()(double v) const { ... } }; and pass body{k}
