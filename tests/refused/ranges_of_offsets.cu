// Ranges of a list of offsets whose last one ends where a parameter says: nothing tells that it does not end before it begins.
#include <gradwright/gradwright.h>

GW_GRADIENT("out wrt opacity")
__global__ void blend(float *out, const float *opacity, const int *offsets, unsigned total, unsigned tiles) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x, size = 8;
    int tile = blockIdx.x, range_start = offsets[tile], range_end = tile == tiles - 1 ? total : offsets[tile + 1];
    unsigned batches = (range_end - range_start + size - 1) / size;
    bool done = false;
    float T = 1, sum = 0;
    for (unsigned b = 0; b < batches; ++b) {
        if (__syncthreads_count(done) >= size) break;
        unsigned batch_start = range_start + size * b, at = batch_start + rank;
        if (at < range_end) collected[rank] = opacity[at];
        __syncthreads();
        unsigned batch = min(size, range_end - batch_start);
        for (unsigned t = 0; t < batch && !done; ++t) {
            float alpha = fminf(0.99f, collected[t] * (rank + 1)), next = T * (1 - alpha);
            if (next <= 1e-4f) {
                done = true;
                break;
            }
            sum += alpha * T;
            T = next;
        }
    }
    out[blockIdx.x * 8 + rank] = sum;
}
// says: ranges_of_offsets.cu:12:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (unsigned b = 0; b < batches; ++b) {
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or, if it goes through a range of a list in batches, see to it that none ends before it begins, which may do without a tape: 'begin = max(begin, 0); end = max(end, begin);', or GW_DISJOINT_RANGES(list) where begin and end are x and y of an entry
