#include <gradwright/gradwright.h>

struct spring {
    float stiffness;
#ifdef OBEYED
    GW_GRADIENT("forced = wrt x")
#else
    GW_GRADIENT("wrt x")
#endif
    __device__ float operator()(float x) const { return stiffness * x * x; }
};
// obeys: unsupported
// says: operator_without_name.cu:8:5: error: an operator whose request has no name cannot be differentiated yet [unsupported]
// says:     GW_GRADIENT("wrt x")
// says:     ^
// says:   way out: name the request: 'NAME = outputs wrt inputs'
