// Includes its own gradient: the one call that compiles this file makes that first.
#include <gradwright/gradwright.h>
#include <cmath>
#include <cstdio>
#include <vector>

namespace model {
GW_GRADIENT("wrt x, y")
double energy(double x, double y) { return SCALE * x * x * y + std::exp(y); }

GW_GRADIENT("out wrt in")
void cube(double *out, const double *in, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i] * in[i] * in[i];
}
} // namespace model

#include "self.grad.hpp"

int main() {
  double d_x = 0, d_y = 0;
  model::energy_grad(2.0, 3.0, &d_x, &d_y);
  std::vector<double> in = {1, 2, 3}, out(3), d_out = {1, 1, 1}, d_in(3);
  model::cube_grad(out.data(), in.data(), 3, d_out.data(), d_in.data());
  std::printf("%.3f %.3f %.1f %.1f %.1f\n", d_x, d_y, d_in[0], d_in[1], d_in[2]);
  return 0;
}
