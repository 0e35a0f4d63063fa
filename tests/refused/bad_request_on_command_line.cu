// args: --gradient 'square y wrt x'
// status: 2
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// says: gradwright: error: 'square y wrt x' is no request: write 'function: outputs wrt inputs'
// says: 'gradwright --help' lists the options
