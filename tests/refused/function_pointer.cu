// Functions that only a run knows: in code of the device, or of which the file shows none.
#include <gradwright/gradwright.h>

__device__ float twice(float v) { return 2 * v; }
__device__ float half(float v) { return v / 2; }

#ifdef OBEYED
GW_GRADIENT("y wrt x")
__global__ void indirect(float *y, const float *x, int which) {
    y[threadIdx.x] = which ? half(x[threadIdx.x]) : twice(x[threadIdx.x]);
}
double identity(double v, void *) { return v; }
double (*const known)(double, void *) = identity;
GW_GRADIENT("wrt x") double unseen(double (*f)(double, void *), double x) { return f(x, nullptr); }
#else
GW_GRADIENT("y wrt x")
__global__ void indirect(float *y, const float *x, float (*f)(float)) {
    y[threadIdx.x] = f(x[threadIdx.x]);
}
GW_GRADIENT("wrt x") double unseen(double (*f)(double, void *), double x) { return f(x, nullptr); }
#endif
static double number(int v) { return v; }
GW_GRADIENT("wrt x") double of_another_type(double x) {
#ifdef OBEYED
    double (*f)(int) = number;
    return f(1) * x;
#else
    double (*f)(double) = (double (*)(double))number;
    return f(x) * x;
#endif
}
#ifndef OBEYED
double elsewhere(float v);
double (*const taken)(float) = elsewhere;
GW_GRADIENT("wrt x") double of_another_file(double (*f)(float), double x) { return f(2) * x; }
struct node {
    virtual ~node() {}
    virtual double value(double v) const = 0;
};
struct sum : node {
    const node *a, *b;
    double value(double v) const override { return a->value(v) + b->value(v); }
};
GW_GRADIENT("wrt x") double of_a_tree(const node &n, double x) { return n.value(x); }
#endif
// obeys: unsupported
// says: function_pointer.cu:17:60: error: a function pointer cannot be differentiated yet [unsupported]
// says: __global__ void indirect(float *y, const float *x, float (*f)(float)) {
// says:                                                            ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: function_pointer.cu:20:84: error: a call of a function of whose type this file takes no address cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x") double unseen(double (*f)(double, void *), double x) { return f(x, nullptr); }
// says:                                                                                    ^
// says:   way out: take the addresses of the functions that are meant in this file
// says: function_pointer.cu:29:12: error: a call of a function through a pointer to one of another type cannot be differentiated yet [unsupported]
// says:     return f(x) * x;
// says:            ^
// says:   way out: give the pointer the type of the function
// says: function_pointer.cu:35:84: error: function 'elsewhere' has neither a body nor a derivative rule [no-rule]
// says: GW_GRADIENT("wrt x") double of_another_file(double (*f)(float), double x) { return f(2) * x; }
// says:                                                                                    ^
// says:   way out: define it in this translation unit, use a function of the math table, or call it in a function of your own that can have a derivative (GW_DERIVATIVE_OF): one of numbers, on the host also of pointers to numbers, and of handles where it names a stream
// says: function_pointer.cu:42:52: error: 'sum::value' is recursive and is a member of a class [recursion]
// says:     double value(double v) const override { return a->value(v) + b->value(v); }
// says:                                                    ^
// says:   way out: pass numbers, on the host also pointers to numbers, and return a number or nothing; or rewrite the recursion as a loop
