/*
 * lookup_samples.cuh - what the cross-section lookups share: energies and materials of lookups, drawn by a hash
 * of the lookup's number, and the published problem: 12 materials of a reactor, the first one fuel.
 */
#ifndef GW_BENCHMARKS_LOOKUP_SAMPLES_CUH
#define GW_BENCHMARKS_LOOKUP_SAMPLES_CUH

#include <gradwright/gradwright.h>

enum { materials = 12 };

/* splitmix64's mixing function: a number of 53 random bits, in [0, 1). */
static __device__ inline double uniform_of(unsigned long long n) {
    n *= 0x9e3779b97f4a7c15ull;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ull;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebull;
    return (double)((n ^ (n >> 31)) >> 11) / 9007199254740992.0;
}

static __device__ inline real sample_energy(int i) { return (real)uniform_of(2ull * (unsigned)i + 1); }

/* By how often particles are in each of the materials. */
static __device__ inline int sample_material(int i) {
    constexpr double share[materials] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064,
                                         0.066, 0.055, 0.008, 0.015, 0.025, 0.013};
    double roll = uniform_of(2ull * (unsigned)i + 2);
    int material = 0;
    while (material < materials - 1 && roll >= share[material]) roll -= share[material++];
    return material;
}

#endif
