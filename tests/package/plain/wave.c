#include <gradwright/gradwright.h>
#include <math.h>

GW_GRADIENT("wrt x")
double wave(double x) { return sin(M_PI * x); } /* M_PI is one of the extensions */

#include "wave.grad.h"

double wave_slope(double x) {
    double d = 0;
    wave_grad(x, &d);
    return d;
}
