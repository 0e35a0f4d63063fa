// obeys: unknown-mark
// A word like a mark that nothing defines, in front of one that the header has.
#include <gradwright/gradwright.h>

#ifdef OBEYED
#define GW_MINE(text)
#define GW_GRADIENTS GW_GRADIENT
#endif

GW_MINE("a") GW_GRADIENT("y wrt x") __global__ void a(float *y, const float *x) { y[0] = x[0]; }
GW_GRADIENTS("y wrt x") __global__ void b(float *y, const float *x) { y[0] = x[0]; }
// says: unknown_mark.cu:10:1: error: nothing defines 'GW_MINE', and <gradwright/gradwright.h> has no such mark [unknown-mark]
// says: GW_MINE("a") GW_GRADIENT("y wrt x") __global__ void a(float *y, const float *x) { y[0] = x[0]; }
// says: ^
// says:   way out: write one of the marks that it has, or define the word above this line
// says: unknown_mark.cu:11:1: error: nothing defines 'GW_GRADIENTS', and <gradwright/gradwright.h> has no such mark; did you mean 'GW_GRADIENT'? [unknown-mark]
// says: GW_GRADIENTS("y wrt x") __global__ void b(float *y, const float *x) { y[0] = x[0]; }
// says: ^
// says:   way out: write one of the marks that it has, or define the word above this line
