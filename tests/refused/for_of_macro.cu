// Nothing tells which clauses of such a for are there, if some are missing: libclang shows none of its semicolons.
#include <gradwright/gradwright.h>

#define WHILE(condition) for (; condition;)

GW_GRADIENT("y wrt x")
__global__ void loop(float *y, const float *x, int n) {
    int i = threadIdx.x, k = 0;
    float s = 0;
    WHILE(k < n) s += x[k++];
    y[i] = s;
}
// says: for_of_macro.cu:10:5: error: a for that a macro puts together, without all of its clauses cannot be differentiated yet [unsupported]
// says:     WHILE(k < n) s += x[k++];
// says:     ^
// says:   way out: write out the clause that is missing
