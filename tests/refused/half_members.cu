#include <gradwright/gradwright.h>
#include <cuda_fp16.h>

struct cell { __half2 at; };
GW_GRADIENT("y wrt x.at")
__global__ void a_struct(float *y, cell x) { y[threadIdx.x] = __low2float(x.at); }
GW_GRADIENT("y wrt x.z")
__global__ void no_member(float *y, const __half2 *x) { y[threadIdx.x] = __low2float(x[threadIdx.x]); }
struct lists { float *sum; const __half *of; };
GW_GRADIENT("l.sum wrt l.of")
__global__ void a_pointer(lists l) { l.sum[threadIdx.x] = __half2float(l.of[threadIdx.x]); }
GW_DERIVATIVE("l.sum wrt l.of")
__global__ void forward(lists l) { l.sum[threadIdx.x] = __half2float(l.of[threadIdx.x]); }
// says: half_members.cu:5:1: error: a struct with members of half precision cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x.at")
// says: ^
// says:   way out: hold the numbers as float, or pass arrays of halves beside the struct
// says: half_members.cu:7:1: error: 'x.z' names no member of 'x' [unknown-name]
// says: GW_GRADIENT("y wrt x.z")
// says: ^
// says:   way out: name one of 'x', 'y'
// says: half_members.cu:11:72: error: a struct with pointers to half precision cannot be differentiated yet [unsupported]
// says: __global__ void a_pointer(lists l) { l.sum[threadIdx.x] = __half2float(l.of[threadIdx.x]); }
// says:                                                                        ^
// says:   way out: hold the numbers as float, or pass arrays of halves beside the struct
// says: half_members.cu:13:70: error: a struct with pointers to half precision cannot be differentiated yet [unsupported]
// says: __global__ void forward(lists l) { l.sum[threadIdx.x] = __half2float(l.of[threadIdx.x]); }
// says:                                                                      ^
// says:   way out: hold the numbers as float, or pass arrays of halves beside the struct
