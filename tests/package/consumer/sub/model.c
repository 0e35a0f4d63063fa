#include "model.h"

#include <gradwright/gradwright.h>

GW_GRADIENT("wrt x, y")
static double model(double x, double y) { return x * x * y; }

#include "model.grad.h"

double model_slope(double x, double y) {
    double d_x = 0, d_y = 0;
    model_grad(x, y, &d_x, &d_y);
    return model(x, y) > -1e300 ? d_x : 0;
}
