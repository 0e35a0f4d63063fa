#include <gradwright/gradwright.h>

union number {
    float x, r;
};

GW_GRADIENT("y wrt p.r")
__global__ void by_its_second_name(float *y, const number *p) { y[threadIdx.x] = p[threadIdx.x].r; }
// says: second_name.cu:7:1: error: 'p.r' names no member of 'p' [unknown-name]
// says: GW_GRADIENT("y wrt p.r")
// says: ^
// says:   way out: name one of 'x'
