#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x") GW_PACK(x, mean)
#endif
__global__ void f(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

#ifdef OBEYED
GW_GRADIENT("y wrt x")
#else
GW_GRADIENT("y wrt x") GW_PACK(x) GW_PACK(x)
#endif
__global__ void g(float *y, const float *x) {
    y[threadIdx.x] = x[blockIdx.x];
}

#ifdef OBEYED
GW_GRADIENT("wrt x")
#else
GW_GRADIENT("wrt x") GW_PACK(x)
#endif
__device__ float h(const float *x) { return x[0] * x[0]; }
// obeys: cannot-pack
// says: pack_of_nothing.cu:6:24: error: GW_PACK: 'mean' cannot be part of a record: it is no parameter [cannot-pack]
// says: GW_GRADIENT("y wrt x") GW_PACK(x, mean)
// says:                        ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack_of_nothing.cu:15:35: error: GW_PACK: 'x' cannot be part of a record: it is named twice [cannot-pack]
// says: GW_GRADIENT("y wrt x") GW_PACK(x) GW_PACK(x)
// says:                                   ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
// says: pack_of_nothing.cu:24:22: error: GW_PACK: 'x' cannot be part of a record: the function is no kernel [cannot-pack]
// says: GW_GRADIENT("wrt x") GW_PACK(x)
// says:                      ^
// says:   way out: name arrays of the kernel that are read at x[i], x[i].member or x[k * i + c]; leave out others
