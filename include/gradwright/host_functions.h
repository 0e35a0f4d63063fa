/*
 * host_functions.h - CUDA's functions that nvcc has for the host, too, and Clang's headers for the device
 * alone: without them the host's half of a source is not read. Declared where Gradwright itself reads a source
 * with a toolkit's headers, behind those; no source includes it.
 */
#if defined(__clang__) && defined(__CUDA__) && defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)
#define GW_EXTREMES(type, left, right)                                                                         \
    __host__ type min(left a, right b);                                                                        \
    __host__ type max(left a, right b);
GW_EXTREMES(float, float, float)
GW_EXTREMES(double, double, double)
GW_EXTREMES(double, float, double)
GW_EXTREMES(double, double, float)
#include "extremes.h"
__host__ unsigned int umin(unsigned int a, unsigned int b);
__host__ unsigned int umax(unsigned int a, unsigned int b);
__host__ long long llmin(long long a, long long b);
__host__ long long llmax(long long a, long long b);
__host__ unsigned long long ullmin(unsigned long long a, unsigned long long b);
__host__ unsigned long long ullmax(unsigned long long a, unsigned long long b);
#endif
