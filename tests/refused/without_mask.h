__device__ float __shfl_down(float value, unsigned int distance, int width = 32);
