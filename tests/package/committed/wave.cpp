#include <gradwright/gradwright.h>
GW_GRADIENT("wrt x")
double wave(double x) { return FACTOR * x * x; }
#include "wave.grad.hpp"
double slope(double x) {
  double d_x = 0;
  wave_grad(x, &d_x);
  return d_x;
}
