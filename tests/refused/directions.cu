// What has no derivatives in several directions at once yet.
#include <gradwright/gradwright.h>
#include <vector>

double ruled(double x);
GW_DERIVATIVE_OF("jvp of ruled")
double ruled_forward(double x, double t_x, double *t_return);

GW_DERIVATIVES(4, "wrt x")
double calls(double x) { return ruled(x) * x; }

double power(double x, int n) { return n > 0 ? x * power(x, n - 1) : 1; }

GW_DERIVATIVES(4, "wrt x")
double recursive(double x, int n) { return power(x, n) * x; }

GW_DERIVATIVES(4, "y wrt rows")
__global__ void indirect(float *y, const float *const *rows) { y[threadIdx.x] = rows[threadIdx.x][0]; }

GW_DERIVATIVES(4, "y wrt texels")
__global__ void fetch(float *y, cudaTextureObject_t texels) { y[threadIdx.x] = tex1D<float>(texels, 0.5f); }

GW_DERIVATIVES(4, "wrt x")
double first(const std::vector<double> &x) { return x[0] * x[0]; }

template <class T> GW_DERIVATIVES(4, "y wrt x") void rows(T *y, const T (*x)[3]) { *y = x[1][2] * x[0][0]; }
template void rows<double>(double *, const double (*)[3]);
// says: directions.cu:10:33: error: several directions at once through the call of 'ruled', which has a derivative of its own or no body, cannot be differentiated yet [unsupported]
// says: double calls(double x) { return ruled(x) * x; }
// says:                                 ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
// says: directions.cu:15:44: error: several directions at once through the call of 'power', which calls itself, cannot be differentiated yet [unsupported]
// says: double recursive(double x, int n) { return power(x, n) * x; }
// says:                                            ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
// says: directions.cu:18:56: error: a pointer to pointers, in several directions at once, cannot be differentiated yet [unsupported]
// says: __global__ void indirect(float *y, const float *const *rows) { y[threadIdx.x] = rows[threadIdx.x][0]; }
// says:                                                        ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
// says: directions.cu:21:53: error: the texels of a texture, in several directions at once, cannot be differentiated yet [unsupported]
// says: __global__ void fetch(float *y, cudaTextureObject_t texels) { y[threadIdx.x] = tex1D<float>(texels, 0.5f); }
// says:                                                     ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
// says: directions.cu:24:41: error: a std::vector, in several directions at once, cannot be differentiated yet [unsupported]
// says: double first(const std::vector<double> &x) { return x[0] * x[0]; }
// says:                                         ^
// says:   way out: take a pointer to the elements
// says: directions.cu:26:75: error: a template's parameter of arrays, in several directions at once, cannot be differentiated yet [unsupported]
// says: template <class T> GW_DERIVATIVES(4, "y wrt x") void rows(T *y, const T (*x)[3]) { *y = x[1][2] * x[0][0]; }
// says:                                                                           ^
// says:   way out: ask for GW_DERIVATIVE, and run it for each direction
