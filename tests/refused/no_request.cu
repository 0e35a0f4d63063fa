__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
// obeys: no-request
// obeyed-args: --gradient 'square: y wrt x'
// says: gradwright: error: no derivative is requested in 'no_request.cu' [no-request]
// says:   way out: annotate a function with GW_GRADIENT("...") or GW_DERIVATIVE("..."), or pass --gradient or --derivative
