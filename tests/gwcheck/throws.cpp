// Throws for the numbers that gwcheck takes by itself.
#include <gradwright/gradwright.h>
#include <stdexcept>

GW_GRADIENT("wrt x") double throws(const double *x) {
    if (x[0] > 0) throw std::domain_error("positive");
    return x[0] * x[1];
}

#include "throws.grad.hpp"

int main() { return 0; }
