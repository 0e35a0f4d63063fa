// Of unsigned numbers range.x + progress may wrap around, and a range may end before it begins: then a batch is not what the one before it
// left, and must be recorded. GW_DISJOINT_RANGES(ranges) says that none does.
#include <gradwright/gradwright.h>

GW_GRADIENT("out wrt opacity")
__global__ void blend(float *out, const float *opacity, const uint2 *ranges) {
    __shared__ float collected[8];
    unsigned rank = threadIdx.x;
    uint2 range = ranges[blockIdx.x];
    const int rounds = (range.y - range.x + 8 - 1) / 8;
    int to_do = range.y - range.x;
    bool done = false;
    float T = 1, sum = 0;
    for (int r = 0; r < rounds; r++, to_do -= 8) {
        if (__syncthreads_count(done) == 8) break;
        int progress = r * 8 + rank;
        if (range.x + progress < range.y) collected[rank] = opacity[range.x + progress];
        __syncthreads();
        for (int j = 0; !done && j < min(8, to_do); j++) {
            float alpha = fminf(0.99f, collected[j] * (rank + 1)), next = T * (1 - alpha);
            if (next < 1e-4f) {
                done = true;
                continue;
            }
            sum += alpha * T;
            T = next;
        }
    }
    out[blockIdx.x * 8 + rank] = sum;
}
// says: ranges_of_unsigned.cu:14:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (int r = 0; r < rounds; r++, to_do -= 8) {
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or, if it goes through a range of a list in batches, see to it that none ends before it begins, which may do without a tape: 'begin = max(begin, 0); end = max(end, begin);', or GW_DISJOINT_RANGES(list) where begin and end are x and y of an entry
