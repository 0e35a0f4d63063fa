// seeds: 1 2 3
// Warp operations against their definitions, for every width and type, with partial masks and ended lanes.
#include "check.h"

enum { n = 96 };

template <class T> __global__ void shuffles(T *index, T *up, T *down, T *xor_, int width, int argument) {
    const int t = (int)threadIdx.x;
    const T mine = (T)(t * 3 + 1);
    index[t] = __shfl_sync(0xffffffffu, mine, argument + t / 5, width);
    up[t] = __shfl_up_sync(0xffffffffu, mine, (unsigned)argument, width);
    down[t] = __shfl_down_sync(0xffffffffu, mine, (unsigned)argument, width);
    xor_[t] = __shfl_xor_sync(0xffffffffu, mine, argument, width);
}

template <class T> static void test_shuffles() {
    T *out[4];
    for (T *&p : out)
        OK(cudaMallocManaged(&p, n * sizeof(T)));
    for (int width = 1; width <= 32; width *= 2)
        for (int argument : {0, 1, 2, 3, 5, 16, 31}) {
            shuffles<<<1, n>>>(out[0], out[1], out[2], out[3], width, argument);
            OK(cudaDeviceSynchronize());
            for (int t = 0; t < n; ++t) {
                const int lane = t % 32, warp = t - lane, first = lane / width * width,
                          last = first + width - 1;
                const int wanted[] = {first + (argument + t / 5) % width,
                                      lane - argument < first ? lane : lane - argument,
                                      lane + argument > last ? lane : lane + argument,
                                      (lane ^ argument) > last ? lane : lane ^ argument};
                for (int k = 0; k < 4; ++k)
                    CHECK(out[k][t] == (T)((warp + wanted[k]) * 3 + 1));
            }
        }
}

__global__ void votes(unsigned *out, unsigned limit) {
    const unsigned t = threadIdx.x, lane = t % 32;
    const unsigned mask = lane < 12 ? 0xfffu : 0xfffff000u;
    unsigned *mine = out + 8 * t;
    mine[0] = __ballot_sync(mask, t < limit);
    mine[1] = (unsigned)__any_sync(mask, t < limit);
    mine[2] = (unsigned)__all_sync(mask, t < limit);
    mine[3] = (unsigned)__uni_sync(mask, t < limit ? 7 : 0);
    mine[4] = __match_any_sync(mask, t % 3);
    int all;
    mine[5] = __match_all_sync(mask, t < limit ? 2.5 : 1.5, &all);
    mine[6] = (unsigned)all;
    __syncwarp(mask);
    mine[7] = __activemask();
}

static void test_votes(unsigned limit) {
    unsigned *out;
    OK(cudaMallocManaged(&out, 8 * n * sizeof(unsigned)));
    votes<<<2, n>>>(out, limit);
    OK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < n; ++t) {
        const unsigned mask = t % 32 < 12 ? 0xfffu : 0xfffff000u, *mine = out + 8 * t;
        unsigned ballot = 0, equal = 0;
        for (unsigned lane = 0; lane < 32; ++lane) {
            const unsigned other = t - t % 32 + lane;
            if (!(mask >> lane & 1)) continue;
            ballot |= (unsigned)(other < limit) << lane;
            equal |= (unsigned)(other % 3 == t % 3) << lane;
        }
        const bool same = ballot == 0 || ballot == mask;
        CHECK(mine[0] == ballot && mine[1] == (ballot != 0) && mine[2] == (ballot == mask));
        CHECK(mine[3] == same && mine[4] == equal && mine[5] == (same ? mask : 0) && mine[6] == same);
        CHECK(mine[7] >> t % 32 & 1);
    }
    OK(cudaFree(out));
}

