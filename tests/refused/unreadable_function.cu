// args: --gradient 'scale(float *: y wrt x'
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
// says: gradwright: error: cannot read the request 'scale(float *': before ':' stands a function: 'f', 'ns::f', 'f<3>', 'f(float, int)' or 'S::operator*' [bad-request]
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
