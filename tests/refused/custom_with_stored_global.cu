#include <gradwright/gradwright.h>

static double scale;
double energy(double x) { return x * scale; }
GW_DERIVATIVE_OF("pullback of energy")
void energy_back(double x, double d_return, double *d_x) {
    (void)x;
    *d_x += d_return * scale;
}

GW_GRADIENT("wrt x")
double stored(double x) {
    scale = x * x;
    return energy(x);
}
// says: custom_with_stored_global.cu:13:5: error: a store to a variable that a called function uses cannot be differentiated yet [unsupported]
// says:     scale = x * x;
// says:     ^
// says:   way out: pass it to that function
