// Structs of pointers that a program may not have as parameters.
#include <gradwright/gradwright.h>

struct deep {
    float **at;
};
struct lists {
    float *at;
};
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

GW_GRADIENT("y wrt h") void of_pointers(float *y, deep h) { twice<<<1, 1>>>(y, h.at[0]); }
GW_GRADIENT("y wrt h") void behind_pointer(float *y, const lists *h) { twice<<<1, 1>>>(y, h->at); }
GW_GRADIENT("y wrt h") void to_be_changed(float *y, lists &h) { twice<<<1, 1>>>(y, h.at); }
// says: program_parts.cu:12:80: error: the address of 'h', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt h") void of_pointers(float *y, deep h) { twice<<<1, 1>>>(y, h.at[0]); }
// says:                                                                                ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: program_parts.cu:13:94: error: this pointer expression cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt h") void behind_pointer(float *y, const lists *h) { twice<<<1, 1>>>(y, h->at); }
// says:                                                                                              ^
// says:   way out: pass a pointer to all of it
// says: program_parts.cu:14:86: error: the address of 'h', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt h") void to_be_changed(float *y, lists &h) { twice<<<1, 1>>>(y, h.at); }
// says:                                                                                      ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
