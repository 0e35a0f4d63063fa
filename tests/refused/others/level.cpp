#include "level.h"
#ifdef OBEYED
double level = 1, levels[2] = {1, 2};
const double edge = 2;
const double drawn = counted();
#endif
double at_level(double x) { return x * level; }
double at_levels(double x) { return x * levels[1]; }
double at_drawn(double x) { return x * drawn; }
double by_header(double x) { return scaled(x) * x; }
const double *edge_of_other() { return &edge; }
