#include <gradwright/gradwright.h>
#include <vector>

__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
#ifdef OBEYED
GW_GRADIENT("y wrt x") void first_row(const std::vector<float> &row, float *y, float *x) {
#else
GW_GRADIENT("y wrt x") void first_row(const std::vector<std::vector<float>> &rows, float *y, float *x) {
    const std::vector<float> &row = rows[0];
#endif
    twice<<<1, (unsigned)row.size()>>>(y, x);
}
// obeys: unsupported
// says: program_rows.cu:11:26: error: a std::vector in memory, or one of several, cannot be differentiated yet [unsupported]
// says:     twice<<<1, (unsigned)row.size()>>>(y, x);
// says:                          ^
// says:   way out: pass it by reference, and name it
