#include <gradwright/gradwright.h>

namespace first {
__device__ float fall(float v, int n) { return n == 0 ? v : v * fall(v, n - 1); }
}
namespace second {
__device__ float fall(float v, int n) { return n == 0 ? 1 : v + fall(v * v, n - 1); }
}

GW_GRADIENT("y wrt x")
__global__ void both(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = first::fall(x[i], 2) + second::fall(x[i], 3);
}
// says: recursions_of_one_name.cu:7:18: error: a recursive function with the name of another one cannot be differentiated yet [unsupported]
// says: __device__ float fall(float v, int n) { return n == 0 ? 1 : v + fall(v * v, n - 1); }
// says:                  ^
// says:   way out: give it a name of its own
