// The public headers in C++: they parse, link as C, and GW_GRADIENT leaves an ordinary function behind.
#include <gradwright/gradwright.h>
#include <gradwright/runtime.h>

#include <cstring>

GW_GRADIENT("wrt x") static double square(double x) { return x * x; }

int main() {
    if (square(3) != 9) return 1;
    if (gw_report(GW_ERROR_ARGUMENT, "%s %d", "a", 1) != GW_ERROR_ARGUMENT) return 1;
    return std::strcmp(gw_last_error(), "a 1") == 0 ? 0 : 1;
}
