#include <gradwright/gradwright.h>

struct spring {
    float stiffness;
    GW_GRADIENT("wrt x")
    __device__ float operator()(float x) const { return stiffness * x * x; }
};
// says: operator_without_name.cu:5:5: error: an operator whose request has no name cannot be differentiated yet [unsupported]
// says:     GW_GRADIENT("wrt x")
// says:     ^
// says:   way out: name the request: 'NAME = outputs wrt inputs'
