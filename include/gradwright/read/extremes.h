/*
 * extremes.h - CUDA's overloads of min and max of integers: GW_EXTREMES(result, left, right), which whoever
 * includes this defines. Read several times.
 */
GW_EXTREMES(int, int, int)
GW_EXTREMES(unsigned int, unsigned int, unsigned int)
GW_EXTREMES(unsigned int, int, unsigned int)
GW_EXTREMES(unsigned int, unsigned int, int)
GW_EXTREMES(long, long, long)
GW_EXTREMES(unsigned long, unsigned long, unsigned long)
GW_EXTREMES(unsigned long, long, unsigned long)
GW_EXTREMES(unsigned long, unsigned long, long)
GW_EXTREMES(long long, long long, long long)
GW_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
GW_EXTREMES(unsigned long long, long long, unsigned long long)
GW_EXTREMES(unsigned long long, unsigned long long, long long)
#undef GW_EXTREMES
