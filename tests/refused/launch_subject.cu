#include <gradwright/gradwright.h>

struct sizes {
    int w, h;
};

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.a == 128")
#endif
__global__ void first(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("width <= 128")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("widht <= 128")
#endif
__global__ void second(float *y, const float *x, int width) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.z == 1")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("scale == 2")
#endif
__global__ void third(float *y, const float *x, float scale) { y[threadIdx.x] = scale * x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("gridDim.x == 2")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("threadIdx.x == 2")
#endif
__global__ void fourth(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 2")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("s.w == 2")
#endif
__global__ void fifth(float *y, const float *x, sizes s) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.y == 2")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("x == 2")
#endif
__global__ void sixth(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 2 or atomic")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("or atomic")
#endif
__global__ void nothing(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// obeys: launch-subject
// says: launch_subject.cu:10:24: error: GW_LAUNCH: 'blockDim.a' is neither a dimension of the launch nor an integer parameter of 'first'; did you mean 'blockDim.x'? [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.a == 128")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:17:24: error: GW_LAUNCH: 'widht' is neither a dimension of the launch nor an integer parameter of 'second'; did you mean 'width'? [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("widht <= 128")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:24:24: error: GW_LAUNCH: 'scale' is neither a dimension of the launch nor an integer parameter of 'third' [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("scale == 2")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:31:24: error: GW_LAUNCH: 'threadIdx.x' is neither a dimension of the launch nor an integer parameter of 'fourth' [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("threadIdx.x == 2")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:38:24: error: GW_LAUNCH: 's.w' is neither a dimension of the launch nor an integer parameter of 'fifth' [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("s.w == 2")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:45:24: error: GW_LAUNCH: 'x' is neither a dimension of the launch nor an integer parameter of 'sixth' [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("x == 2")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
// says: launch_subject.cu:52:24: error: GW_LAUNCH: 'or' is neither a dimension of the launch nor an integer parameter of 'nothing' [launch-subject]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("or atomic")
// says:                        ^
// says:   way out: name blockDim.x, .y or .z, gridDim.x, .y or .z, or a parameter that is an integer itself
