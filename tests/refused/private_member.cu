#include <gradwright/gradwright.h>

class spring {
#ifdef OBEYED
  public:
    int doubled : 1;
#else
    int doubled : 1; // a bit-field: no pointer to a member leads to it
#endif
    float stiffness;

  public:
    GW_GRADIENT("wrt x")
    __device__ float energy(float x) const { return doubled ? 2 * stiffness * x * x : stiffness * x * x; }
};
// obeys: private-member
// says: private_member.cu:14:53: error: the gradient of 'spring::energy' would access 'spring::doubled', which is not public [private-member]
// says:     __device__ float energy(float x) const { return doubled ? 2 * stiffness * x * x : stiffness * x * x; }
// says:                                                     ^
// says:   way out: make it public, or declare the gradient's functions friends of the class: spring_energy_grad, spring_energy_pullback
