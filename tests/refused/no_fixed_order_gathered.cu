// args: --deterministic
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt a")
__global__ void rows(float *y, const float *a, const float *b, int n, int m, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * m) return;
    float sum = 0;
    for (int j = 0; j < k; j++) sum += a[i / m * k + j] * b[i % m * k + j];
    y[i] = sum;
}
// says: no_fixed_order_gathered.cu:9:40: error: threads add to 'd_a' in an order that changes from run to run (gathered: what the threads of a block took from a group with one quotient) [no-fixed-order]
// says:     for (int j = 0; j < k; j++) sum += a[i / m * k + j] * b[i % m * k + j];
// says:                                        ^
// says:   way out: let one thread reach each cell, or leave out --deterministic
