// args: --requests requests.txt
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
// says: requests.txt:4:1: error: cannot read the request 'scale y wrt x': it names no function: 'function: outputs wrt inputs' [bad-request]
// says: scale y wrt x
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: requests.txt:5:1: error: cannot read the request 'derivative': it names no function: 'function: outputs wrt inputs' [bad-request]
// says: derivative
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
