#include "spring.grad.h"
#include <cstdio>
double slope(double x);
float square_slope(float x);
int main() {
  double d_x = 0;
  spring_grad(0.5, 5, &d_x);
  std::printf("%g %g %g\n", slope(3), d_x, square_slope(5));
}
