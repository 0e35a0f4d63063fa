#include <gradwright/gradwright.h>

union bits {
    float real;
    unsigned whole;
};

GW_GRADIENT("y wrt x")
__global__ void punned(float *y, const float *x) {
#ifdef OBEYED
    y[threadIdx.x] = -x[threadIdx.x];
#else
    bits b;
    b.real = x[threadIdx.x];
    b.whole ^= 0x80000000u;
    y[threadIdx.x] = b.real;
#endif
}
// obeys: unsupported
// says: union.cu:13:10: error: a union whose members are not the same numbers cannot be differentiated yet [unsupported]
// says:     bits b;
// says:          ^
// says:   way out: use plain scalars, arrays, pointers and structs
