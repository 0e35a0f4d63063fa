#include <cstdio>

extern "C" double wave_slope(double x);
double sum_slope(double x);

int main() { std::printf("%.3f %g\n", wave_slope(1), sum_slope(2)); }
