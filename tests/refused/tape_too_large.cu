#include <gradwright/gradwright.h>

// Of the bound only its type is known.
GW_GRADIENT("y wrt x")
__global__ void at_least(float *y, const float *x, const int *end, int n) {
    float s = x[threadIdx.x];
    for (int k = 0; k < max(end[threadIdx.x], n); k++) s = s * s + sinf(s);
    y[threadIdx.x] = s;
}

GW_GRADIENT("y wrt x")
__global__ void all_bits(float *y, const float *x, const unsigned *end) {
    float s = x[threadIdx.x];
    for (unsigned k = 0; k < (end[threadIdx.x] & 0xffffffffu); k++) s = s * s + sinf(s);
    y[threadIdx.x] = s;
}

GW_GRADIENT("y wrt x")
__global__ void from_the_least(float *y, const float *x, const int *begin, int n) {
    float s = x[threadIdx.x];
    for (int k = min(begin[threadIdx.x], n); k < n; k++) s = s * s + sinf(s);
    y[threadIdx.x] = s;
}

// The bound is known, and as good as none.
GW_GRADIENT("y wrt x")
__global__ void endless(float *y, const float *x) {
    float s = x[threadIdx.x];
    for (int k = 0; k < 10; k++)
        for (int j = 0; j < 0x7fffffff; j++) {
            s = s * s + sinf(s);
            if (s > 3) break;
        }
    y[threadIdx.x] = s;
}
// says: tape_too_large.cu:7:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (int k = 0; k < max(end[threadIdx.x], n); k++) s = s * s + sinf(s);
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
// says: tape_too_large.cu:14:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (unsigned k = 0; k < (end[threadIdx.x] & 0xffffffffu); k++) s = s * s + sinf(s);
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
// says: tape_too_large.cu:21:5: error: the reverse sweep of this loop needs a tape, and the host cannot compute how often it runs [no-tape-bound]
// says:     for (int k = min(begin[threadIdx.x], n); k < n; k++) s = s * s + sinf(s);
// says:     ^
// says:   way out: give it a bound: add 'count < limit' to its condition, with a limit that is a parameter; or write GW_CHECKPOINT_BINOMIAL(10) before it, which needs none
// says: tape_too_large.cu:30:9: error: the reverse sweep of this loop needs a tape for up to 2147483647 iterations of each thread, which is more than a launch can have [tape-too-large]
// says:         for (int j = 0; j < 0x7fffffff; j++) {
// says:         ^
// says:   way out: give it a bound that it comes near to: add 'count < limit' to its condition, with a limit that is a parameter
