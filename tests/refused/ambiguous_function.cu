// args: --gradient 'scale: y wrt x'
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void scale(double *y, const double *x, int n) { y[threadIdx.x] = n * x[threadIdx.x]; }
// obeys: ambiguous-function
// obeyed-args: --gradient 'scale(float *, const float *): y wrt x'
// says: gradwright: error: 'scale' may be any of 'scale(float *, const float *)', 'scale(double *, const double *, int)' [ambiguous-function]
// says:   way out: add the parameters, as they stand here
