// Calls in programs of functions that have a pullback, which are no calls on memory of the device.
#include <gradwright/gradwright.h>
#include <vector>

int sum(float *y, const float *x, float *more, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of sum")
void sum_back(float *y, const float *x, float *more, cudaStream_t stream, float *d_y, float *d_x, float *d_more);
float blend(const float *x, int n);
GW_DERIVATIVE_OF("pullback of blend")
void blend_back(const float *x, int n, float d_return, float *d_x);

GW_GRADIENT("y wrt x") void of_its_own(float *y, const float *x, cudaStream_t stream) {
    std::vector<float> own;
    own.push_back(3);
    sum(y, x, own.data(), stream);
}
GW_GRADIENT("y wrt x") void twice(float *y, const float *x, cudaStream_t stream) {
    float one = 1;
    sum(&one, x, &one, stream);
    sum(y, x, &one, stream);
}
GW_GRADIENT("y wrt x") void no_stream(float *y, const float *x, cudaStream_t stream) {
    float some = blend(x, 3);
    sum(y, x, &some, stream);
}
GW_GRADIENT("y wrt x") void to_a_constant(float *y, const float *x, cudaStream_t stream) {
    GW_NONDIFFERENTIABLE float weight = 1;
    sum(y, x, &weight, stream);
}
static int (*const alias)(float *, const float *, float *, cudaStream_t) = sum;
GW_GRADIENT("y wrt x") void by_pointer(float *y, const float *x, cudaStream_t stream) {
    float some = 1;
    alias(y, x, &some, stream);
}
// says: program_rule_calls.cu:15:15: error: the address of 'own', which grows, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     sum(y, x, own.data(), stream);
// says:               ^
// says:   way out: give it its size when it is made: 'std::vector<float> v(n)'
// says: program_rule_calls.cu:19:5: error: a variable that is passed by two pointers cannot be differentiated yet [unsupported]
// says:     sum(&one, x, &one, stream);
// says:     ^
// says:   way out: pass a copy of it
// says: program_rule_calls.cu:23:24: error: memory that kernels see, passed to a function that names no stream, cannot be differentiated yet [unsupported]
// says:     float some = blend(x, 3);
// says:                        ^
// says:   way out: give the function a parameter of type cudaStream_t, and a pullback
// says: program_rule_calls.cu:28:15: error: a pointer to what is GW_NONDIFFERENTIABLE, to which the call writes, cannot be differentiated yet [unsupported]
// says:     sum(y, x, &weight, stream);
// says:               ^
// says:   way out: pass another variable
// says: program_rule_calls.cu:33:5: error: this call of a function that works on memory of the device cannot be differentiated yet [unsupported]
// says:     alias(y, x, &some, stream);
// says:     ^
// says:   way out: call it in a function of the host
