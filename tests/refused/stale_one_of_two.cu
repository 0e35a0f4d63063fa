#include <gradwright/gradwright.h>

// What stands between the two ifs may change the cell, the condition, or the side.
GW_GRADIENT("y, z wrt x")
__global__ void changed_between(float *y, float *z, const float *x, int j) {
    int i = threadIdx.x;
    float *out = i & 1 ? y : z;
    out[i] = x[i] * x[i];
    z[j] = x[0];
    out[i] *= out[i];
}
GW_GRADIENT("y, z wrt x")
__global__ void of_an_earlier_iteration(float *y, float *z, const float *x, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        float *out = (i + k) & 1 ? y : z;
        if (k > 0) out[i] *= out[i];
        out[i] = x[i] * x[k];
    }
}
// says: stale_one_of_two.cu:10:5: error: the gradient needs the value of 'z' read here, but the function may have overwritten it before [stale-value]
// says:     out[i] *= out[i];
// says:     ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_one_of_two.cu:10:15: error: the gradient needs the value of 'z' read here, but the function may have overwritten it before [stale-value]
// says:     out[i] *= out[i];
// says:               ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_one_of_two.cu:17:20: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:         if (k > 0) out[i] *= out[i];
// says:                    ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_one_of_two.cu:17:20: error: the gradient needs the value of 'z' read here, but the function may have overwritten it before [stale-value]
// says:         if (k > 0) out[i] *= out[i];
// says:                    ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_one_of_two.cu:17:30: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:         if (k > 0) out[i] *= out[i];
// says:                              ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: stale_one_of_two.cu:17:30: error: the gradient needs the value of 'z' read here, but the function may have overwritten it before [stale-value]
// says:         if (k > 0) out[i] *= out[i];
// says:                              ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
