// A source that knows nothing of Gradwright.
__global__ void cube(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i] * x[i];
}
