#include <gradwright/gradwright.h>

struct spring {
#ifdef OBEYED
    float stiffness, rest;
#else
    const float stiffness, rest;
#endif
};
GW_GRADIENT("wrt s")
__device__ float energy(const spring &s, float x) { return s.stiffness * (x - s.rest) * (x - s.rest); }
// obeys: const-member
// says: const_member.cu:11:81: error: the derivative of 'energy' would set the member 'rest' of an adjoint, and it is const [const-member]
// says: __device__ float energy(const spring &s, float x) { return s.stiffness * (x - s.rest) * (x - s.rest); }
// says:                                                                                 ^
// says:   way out: declare it without const, or name the other members in the request
