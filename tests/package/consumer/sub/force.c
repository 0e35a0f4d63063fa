#include "model.h"
#include "spring.grad.h"

double spring_force(double stiffness, double x) {
    double d_x = 0;
    spring_grad(stiffness, x, &d_x);
    return -d_x;
}
