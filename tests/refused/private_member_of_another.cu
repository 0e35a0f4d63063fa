#include <gradwright/gradwright.h>

class scale {
    float factor;

  public:
    __device__ float get() const { return factor; }
};

GW_GRADIENT("y wrt x")
__global__ void apply(float *y, const float *x, const scale *s) { y[threadIdx.x] = s->get() * x[threadIdx.x]; }
// says: private_member_of_another.cu:7:43: error: the gradient of 'apply' would access 'scale::factor', which is not public [private-member]
// says:     __device__ float get() const { return factor; }
// says:                                           ^
// says:   way out: make it public, or declare the gradient's functions friends of the class: apply_grad
