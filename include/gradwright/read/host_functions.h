/*
 * host_functions.h - CUDA's functions that nvcc has for the host, too, and Clang's headers for the device
 * alone: without them the host's half of a source is not read; and loads and stores that those leave out.
 * Declared where Gradwright itself reads a source with a toolkit's headers, behind those; no source includes
 * it.
 */
#if defined(__clang__) && defined(__CUDA__) && defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)
#include <math.h> /* nvcc does: isfinite, isnan and isinf of the host by their plain names */
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
template <class T> __device__ T __ldca(const T *p);
template <class T> __device__ T __ldlu(const T *p);
template <class T> __device__ void __stwb(T *p, T value);
template <class T> __device__ void __stcg(T *p, T value);
template <class T> __device__ void __stcs(T *p, T value);
#endif
