// args: --gradient 'scale(float *, float *): y wrt x'
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
// says: gradwright: error: no function 'scale(float *, float *)' in this translation unit; there is 'scale(float *, const float *)' [unknown-function]
// says:   way out: check the spelling, or qualify the name with its namespace
