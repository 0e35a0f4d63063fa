// A kernel has no form along the axes of a screen: the function that it calls for a pixel has.
#include <gradwright/gradwright.h>

GW_SCREEN_DERIVATIVES("y wrt x")
__global__ void picture(float *y, const float *x) { *y = *x * *x; }
// says: screen.cu:4:1: error: a kernel, along the axes of a screen, cannot be differentiated yet [unsupported]
// says: GW_SCREEN_DERIVATIVES("y wrt x")
// says: ^
// says:   way out: ask for it of the device function that the kernel calls for a pixel, or for GW_DERIVATIVES
