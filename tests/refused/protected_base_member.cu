#include <gradwright/gradwright.h>

class base {
  protected:
    float factor;

  public:
    __device__ float get() const { return factor; }
};
class derived : public base {};

GW_GRADIENT("y wrt x")
__global__ void apply(float *y, const float *x, const derived *s) { y[threadIdx.x] = s->get() * x[threadIdx.x]; }

struct open {
    float factor;
};
struct hidden : private open {
    __device__ float twice() const { return 2 * factor; }
};
GW_GRADIENT("wrt x")
__device__ float scaled(float x, const hidden &s) { return s.twice() * x; }
// says: protected_base_member.cu:8:43: error: the gradient of 'apply' would access 'base::factor', which is not public [private-member]
// says:     __device__ float get() const { return factor; }
// says:                                           ^
// says:   way out: make it public, or declare the gradient's functions friends of the class: apply_grad
// says: protected_base_member.cu:19:49: error: the gradient of 'scaled' would access 'open::factor', which is not public [private-member]
// says:     __device__ float twice() const { return 2 * factor; }
// says:                                                 ^
// says:   way out: make it public, or declare the gradient's functions friends of the class: scaled_grad, scaled_pullback
