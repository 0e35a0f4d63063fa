// args: --gradient 'cube: y wrt x'
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// obeys: unknown-function
// obeyed-args: --gradient 'square: y wrt x'
// says: gradwright: error: no function 'cube' in this translation unit [unknown-function]
// says:   way out: check the spelling, or qualify the name with its namespace
