// What has no second derivative is refused at its line.
#include <gradwright/gradwright.h>

__host__ __device__ double ruled(double x) { return x * x; }
GW_DERIVATIVE_OF("pullback of ruled")
__host__ __device__ void ruled_back(double x, double d_return, double *d_x) { *d_x += 2 * x * d_return; }
GW_DERIVATIVE_OF("jvp of ruled")
__host__ __device__ double ruled_forward(double x, double t_x, double *t_return) {
    *t_return = 2 * x * t_x;
    return x * x;
}

GW_HVP("wrt x")
double of_rule(double x) { return ruled(x) * x; }

static double recursive(double x, int n) { return n ? recursive(x * x, n - 1) * x : x; }

GW_HVP("wrt x")
double of_recursion(double x, int n) { return recursive(x, n); }

GW_HVP("y wrt t, u")
__global__ void fetched(float *y, cudaTextureObject_t t, float u) {
    y[threadIdx.x] = tex1D<float>(t, u);
}
// says: second.cu:14:35: error: second derivatives through the call of 'ruled', which has a derivative of its own or no body, cannot be differentiated yet [unsupported]
// says: double of_rule(double x) { return ruled(x) * x; }
// says:                                   ^
// says:   way out: give the function a body without GW_DERIVATIVE_OF
// says: second.cu:19:47: error: second derivatives through the call of 'recursive', which calls itself, cannot be differentiated yet [unsupported]
// says: double of_recursion(double x, int n) { return recursive(x, n); }
// says:                                               ^
// says:   way out: write a loop in its place
// says: second.cu:23:22: error: a texture fetch, in second derivatives, cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = tex1D<float>(t, u);
// says:                      ^
// says:   way out: read the array itself
