/*
 * host_functions.h - CUDA's functions that nvcc has for the host, too, and Clang's headers for the device
 * alone: without them the host's half of a source is not read. Declared where Gradwright itself reads a source
 * with a toolkit's headers, behind those; no source includes it.
 */
#if defined(__clang__) && defined(__CUDA__) && defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)
#define GW_HOST_EXTREMES(type, left, right)                                                                    \
    __host__ type min(left a, right b);                                                                        \
    __host__ type max(left a, right b);
GW_HOST_EXTREMES(int, int, int)
GW_HOST_EXTREMES(unsigned int, unsigned int, unsigned int)
GW_HOST_EXTREMES(unsigned int, int, unsigned int)
GW_HOST_EXTREMES(unsigned int, unsigned int, int)
GW_HOST_EXTREMES(long, long, long)
GW_HOST_EXTREMES(unsigned long, unsigned long, unsigned long)
GW_HOST_EXTREMES(unsigned long, long, unsigned long)
GW_HOST_EXTREMES(unsigned long, unsigned long, long)
GW_HOST_EXTREMES(long long, long long, long long)
GW_HOST_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
GW_HOST_EXTREMES(unsigned long long, long long, unsigned long long)
GW_HOST_EXTREMES(unsigned long long, unsigned long long, long long)
GW_HOST_EXTREMES(float, float, float)
GW_HOST_EXTREMES(double, double, double)
GW_HOST_EXTREMES(double, float, double)
GW_HOST_EXTREMES(double, double, float)
#undef GW_HOST_EXTREMES
__host__ unsigned int umin(unsigned int a, unsigned int b);
__host__ unsigned int umax(unsigned int a, unsigned int b);
__host__ long long llmin(long long a, long long b);
__host__ long long llmax(long long a, long long b);
__host__ unsigned long long ullmin(unsigned long long a, unsigned long long b);
__host__ unsigned long long ullmax(unsigned long long a, unsigned long long b);
#endif
