// seeds: 1 2 3
// Threads that wait for each other by atomicCAS or __nanosleep let the others go on; a float maximum by
// atomicCAS.
#include "check.h"

__global__ void chain(int *turn, int *order) { // each thread waits for the next one
    const int t = (int)threadIdx.x, last = (int)blockDim.x - 1;
    while (atomicCAS(turn, last - t, last - t) != last - t) {
    }
    order[last - t] = t;
    atomicExch(turn, last - t + 1);
}

__global__ void sleepers(int *flag, int *out) {
    if (threadIdx.x == 63) atomicExch(flag, 7);
    while (atomicAdd(flag, 0) != 7)
        __nanosleep(100);
    out[threadIdx.x] = 1;
}

__global__ void locked(int *lock, int *total) { // the holder is left in the middle
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            const int before = *total;
            __nanosleep(1);
            *total = before + 1;
            atomicExch(lock, 0);
            done = true;
        }
}

__global__ void largest(const float *in, unsigned *bits) {
    unsigned old = *bits;
    while (in[threadIdx.x] > __uint_as_float(old)) {
        const unsigned seen = old;
        old = atomicCAS(bits, seen, __float_as_uint(in[threadIdx.x]));
        if (old == seen) break;
    }
}

int main() {
    int *a, *b;
    float *in;
    unsigned *bits;
    OK(cudaMallocManaged(&a, sizeof(int)));
    OK(cudaMallocManaged(&b, 64 * sizeof(int)));
    OK(cudaMallocManaged(&in, 64 * sizeof(float)));
    OK(cudaMallocManaged(&bits, sizeof(unsigned)));
    *a = 0;
    chain<<<1, 64>>>(a, b);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i)
        CHECK(b[i] == 63 - i);
    *a = 0;
    sleepers<<<1, 64>>>(a, b);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i)
        CHECK(b[i] == 1);
    *a = *b = 0;
    locked<<<3, 64>>>(a, b);
    OK(cudaDeviceSynchronize());
    CHECK(*b == 192);
    *bits = 0;
    for (int i = 0; i < 64; ++i)
        in[i] = (float)(i * 37 % 64);
    largest<<<1, 64>>>(in, bits);
    OK(cudaDeviceSynchronize());
    CHECK(*bits == 0x427c0000u); // 63
}
