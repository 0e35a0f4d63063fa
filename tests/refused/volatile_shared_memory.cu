#include <gradwright/gradwright.h>

// Either side of a branch may go first.
GW_GRADIENT("y wrt x")
__global__ void sides(float *y, const float *x) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    if (t < 16)
        s[t] = x[t];
    else
        y[t] = s[t - 16];
}

// Lanes leave the loop at different times.
GW_GRADIENT("y wrt x")
__global__ void loops(float *y, const float *x, const int *trips) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    float v = x[t];
    for (int k = 0; k < trips[t]; k++) {
        s[t] = v;
        v *= s[(t + 1) % 32];
    }
    y[t] = v;
}

// A flag of another warp.
GW_GRADIENT("y wrt x")
__global__ void flag(float *y, const float *x) {
    volatile __shared__ int done;
    __shared__ float s;
    if (threadIdx.x == 0) {
        s = x[0];
        done = 1;
    }
    if (threadIdx.x == 32) {
        while (!done) {
        }
        y[0] = s;
    }
}

// Of a condition that asks.
GW_GRADIENT("y wrt x")
__global__ void asked(float *y, const float *x) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    float v = x[t];
    s[t] = v;
    while (s[(t + 1) % 32] > 1) {
        v *= 0.5f;
        s[t] = v;
    }
    y[t] = v;
}

// This one goes, with a warning.
GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x) {
    volatile __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[31 - threadIdx.x];
}
// says: volatile_shared_memory.cu:11:16: error: lanes of a warp meet in the volatile 's' here and in line 9 without __syncwarp, and lanes that run in step have no order there: line 8 is a branch, either side of which may go first [no-lockstep]
// says:         y[t] = s[t - 16];
// says:                ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:22:14: error: lanes of a warp meet in the volatile 's' here and in line 21 without __syncwarp, and lanes that run in step have no order there: line 20 is a loop that they may leave at different times [no-lockstep]
// says:         v *= s[(t + 1) % 32];
// says:              ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:37:9: error: a loop that waits for what another thread stores to volatile memory cannot be differentiated yet [unsupported]
// says:         while (!done) {
// says:         ^
// says:   way out: let the threads meet by __syncwarp() or __syncthreads()
// says: volatile_shared_memory.cu:52:9: error: lanes of a warp meet in the volatile 's' here and in line 50 without __syncwarp, and lanes that run in step have no order there: line 50 is a loop that they may leave at different times [no-lockstep]
// says:         s[t] = v;
// says:         ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:61:5: warning: __syncwarp() is missing behind this: lanes of a warp store to the volatile 's' in line 61, and others read it in line 62; since Volta that is a race, by which the kernel may compute something else than its derivative, which takes lanes to run in step [missing-syncwarp]
// says:     s[threadIdx.x] = x[threadIdx.x];
// says:     ^
// says:   way out: write it there
