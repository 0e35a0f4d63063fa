#include <gradwright/gradwright.h>

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.y == 1")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.y = 1")
#endif
__global__ void first(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == size")
#endif
__global__ void second(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n % 32 == 0")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("n % 32")
#endif
__global__ void third(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n % 4 == 0")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("n % 0 == 0")
#endif
__global__ void fourth(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32, gridDim.x == 4")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32 gridDim.x == 4")
#endif
__global__ void fifth(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32,")
#endif
__global__ void sixth(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n > 0")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("")
#endif
__global__ void seventh(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

#ifdef OBEYED
GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 9999")
#else
GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 9999999999999")
#endif
__global__ void eighth(float *y, const float *x, long n) { y[threadIdx.x] = x[threadIdx.x]; }
// obeys: bad-launch
// says: launch_unreadable.cu:6:24: error: cannot read GW_LAUNCH("blockDim.x == 128, gridDim.y = 1") of 'first': ==, <=, >=, <, > or % is expected behind the name [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.y = 1")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:13:24: error: cannot read GW_LAUNCH("blockDim.x == size") of 'second': a number is expected, of at most 2^40 [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == size")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:20:24: error: cannot read GW_LAUNCH("n % 32") of 'third': % N is followed by == 0 [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n % 32")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:27:24: error: cannot read GW_LAUNCH("n % 0 == 0") of 'fourth': the number behind % is from 1 to 2147483647 [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n % 0 == 0")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:34:24: error: cannot read GW_LAUNCH("n == 32 gridDim.x == 4") of 'fifth': a comma is expected before the next fact [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32 gridDim.x == 4")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:41:24: error: cannot read GW_LAUNCH("n == 32,") of 'sixth': a fact is missing behind the comma [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n == 32,")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:48:24: error: cannot read GW_LAUNCH("") of 'seventh': a fact begins with what it is about [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
// says: launch_unreadable.cu:55:24: error: cannot read GW_LAUNCH("n >= 9999999999999") of 'eighth': a number is expected, of at most 2^40 [bad-launch]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n >= 9999999999999")
// says:                        ^
// says:   way out: write comparisons with numbers, and commas between them: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0"
