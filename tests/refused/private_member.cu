#include <gradwright/gradwright.h>

class spring {
#ifdef OBEYED
  public:
    float stiffness;
#else
    float stiffness;

  public:
#endif
    GW_GRADIENT("wrt x")
    __device__ float energy(float x) const { return stiffness * x * x; }
};
// obeys: private-member
// says: private_member.cu:13:53: error: the gradient of 'spring::energy' would access 'spring::stiffness', which is not public [private-member]
// says:     __device__ float energy(float x) const { return stiffness * x * x; }
// says:                                                     ^
// says:   way out: make it public, or declare the gradient's functions friends of the class: spring_energy_grad, spring_energy_pullback
