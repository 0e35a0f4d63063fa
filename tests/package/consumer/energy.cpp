#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x")
double energy(double x) {
    double power = 1;
    for (int i = 0; i < POWER; ++i) power *= x;
    return power;
}

#include "energy.grad.hpp"

double energy_slope(double x) {
    double d_x = 0;
    energy_grad(x, &d_x);
    return d_x;
}
