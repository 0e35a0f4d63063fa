// A launch with blanks in a header.
template <int N>
__global__ void fill(int *p) { p[threadIdx.x] = N + (int)threadIdx.x; }
inline void fill_three(int *p) { fill<3> << < 1, (1 << 3) >> 2>> >(p); }
