// obeys: no-lockstep unsupported
#include <gradwright/gradwright.h>

// Either side of a branch may go first.
GW_GRADIENT("y wrt x")
__global__ void sides(float *y, const float *x) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
#ifdef OBEYED
    if (t < 16) s[t] = x[t];
    __syncwarp();
    if (t >= 16) y[t] = s[t - 16];
#else
    if (t < 16)
        s[t] = x[t];
    else
        y[t] = s[t - 16];
#endif
}

// Lanes leave the loop at different times.
GW_GRADIENT("y wrt x")
__global__ void loops(float *y, const float *x, const int *trips) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    float v = x[t];
#ifdef OBEYED
    int most = trips[t];
    for (int by = 16; by > 0; by /= 2) most = max(most, __shfl_xor_sync(0xffffffffu, most, by));
    for (int k = 0; k < most; k++) {
        if (k < trips[t]) s[t] = v;
        __syncwarp();
        if (k < trips[t]) v *= s[(t + 1) % 32];
        __syncwarp();
    }
#else
    for (int k = 0; k < trips[t]; k++) {
        s[t] = v;
        v *= s[(t + 1) % 32];
    }
#endif
    y[t] = v;
}

// A flag of another warp.
GW_GRADIENT("y wrt x")
__global__ void flag(float *y, const float *x) {
    __shared__ float s;
#ifdef OBEYED
    if (threadIdx.x == 0) s = x[0];
    __syncthreads();
    if (threadIdx.x == 32) y[0] = s;
#else
    volatile __shared__ int done;
    if (threadIdx.x == 0) {
        s = x[0];
        done = 1;
    }
    if (threadIdx.x == 32) {
        while (!done) {
        }
        y[0] = s;
    }
#endif
}

// The condition asks.
GW_GRADIENT("y wrt x")
__global__ void asked(float *y, const float *x) {
    volatile __shared__ float s[32];
    const int t = threadIdx.x;
    float v = x[t];
    s[t] = v;
#ifdef OBEYED
    for (int turn = 0; turn < 8; turn++) {
        __syncwarp();
        const float other = s[(t + 1) % 32];
        __syncwarp();
        if (other > 1) v *= 0.5f;
        s[t] = v;
    }
#else
    while (s[(t + 1) % 32] > 1) {
        v *= 0.5f;
        s[t] = v;
    }
#endif
    y[t] = v;
}

// This one goes, with a warning.
GW_GRADIENT("y wrt x")
__global__ void reversed(float *y, const float *x) {
    volatile __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[31 - threadIdx.x];
}
// says: volatile_shared_memory.cu:17:16: error: lanes of a warp meet in the volatile 's' here and in line 15 without __syncwarp, and lanes that run in step have no order there: line 14 is a branch, either side of which may go first [no-lockstep]
// says:         y[t] = s[t - 16];
// says:                ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:39:14: error: lanes of a warp meet in the volatile 's' here and in line 38 without __syncwarp, and lanes that run in step have no order there: line 37 is a loop that they may leave at different times [no-lockstep]
// says:         v *= s[(t + 1) % 32];
// says:              ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:60:9: error: a loop that waits for what another thread stores to volatile memory cannot be differentiated yet [unsupported]
// says:         while (!done) {
// says:         ^
// says:   way out: let the threads meet by __syncwarp() or __syncthreads()
// says: volatile_shared_memory.cu:85:9: error: lanes of a warp meet in the volatile 's' here and in line 83 without __syncwarp, and lanes that run in step have no order there: line 83 is a loop that they may leave at different times [no-lockstep]
// says:         s[t] = v;
// says:         ^
// says:   way out: let them meet by __syncwarp(), with all lanes of its mask
// says: volatile_shared_memory.cu:95:5: warning: __syncwarp() is missing behind this: lanes of a warp store to the volatile 's' in line 95, and others read it in line 96; since Volta that is a race, by which the kernel may compute something else than its derivative, which takes lanes to run in step [missing-syncwarp]
// says:     s[threadIdx.x] = x[threadIdx.x];
// says:     ^
// says:   way out: write it there
