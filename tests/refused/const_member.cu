#include <gradwright/gradwright.h>

struct spring {
#ifdef OBEYED
    float stiffness, rest;
#else
    const float stiffness, rest;
#endif
};
GW_GRADIENT("wrt s.rest")
__device__ float energy(const spring &s, float x) { return s.stiffness * (x - s.rest) * (x - s.rest); }
GW_GRADIENT("wrt s")
__device__ float whole(const spring &s, float x) { return s.stiffness * (x - s.rest) * (x - s.rest); }
// obeys: const-member const-left
// says: const_member.cu:11:81: error: the derivative of 'energy' would set the member 'rest' of an adjoint, and it is const [const-member]
// says: __device__ float energy(const spring &s, float x) { return s.stiffness * (x - s.rest) * (x - s.rest); }
// says:                                                                                 ^
// says:   way out: declare it without const, or name the other members in the request
// says: const_member.cu:12:1: warning: the derivative of 'whole' leaves out const members, of which no adjoint can be set: 'stiffness', 'rest' [const-left]
// says: GW_GRADIENT("wrt s")
// says: ^
// says:   way out: declare them without const, or name the other members in the request
