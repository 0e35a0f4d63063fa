// args: --gradient 'dot<4>: wrt x'
#include <gradwright/gradwright.h>

template <int N> GW_GRADIENT("y wrt x")
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = N * x[threadIdx.x]; }

template <class T> __device__ T dot(T x) { return x * x; }
// obeys: no-instance
// obeyed-args: --gradient 'dot<float>: wrt x' --gradient 'scale<3>: y wrt x'
// says: gradwright: error: no instantiation of the template 'dot<4>' is used in this translation unit [no-instance]
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
// says: template_without_instance.cu:4:18: error: no instantiation of the template 'scale' is used in this translation unit [no-instance]
// says: template <int N> GW_GRADIENT("y wrt x")
// says:                  ^
// says:   way out: call it, or name an instantiation in a request: 'f<3>: outputs wrt inputs'
