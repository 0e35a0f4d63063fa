/*
 * streams.cuh - kernels that move memory and do little else: an activation, a permute, rows of a table. What
 * their gradients cost is bytes, so adjoints are new (`fresh`).
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* The tanh form of GELU. */
GW_GRADIENT("y wrt x[0:n] fresh")
GW_DERIVATIVE("y wrt x")
__global__ void gelu(real *y, const real *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const real v = x[i], inner = (real)0.79788456080286536 * (v + (real)0.044715 * v * v * v);
    y[i] = (real)0.5 * v * (1 + tanh(inner));
}

/* From the q, k and v of all heads of each token to those of all tokens of each head. */
GW_GRADIENT("q, k, v wrt all[0:batches * tokens * 3 * heads * width] fresh")
GW_DERIVATIVE("q, k, v wrt all")
__global__ void by_heads(real *q, real *k, real *v, const real *all, int batches, int tokens, int heads,
                         int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batches * heads * tokens * width) return;
    const int batch = i / (heads * tokens * width);
    int rest = i % (heads * tokens * width);
    const int head = rest / (tokens * width);
    rest = rest % (tokens * width);
    const int token = rest / width, part = rest % width;
    const int at = batch * tokens * 3 * heads * width + token * 3 * heads * width + head * width + part;
    q[i] = all[at];
    k[i] = all[at + heads * width];
    v[i] = all[at + 2 * heads * width];
}

/* A row for each word and one for each place. */
GW_GRADIENT("y wrt table[0:words * width] fresh, places[0:length * width] fresh")
GW_DERIVATIVE("y wrt table, places")
__global__ void embedding(real *y, const real *table, const real *places, const int *ids, int texts, int length,
                          int width, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= texts * length * width) return;
    (void)words; /* as long as the table is */
    const int token = i / width, part = i % width, place = token % length;
    y[i] = table[ids[token] * width + part] + places[place * width + part];
}
