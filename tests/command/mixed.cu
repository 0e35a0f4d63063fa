// One of each thing that the stages hand on: structs, calls, a taped loop, owned and shared cells.
#include <gradwright/gradwright.h>

struct Point {
  float x, y;
  float weight[2];
};

__device__ float step(float v, float rate) {
  float r = v;
  for (int i = 0; i < 3; ++i) r = r * rate + 0.5f * r * r;
  return r;
}

GW_GRADIENT("out wrt points, rate")
__global__ void walk(float *out, const Point *points, const int *index, float rate, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Point p = points[index[i]];
  float v = p.x * p.weight[1];
  for (int k = 0; k < steps; ++k) v = sinf(v) * rate + p.y;
  out[i] = step(v, rate);
}

GW_GRADIENT("wrt a, b")
double mean(double a, double b) { return a > b ? 0.5 * (a + b) : sqrt(a * b); }

#include "mixed.grad.cuh"
