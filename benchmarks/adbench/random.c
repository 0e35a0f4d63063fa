/* random.c - deterministic numbers and memory for the problems' data. */
#include "adbench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(adbench_random *random) {
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double adbench_uniform(adbench_random *random, double low, double high) {
    return low + (high - low) * (double)(next(random) >> 11) * 0x1p-53;
}

double adbench_normal(adbench_random *random) {
    double radius = sqrt(-2 * log(1 - adbench_uniform(random, 0, 1)));
    return radius * cos(6.283185307179586 * adbench_uniform(random, 0, 1));
}

int adbench_below(adbench_random *random, int end) { return (int)(next(random) % (uint64_t)end); }

void *adbench_memory(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "out of memory: %zu times %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

double *adbench_doubles(size_t count) { return adbench_memory(count, sizeof(double)); }
