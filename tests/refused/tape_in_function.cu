#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
__device__ float repeated(float x, int steps) {
#ifdef OBEYED
    for (int k = 0; k < 8; k++) x = x * x;
#else
    for (int k = 0; k < steps; k++) x = x * x;
#endif
    return x;
}
// obeys: tape-in-function
// says: tape_in_function.cu:8:5: error: the reverse sweep of this loop in 'repeated' needs a tape, which only gradients of kernels and of host functions can take [tape-in-function]
// says:     for (int k = 0; k < steps; k++) x = x * x;
// says:     ^
// says:   way out: call the function from a kernel and request the kernel's gradient, without recursion, or use a constant trip count