__global__ void reductions(unsigned *u, int *s, unsigned m) {
    const unsigned t = threadIdx.x;
    if (!(m >> t % 32 & 1)) return;
    const unsigned v = t * 2654435761u;
    u[0 * n + t] = __reduce_add_sync(m, v), u[1 * n + t] = __reduce_min_sync(m, v);
    u[2 * n + t] = __reduce_max_sync(m, v), u[3 * n + t] = __reduce_and_sync(m, v | 1u);
    u[4 * n + t] = __reduce_or_sync(m, v & 0xffu), u[5 * n + t] = __reduce_xor_sync(m, v);
    s[0 * n + t] = __reduce_add_sync(m, (int)v), s[1 * n + t] = __reduce_min_sync(m, (int)v);
    s[2 * n + t] = __reduce_max_sync(m, (int)v);
}

static void test_reductions(unsigned mask) {
    unsigned *u;
    int *s;
    OK(cudaMallocManaged(&u, 6 * n * sizeof(unsigned)));
    OK(cudaMallocManaged(&s, 3 * n * sizeof(int)));
    reductions<<<1, n>>>(u, s, mask);
    OK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < n; ++t) {
        if (!(mask >> t % 32 & 1)) continue;
        unsigned w[6] = {0, ~0u, 0, ~0u, 0, 0};
        int low = 0x7fffffff, high = -0x7fffffff - 1;
        for (unsigned other = t - t % 32; other < t - t % 32 + 32; ++other) {
            if (!(mask >> other % 32 & 1)) continue;
            const unsigned v = other * 2654435761u;
            w[0] += v, w[1] = v < w[1] ? v : w[1], w[2] = v > w[2] ? v : w[2];
            w[3] &= v | 1u, w[4] |= v & 0xffu, w[5] ^= v;
            low = (int)v < low ? (int)v : low, high = (int)v > high ? (int)v : high;
        }
        for (int k = 0; k < 6; ++k)
            CHECK(u[k * n + (int)t] == w[k]);
        CHECK(s[t] == (int)w[0] && s[n + t] == low && s[2 * n + t] == high);
    }
}

/* A block's sum: shuffles inside the warps, shared memory between them. */
__global__ void block_sum(const double *in, double *out, int count) {
    __shared__ double partial[32];
    double sum = 0;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += (int)(gridDim.x * blockDim.x))
        sum += in[i];
    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (unsigned distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, (int)distance);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

/* The lanes that take a branch, one atomic for all of them. */
__global__ void aggregated(int *count, int *place, int modulus) {
    const int t = (int)threadIdx.x, lane = t % 32;
    if (t % modulus == 0) {
        const unsigned together = __activemask();
        const int leader = __ffs((int)together) - 1;
        int first = 0;
        if (lane == leader) first = atomicAdd(count, __popc(together));
        first = __shfl_sync(together, first, leader);
        place[t] = first + __popc(together & ((1u << lane) - 1));
    }
}

int main() {
    test_shuffles<int>();
    test_shuffles<unsigned>();
    test_shuffles<long>();
    test_shuffles<unsigned long>();
    test_shuffles<long long>();
    test_shuffles<unsigned long long>();
    test_shuffles<float>();
    test_shuffles<double>();
    for (unsigned limit : {0u, 1u, 12u, 40u, 64u, 96u})
        test_votes(limit);
    for (unsigned mask : {0xffffffffu, 1u, 0x80000000u, 0x0f0f00ffu})
        test_reductions(mask);
    double *in, *out;
    OK(cudaMallocManaged(&in, 10000 * sizeof(double)));
    OK(cudaMallocManaged(&out, sizeof(double)));
    for (int i = 0; i < 10000; ++i)
        in[i] = i;
    for (unsigned threads : {32u, 96u, 1024u}) {
        *out = 0;
        block_sum<<<3, threads>>>(in, out, 10000);
        OK(cudaDeviceSynchronize());
        CHECK(*out == 9999.0 * 5000.0);
    }
    int *count, *place;
    OK(cudaMallocManaged(&count, sizeof(int)));
    OK(cudaMallocManaged(&place, 256 * sizeof(int)));
    *count = 0;
    aggregated<<<1, 256>>>(count, place, 3);
    OK(cudaDeviceSynchronize());
    CHECK(*count == 86);
    bool taken[86] = {};
    for (int t = 0; t < 256; t += 3) {
        CHECK(place[t] >= 0 && place[t] < 86 && !taken[place[t]]);
        taken[place[t]] = true;
    }
}
