/*
 * curand.h - what tests call of cuRAND where there is none: numbers that a kernel of one thread draws, on the
 * generator's stream, each by its place behind the seed.
 */
#ifndef CURAND_H_
#define CURAND_H_

#include <cuda_runtime.h>

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_LAUNCH_FAILURE = 201
} curandStatus_t;
typedef enum curandRngType { CURAND_RNG_PSEUDO_DEFAULT = 100 } curandRngType_t;
typedef enum curandOrdering { CURAND_ORDERING_PSEUDO_DEFAULT = 101 } curandOrdering_t;

struct curandGenerator_st {
    unsigned long long seed, drawn;
    cudaStream_t stream;
};
typedef struct curandGenerator_st *curandGenerator_t;

namespace reference {

enum kind { UNIFORM, NORMAL, LOG_NORMAL, BITS };

/* In (0, 1], of number `at`. */
__device__ inline double drawn(unsigned long long seed, unsigned long long at) {
    unsigned long long z = seed + 0x9e3779b97f4a7c15ull * (at + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (double)((z ^ z >> 31) >> 40 | 1) / 16777216.0;
}

/* The sum of twelve is near enough to a normal one. */
__device__ inline double drawn_as(kind k, unsigned long long seed, unsigned long long at, double mean,
                                  double by) {
    if (k == UNIFORM) return drawn(seed, at);
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += drawn(seed + 77, 12 * at + (unsigned long long)i);
    return k == NORMAL ? mean + by * sum : exp(mean + by * sum);
}

template <class T>
__global__ void draw(kind k, T *to, size_t count, unsigned long long seed, unsigned long long from,
                     double mean, double by) {
    for (size_t i = 0; i < count; i++)
        to[i] = (T)(k == BITS ? drawn(seed, from + i) * 4294967295.0 : drawn_as(k, seed, from + i, mean, by));
}

template <class T>
curandStatus_t fill(curandGenerator_t g, kind k, T *to, size_t count, double mean = 0, double by = 1) {
    draw<<<1, 1, 0, g->stream>>>(k, to, count, g->seed, g->drawn, mean, by);
    g->drawn += count;
    return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

} // namespace reference

inline curandStatus_t curandCreateGenerator(curandGenerator_t *made, curandRngType_t) {
    *made = new curandGenerator_st{0, 0, nullptr};
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    delete g;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    g->seed = seed, g->drawn = 0;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    g->drawn = offset;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) {
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t, unsigned int) {
    return CURAND_STATUS_TYPE_ERROR;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int *to, size_t n) {
    return reference::fill(g, reference::BITS, to, n);
}

#define GW_TEST_FILLS(T, Suffix)                                                                               \
    inline curandStatus_t curandGenerateUniform##Suffix(curandGenerator_t g, T *to, size_t n) {                \
        return reference::fill(g, reference::UNIFORM, to, n);                                                  \
    }                                                                                                          \
    inline curandStatus_t curandGenerateNormal##Suffix(curandGenerator_t g, T *to, size_t n, T mean, T by) {   \
        return reference::fill(g, reference::NORMAL, to, n, mean, by);                                         \
    }                                                                                                          \
    inline curandStatus_t curandGenerateLogNormal##Suffix(curandGenerator_t g, T *to, size_t n, T mean,        \
                                                          T by) {                                              \
        return reference::fill(g, reference::LOG_NORMAL, to, n, mean, by);                                     \
    }
GW_TEST_FILLS(float, )
GW_TEST_FILLS(double, Double)
#undef GW_TEST_FILLS

#endif
