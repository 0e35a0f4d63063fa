#include <gradwright/gradwright.h>

struct spring {
    float stiffness;
    GW_GRADIENT("wrt x, rest")
    __device__ float energy(float x) const { return stiffness * x * x; }
};
// says: unknown_member.cu:5:5: error: 'rest' names no parameter of 'spring::energy' [unknown-name]
// says:     GW_GRADIENT("wrt x, rest")
// says:     ^
// says:   way out: name one of 'x', 'stiffness', 'self'
