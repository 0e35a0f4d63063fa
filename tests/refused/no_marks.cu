// obeys: no-marks
// A source that does not include what declares its marks.
#ifdef OBEYED
#include <gradwright/gradwright.h>
#endif

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: no_marks.cu:7:1: error: 'GW_GRADIENT' is declared by <gradwright/gradwright.h>, which this source does not include [no-marks]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: write '#include <gradwright/gradwright.h>' above this line
