// args: --requests none.txt
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
// says: gradwright: error: cannot read 'none.txt': No such file or directory [cannot-read]
