#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
__device__ float square(float x) { return x * x; }

#ifdef OBEYED
GW_GRADIENT("cubes = wrt x")
#else
GW_GRADIENT("square_grad = wrt x")
#endif
__device__ float cube(float x) { return x * x * x; }
// obeys: name-collision
// says: derivatives_of_one_name.cu:9:1: error: derivatives of 'square' and of 'cube' are both called 'square_grad' and cannot be told apart [name-collision]
// says: GW_GRADIENT("square_grad = wrt x")
// says: ^
// says:   way out: name one of the requests: 'NAME = outputs wrt inputs'
