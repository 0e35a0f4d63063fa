#include <cstdio>

#include "model.h"

float square_slope(float x);
double energy_slope(double x);

int main() {
    std::printf("%g %g %g %g\n", model_slope(3, 2), square_slope(5), energy_slope(2), spring_force(3, 2));
}
